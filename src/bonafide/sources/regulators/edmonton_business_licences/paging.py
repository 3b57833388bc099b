"""The pages in which the portal gives its list: how many there are follows from the count of its rows.

The count may change while pages are fetched; a row that comes meanwhile is there at the next load.
"""

from math import ceil
from typing import Any

from bonafide.errors import ParseFailed
from bonafide.sources.framework.metadata import ResourceMetadata
from bonafide.sources.framework.strict_json import parse_strict_json

PAGE_ROWS = 50_000
"""The most that the older of Socrata's interfaces gives at once."""
MAX_PAGES = 20
"""Twenty times the list of today."""


def parse_row_count(answer: bytes, name: str) -> int:
    """The rows of the list. Raises `ParseFailed` when the answer does not say a number that the list can have."""
    try:
        [row] = parse_strict_json(answer)
        count = int(_get_only_value(row))
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise ParseFailed(f"{name}: the answer has another shape than is known: {type(error).__name__} {error}") from error
    if not 0 < count <= PAGE_ROWS * MAX_PAGES:
        raise ParseFailed(f"{name}: the list is said to have {count:,} rows")
    return count


def create_pages(resource: ResourceMetadata, rows: int) -> list[ResourceMetadata]:
    """The pages of a list of so many rows."""
    return [
        resource.model_copy(
            update={"name": f"{resource.name}_{page + 1}", "url": resource.url.format(limit=PAGE_ROWS, offset=page * PAGE_ROWS)}
        )
        for page in range(ceil(rows / PAGE_ROWS))
    ]


def _get_only_value(row: dict[str, Any]) -> Any:
    """The only value: the portal names the column `count`, or after the question."""
    [value] = row.values()
    return value
