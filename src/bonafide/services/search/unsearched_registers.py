"""The register that a search of a business record needed and no program could query, as a manual check."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from uuid import UUID

from bonafide.model.entry import SourceKind
from bonafide.model.events.event import EventBusiness, NewEvent
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.manual_checks.manual_check import ManualCheckOrigin
from bonafide.model.records.business_record import Author, BusinessRecord
from bonafide.model.search.result import Coverage, CoverageStatus, SearchResult
from bonafide.runtime import Runtime
from bonafide.services.manual_checks.opening import NeededCheck, find_register, open_check, read_due_period
from bonafide.services.results.match_selection import SEARCHED
from bonafide.store.database.engine import Connection


async def find_needed_check(
    runtime: Runtime, organization_id: UUID, record: BusinessRecord, result: SearchResult
) -> tuple[NeededCheck, timedelta | None] | None:
    """The check of the register of the record's jurisdiction, and the time until it is due.

    None if one of its sources was searched, if the search was not to look at it, and if the organization does not want such checks.
    A search of all of Canada needs none of the other registers.
    """
    jurisdiction = _find_jurisdiction(record, result)
    if jurisdiction is None or not is_unsearched(result.meta.coverage, jurisdiction):
        return None
    source = find_register(runtime, jurisdiction)
    is_enabled, due_after = await read_due_period(runtime, organization_id)
    if source is None or not is_enabled:
        return None
    submitted = result.meta.submitted
    is_same_register = record.jurisdiction is jurisdiction
    needed = NeededCheck(
        source=source,
        jurisdiction=jurisdiction,
        origin=ManualCheckOrigin.SEARCH,
        opened_by=result.meta.searched_by,
        business=EventBusiness.from_record(record),
        name=submitted.name,
        registration_number=record.registration_number if is_same_register else submitted.params.registration_number,
        search_id=result.meta.search_id,
    )
    return needed, due_after


def is_unsearched(coverage: Iterable[Coverage], jurisdiction: Jurisdiction) -> bool:
    """Whether no program could query the registers of a jurisdiction, although the search was to look at them."""
    own = [row.status for row in coverage if row.kind == SourceKind.REGISTRY and row.jurisdiction is jurisdiction]
    return CoverageStatus.NOT_AVAILABLE in own and not any(status in SEARCHED for status in own)


def _find_jurisdiction(record: BusinessRecord, result: SearchResult) -> Jurisdiction | None:
    """The jurisdiction of the record, or the only one to which the search was limited."""
    if record.jurisdiction is not None:
        return record.jurisdiction
    named = result.meta.submitted.params.jurisdictions or ()
    return next(iter(named)) if len(named) == 1 else None


async def open_needed_check(
    connection: Connection, organization_id: UUID, found: tuple[NeededCheck, timedelta | None], now: datetime
) -> list[NewEvent]:
    """Open the check in the transaction of the search; returns its event, unless it was open already."""
    needed, due_after = found
    author = Author(needed.opened_by)
    opened = await open_check(connection, organization_id, needed, due_after, now, author)
    return [opened.event] if opened.event is not None else []
