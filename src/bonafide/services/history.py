"""Past searches: listed, put away, and their match chosen by a person.

It reads and changes stored documents; it never runs a search.
"""

from uuid import UUID

from bonafide.errors import NotFound, SearchNotFound
from bonafide.model.result import CheckErrors, HistoryItem, MatchSelection, Pagination, SearchHistory, SearchResult
from bonafide.model.selection import MatchChoice
from bonafide.runtime import Runtime
from bonafide.services.businesses import hold_record, record_system_fields
from bonafide.services.comparison import compared_again, learned_of_match, with_website_compared
from bonafide.services.preparing import BY_SELECTION
from bonafide.services.search import status_now
from bonafide.services.selection import choose
from bonafide.store import searches
from bonafide.store.engine import Connection


async def search_history(
    runtime: Runtime, organization_id: UUID, chosen: searches.HistoryFilter, limit: int, offset: int
) -> SearchHistory:
    """A page of the organization's searches, newest first."""
    async with runtime.store.read() as connection:
        page = await searches.history(connection, organization_id, chosen, limit, offset)
    return SearchHistory(
        searches=tuple(_item(runtime, row) for row in page.searches),
        pagination=Pagination(total=page.total, limit=limit, offset=offset, has_more=offset + len(page.searches) < page.total),
    )


async def archive_search(runtime: Runtime, organization_id: UUID, search_id: UUID, *, archived: bool) -> HistoryItem:
    """Put a search away, or take it out again. Raises `NotFound`."""
    async with runtime.store.write() as connection:
        await searches.set_archived(connection, organization_id, search_id, archived=archived)
        row = await searches.get(connection, organization_id, search_id)
    if row is None:
        raise NotFound("there is no search with this id")
    return _item(runtime, row)


async def choose_match(runtime: Runtime, organization_id: UUID, search_id: UUID, choice: MatchChoice) -> MatchSelection:
    """Record a person's choice in the stored document. Raises `SearchNotFound`, `MatchNotFound`, `Conflict`.

    The document is read and written in one transaction that holds its row: of two choices at once, the later one stands.
    """
    async with runtime.store.write() as connection:
        stored = await searches.lock_document(connection, organization_id, search_id)
        if stored is None:
            raise SearchNotFound
        chosen = choose(SearchResult.model_validate_json(stored), choice)
        if chosen.meta.submitted.business_id is not None:
            chosen = await _compared_again(runtime, connection, organization_id, chosen)
        else:
            chosen = with_website_compared(chosen)
        await searches.replace_document(connection, organization_id, search_id, chosen.to_json())
    assert chosen.match_selection is not None  # noqa: S101 - `choose` has set it
    return chosen.match_selection


async def _compared_again(runtime: Runtime, connection: Connection, organization_id: UUID, document: SearchResult) -> SearchResult:
    """The document with its record compared with the match that is now selected; told to the record, if this is its last search."""
    business_id = document.meta.submitted.business_id
    assert business_id is not None  # noqa: S101 - the caller has looked
    record = await hold_record(connection, organization_id, business_id)
    compared = compared_again(document, record)
    if record.last_search_job_id == document.meta.search_id:
        known = learned_of_match(compared)
        await record_system_fields(connection, organization_id, record.id, known, BY_SELECTION, runtime.clock())
    return compared


def _item(runtime: Runtime, row: searches.StoredSearch) -> HistoryItem:
    return HistoryItem(
        id=row.id,
        query=row.query,
        website=row.website,
        timestamp=row.searched_at,
        status=status_now(row, runtime.clock()),
        archived=row.archived,
        errors=CheckErrors.model_validate_json(row.errors) if row.errors is not None else None,
    )
