"""A search of Prince Edward Island's registry: rows of name, number, kind and status, a page of twenty at a time.

Names are compared loosely there, so the first row is no better than the others: all are given, and chosen among elsewhere.
"""

import re
from dataclasses import dataclass

from bonafide.errors import ParseFailed
from bonafide.matching.identifiers.number_formats import parse_business_number
from bonafide.matching.identifiers.number_labels import NumberType, compact_number, parse_labelled_number
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.sources.formats.delimited_text import normalize_whitespace
from bonafide.sources.framework.live import LiveContext
from bonafide.sources.registries.pe.gateway import (
    CELL,
    LINK,
    NOTHING_FOUND,
    PARAGRAPH,
    ROW,
    SEARCH,
    PageElement,
    fetch_page,
    has_message,
)

PAGE_SIZE = 20
"""Of the register's own page; whether it gives more was not seen."""
MAX_PAGES = 2
_COLUMNS = 4
_ID = re.compile(r"\d{1,12}")
_COUNT = re.compile(r"Showing results [\d,]+ *[-–] *[\d,]+ of ([\d,]+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class PeiSearchHit:
    """One row: the gateway's own id of the record, and what the row shows."""

    id: str
    name: str
    number: str | None
    kind: str | None
    status: str | None


@dataclass(frozen=True, slots=True)
class PeiSearchResults:
    """The rows of a search, and how many more there would be."""

    hits: tuple[PeiSearchHit, ...]
    hidden: int


async def search(field: str, value: str, context: LiveContext) -> PeiSearchResults:
    """The rows for a value of a field of the form, of the first pages. Raises a `SourceError`."""
    hits: dict[str, PeiSearchHit] = {}
    total = 0
    for page in range(1, MAX_PAGES + 1):
        shown = await fetch_page(SEARCH, {field: value, "page_number": str(page), "page_size": str(PAGE_SIZE)}, context)
        rows = _parse_hits(shown)
        total = _read_total(shown, len(rows), context)
        hits |= {hit.id: hit for hit in rows}
        if len(hits) >= total:
            break
    return PeiSearchResults(tuple(hits.values()), max(0, total - len(hits)))


def _parse_hits(page: PageElement) -> list[PeiSearchHit]:
    rows = [row.own(CELL) for row in page.below(ROW)]
    # A row without cells is the table's heading.
    return [_parse_hit(cells) for cells in rows if cells]


def _parse_hit(cells: list[PageElement]) -> PeiSearchHit:
    if len(cells) != _COLUMNS:
        raise ParseFailed(f"a row of the search has {len(cells)} cells and not name, number, kind and status")
    link = next(cells[0].below(LINK), None)
    name = normalize_whitespace(link.text) if link is not None else None
    if link is None or name is None:
        raise ParseFailed("a row of the search has no link with the name")
    if _ID.fullmatch(link.parameters.get("id", "")) is None:
        raise ParseFailed(f"the row of {name} leads to no record (id)")
    number, kind, status = (normalize_whitespace(cell.text) for cell in cells[1:])
    return PeiSearchHit(link.parameters["id"], name, number, kind, status)


def _read_total(page: PageElement, rows: int, context: LiveContext) -> int:
    """How many rows there are on all pages. Raises `ParseFailed` where the page leaves open whether there are any, or more."""
    counts = (_COUNT.search(paragraph.text) for paragraph in page.below(PARAGRAPH) if paragraph.text is not None)
    count = next((found for found in counts if found is not None), None)
    if count is not None:
        total = int(count[1].replace(",", ""))
        if total > 0 and rows == 0:
            raise ParseFailed(f"the search counts {total:,} results and shows none")
        return total
    if rows == 0 and not has_message(page, NOTHING_FOUND, context):
        raise ParseFailed("the search shows no results, and does not say that there are none")
    if rows >= PAGE_SIZE:
        raise ParseFailed("the search fills a page and does not say how many results there are")
    return rows


_PAIR = re.compile(r"(\d{9}) *[-–] *(\d{1,6})")
_OWN = re.compile(r"0*\d{1,6}")


@dataclass(frozen=True, slots=True)
class PeiNumbers:
    """The nine digits of the business, and the register's number without zeros in front; either may be missing.

    One business number stands before several register numbers: the trade names of a company bear the company's.
    """

    business: str | None
    register: str | None

    @property
    def text(self) -> str:
        """As the register prints them."""
        return "-".join(part for part in (self.business, self.register) if part is not None)

    def is_same_registration(self, other: "PeiNumbers") -> bool:
        """Whether these, as somebody asks for them, mean the other's registration: by the register's number if they have it."""
        if self.register is not None:
            return self.register == other.register
        return self.business is not None and self.business == other.business


def parse_numbers(text: str | None) -> PeiNumbers | None:
    """The numbers in a text, in any usual spelling; None for one that has none of this register's form."""
    if text is None:
        return None
    pair = _PAIR.search(text)
    if pair is not None:
        return PeiNumbers(pair[1], _strip_leading_zeros(pair[2]))
    number = parse_labelled_number(compact_number(text))
    own = number.number.removeprefix(Jurisdiction.PE)
    # No business number begins with zeros: nine digits that do are a register number that somebody has padded.
    if number.type is not NumberType.BUSINESS_NUMBER and _OWN.fullmatch(own) is not None:
        return PeiNumbers(None, _strip_leading_zeros(own))
    business = parse_business_number(text)
    return PeiNumbers(business.root, None) if business is not None else None


def _strip_leading_zeros(digits: str) -> str:
    return digits.lstrip("0") or "0"
