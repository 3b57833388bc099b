"""What GLEIF's publication interface says: where the newest golden copy is, of which day, and how large."""

from dataclasses import dataclass
from datetime import date
from typing import Any

from bonafide.errors import ParseFailed
from bonafide.sources.framework.downloads import is_https_below
from bonafide.sources.framework.strict_json import parse_strict_json

HOST = "gleif.org"


@dataclass(frozen=True, slots=True)
class GoldenCopyPublication:
    """The CSV file of all entities in one publication. `day` and `size` (bytes) are None where it does not say them."""

    url: str
    day: date | None
    size: int | None


def find_newest(answer: bytes, name: str) -> GoldenCopyPublication:
    """The newest publication of an answer. Raises `ParseFailed` when it has another shape, or names a file that is not GLEIF's."""
    try:
        data: Any = parse_strict_json(answer)["data"]
        publication = data[0] if isinstance(data, list) else data
        file = publication["lei2"]["full_file"]["csv"]
        url, size = str(file["url"]), file.get("size")
        day = str(publication.get("publish_date") or publication["lei2"].get("publish_date") or "")
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise ParseFailed(f"{name}: the answer has another shape than is known: {type(error).__name__} {error}") from error
    if not is_https_below(url, HOST):
        raise ParseFailed(f"{name}: the file is said to be at {url}, which is not GLEIF's")
    return GoldenCopyPublication(url, _parse_day(day), size if isinstance(size, int) else None)


def _parse_day(text: str) -> date | None:
    try:
        return date.fromisoformat(text[:10])
    except ValueError:
        return None
