"""Search Prince Edward Island's registry: rows of name, number, entity type and status, twenty a page.

The search is fuzzy and its order is not a ranking, so all rows are returned and scored elsewhere.
"""

import re
from dataclasses import dataclass

from bonafide.errors import ParseFailed
from bonafide.i18n.message import Message
from bonafide.matching.identifiers.number_formats import parse_business_number
from bonafide.matching.identifiers.number_labels import NumberType, compact_number, parse_labelled_number
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.sources.formats.delimited_text import normalize_whitespace
from bonafide.sources.framework.live import NO_RESULTS_LISTED, LiveContext
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
"""The size on the register's own page."""
MAX_PAGES = 2
_COLUMNS = 4
_ID = re.compile(r"\d{1,12}")
_COUNT = re.compile(r"Showing results [\d,]+ *[-–] *[\d,]+ of ([\d,]+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class PeiSearchHit:
    """One row: the gateway's ID of the record, and the cells."""

    id: str
    name: str
    number: str | None
    kind: str | None
    status: str | None


@dataclass(frozen=True, slots=True)
class PeiSearchResults:
    """The rows of a search, and the number of further results."""

    hits: tuple[PeiSearchHit, ...]
    hidden: int


async def search(field: str, value: str, context: LiveContext) -> PeiSearchResults:
    """The rows of the first pages for a value of a form field. Raises a `SourceError`."""
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
    # A row without cells is the header.
    return [_parse_hit(cells) for cells in rows if cells]


def _parse_hit(cells: list[PageElement]) -> PeiSearchHit:
    if len(cells) != _COLUMNS:
        raise ParseFailed(Message("a row has {cells} cells instead of name, number, type and status", cells=len(cells)))
    link = next(cells[0].below(LINK), None)
    name = normalize_whitespace(link.text) if link is not None else None
    if link is None or name is None:
        raise ParseFailed(Message("a row has no link with the name"))
    if _ID.fullmatch(link.parameters.get("id", "")) is None:
        raise ParseFailed(Message("the row of {name} has no record ID", name=name))
    number, kind, status = (normalize_whitespace(cell.text) for cell in cells[1:])
    return PeiSearchHit(link.parameters["id"], name, number, kind, status)


def _read_total(page: PageElement, rows: int, context: LiveContext) -> int:
    """The number of rows on all pages. Raises `ParseFailed` if the page does not state it."""
    counts = (_COUNT.search(paragraph.text) for paragraph in page.below(PARAGRAPH) if paragraph.text is not None)
    count = next((found for found in counts if found is not None), None)
    if count is not None:
        total = int(count[1].replace(",", ""))
        if total > 0 and rows == 0:
            raise ParseFailed(NO_RESULTS_LISTED.fill(n=total))
        return total
    if rows == 0 and not has_message(page, NOTHING_FOUND, context):
        raise ParseFailed(Message("the page has no results and no statement that there are none"))
    if rows >= PAGE_SIZE:
        raise ParseFailed(Message("the page is full but does not state the number of results"))
    return rows


_PAIR = re.compile(r"(\d{9}) *[-–] *(\d{1,6})")
_OWN = re.compile(r"0*\d{1,6}")


@dataclass(frozen=True, slots=True)
class PeiNumbers:
    """The nine digits of the business number, and the register's number without leading zeros; either may be missing.

    Several register numbers can have the same business number, such as those of a company and its trade names.
    """

    business: str | None
    register: str | None

    @property
    def text(self) -> str:
        """The numbers as the register prints them."""
        return "-".join(part for part in (self.business, self.register) if part is not None)

    def is_same_registration(self, other: "PeiNumbers") -> bool:
        """Whether these numbers of a query mean the registration of the others: by the register's number if they have one."""
        if self.register is not None:
            return self.register == other.register
        return self.business is not None and self.business == other.business


def parse_numbers(text: str | None) -> PeiNumbers | None:
    """The numbers in a text, in any usual spelling; None without a number of this register's form."""
    if text is None:
        return None
    pair = _PAIR.search(text)
    if pair is not None:
        return PeiNumbers(pair[1], _strip_leading_zeros(pair[2]))
    number = parse_labelled_number(compact_number(text))
    own = number.number.removeprefix(Jurisdiction.PE)
    # Business numbers never begin with zeros: such nine digits are a padded register number.
    if number.type is not NumberType.BUSINESS_NUMBER and _OWN.fullmatch(own) is not None:
        return PeiNumbers(None, _strip_leading_zeros(own))
    business = parse_business_number(text)
    return PeiNumbers(business.root, None) if business is not None else None


def _strip_leading_zeros(digits: str) -> str:
    return digits.lstrip("0") or "0"
