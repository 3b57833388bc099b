"""Query the Global LEI index by name, by LEI or by a register's number, limited to Canadian entities as the golden copy is.

A search result is the whole record of an entity, so no separate report is fetched.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from bonafide.errors import ParseFailed, SourceNotFound
from bonafide.i18n.message import Message
from bonafide.matching.identifiers.number_labels import REGISTER_LETTERS, compact_number, parse_labelled_number
from bonafide.matching.identifiers.number_matching import is_federal_number_valid, is_lei
from bonafide.model.entry import RegulatoryEntry
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.sources.framework.context import get_reason
from bonafide.sources.framework.live import MAX_RESULTS, LiveContext, LiveQuery, QueryPairs, read_json
from bonafide.sources.regulators.gleif.api_record import to_cells
from bonafide.sources.regulators.gleif.golden_copy import AUTHORITY, COUNTRY, JURISDICTION, is_canadian
from bonafide.sources.regulators.gleif.lei_entry import build_entry

HEADERS = {"Accept": "application/vnd.api+json"}
PAGE_SIZE = MAX_RESULTS
MAX_PAGES = 3
"""For one query. Of all entities with the same register number, the Canadian ones are among the first."""
BC_DIGITS = 7


async def find(query: LiveQuery, context: LiveContext) -> Sequence[RegulatoryEntry]:
    """Return Canadian entities, those found by number before those found by name. Raises a `SourceError`."""
    found = await _find_by_number(query.number, context) if query.number is not None else []
    # A comma separates two values of a filter.
    words = " ".join(query.name.replace(",", " ").split()) if query.name is not None else ""
    if words:
        found += await _search((("filter[fulltext]", words), ("filter[entity.legalAddress.country]", COUNTRY)), context)
    return list({entry.entry_id: entry for entry in found}.values())[:MAX_RESULTS]


async def _find_by_number(number: str, context: LiveContext) -> list[RegulatoryEntry]:
    """Return the entities with this LEI, or with this register number in the first spelling that has results."""
    plain = parse_labelled_number(compact_number(number)).number
    if is_lei(plain):
        return await _search((("filter[lei]", plain),), context)
    for spelling in _generate_spellings(plain):
        found = await _search((("filter[entity.registeredAs]", spelling),), context)
        if found:
            return found
    return []


def _generate_spellings(plain: str) -> Iterator[str]:
    """Yield a compact number as registers write it, also with the federal hyphen or with the prefix of British Columbia."""
    letters = plain.rstrip("0123456789")
    if letters in REGISTER_LETTERS - {Jurisdiction.BC}:
        plain = plain[len(letters) :]
    if plain == "":
        return
    yield plain
    if plain.isdecimal() and is_federal_number_valid(plain):
        yield f"{plain[:-1]}-{plain[-1]}"
    if plain.isdecimal() and len(plain) <= BC_DIGITS:
        yield f"BC{plain:0>{BC_DIGITS}}"


async def _search(filters: QueryPairs, context: LiveContext) -> list[RegulatoryEntry]:
    """Return the Canadian entities that match the filters, page by page, up to `MAX_RESULTS`."""
    found: list[RegulatoryEntry] = []
    for page in range(1, MAX_PAGES + 1):
        paging = (("page[size]", str(PAGE_SIZE)), ("page[number]", str(page)))
        response = await context.get("", (*filters, *paging), HEADERS)
        if not response.found:
            raise SourceNotFound(Message("{source}: {url} does not exist", source=context.metadata.key, url=context.live.base_url))
        records, last = _parse_page(read_json(response))
        found += _build_entries(records, context)
        if page >= last or len(found) >= MAX_RESULTS:
            break
    return found


def _parse_page(document: Any) -> tuple[list[Any], int]:
    """Return the records of a page and the number of the last page. Raises `ParseFailed` for an unexpected document."""
    try:
        records, last = document["data"], document["meta"]["pagination"]["lastPage"]
    except (LookupError, TypeError) as error:
        raise ParseFailed(_describe_problem(document)) from error
    if not isinstance(records, list) or not isinstance(last, int):
        raise ParseFailed(Message("unexpected API response: data is not a list or lastPage is not a number"))
    return records, last


def _describe_problem(document: Any) -> Message:
    """Describe a response without data: the error that it reports, or the missing fields."""
    errors = document.get("errors") if isinstance(document, dict) else None
    if errors:
        return Message("the API reports an error: {error}", error=str(errors)[:200])
    return Message("unexpected API response: data or meta.pagination.lastPage is missing")


def _build_entries(records: Iterable[Any], context: LiveContext) -> Iterator[RegulatoryEntry]:
    for record in records:
        cells = to_cells(record)
        if not is_canadian(cells.get(JURISDICTION, ""), cells.get(AUTHORITY, ""), context.words):
            continue
        try:
            yield build_entry(cells, context.words)
        except ValueError as error:
            problem = get_reason(error)
            raise ParseFailed(Message("record {lei}: {problem}", lei=cells.get("LEI", ""), problem=problem)) from error
