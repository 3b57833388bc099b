"""What GLEIF's publication interface says: where the newest golden copy is, of which day, and how large."""

import json
from dataclasses import dataclass
from datetime import date
from typing import Any
from urllib.parse import urlsplit

from bonafide.errors import ParseFailed

HOST = "gleif.org"


@dataclass(frozen=True, slots=True)
class Publication:
    """The CSV file of all entities in one publication. `day` and `size` (bytes) are None where it does not say them."""

    url: str
    day: date | None
    size: int | None


def newest(answer: bytes, name: str) -> Publication:
    """The newest publication of an answer. Raises `ParseFailed` when it has another shape, or names a file that is not GLEIF's."""
    try:
        data: Any = json.loads(answer)["data"]
        publication = data[0] if isinstance(data, list) else data
        file = publication["lei2"]["full_file"]["csv"]
        url, size = str(file["url"]), file.get("size")
        day = str(publication.get("publish_date") or publication["lei2"].get("publish_date") or "")
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise ParseFailed(f"{name}: the answer has another shape than is known: {type(error).__name__} {error}") from error
    parts = urlsplit(url)
    host = parts.hostname or ""
    if parts.scheme != "https" or not (host == HOST or host.endswith(f".{HOST}")):
        raise ParseFailed(f"{name}: the file is said to be at {url}, which is not GLEIF's")
    return Publication(url, _day(day), size if isinstance(size, int) else None)


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text[:10])
    except ValueError:
        return None
