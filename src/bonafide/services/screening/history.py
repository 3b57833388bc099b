"""Store standalone screenings, list and read them, and repeat one.

A stored screening never changes. Dismissals are applied to it when a person reads it, as for searches.
"""

from datetime import UTC, datetime
from uuid import UUID

from bonafide.errors import NotFound
from bonafide.i18n.message import Message
from bonafide.matching.risk.record_facts import SCREENING_PATHS, build_screening_facts
from bonafide.model.accounts.organizations import Principal
from bonafide.model.base import StoredDocument
from bonafide.model.records.business_record import Author, Cursor, FeedPagination, FeedPosition, SystemFields
from bonafide.model.screening.history import ScreeningItem, ScreeningOutcome, ScreeningPage
from bonafide.model.screening.requests import ScreeningAnswer, ScreeningRequest
from bonafide.runtime import Runtime
from bonafide.services.events.recording import record_events
from bonafide.services.records.change_feed import decode_cursor, encode_cursor
from bonafide.services.risk.record_rating import CheckFacts, record_check
from bonafide.services.screening.comparison import compare_screenings
from bonafide.services.screening.dismissals import apply_dismissals
from bonafide.services.screening.hit_events import ScreeningDocument, build_hit_events
from bonafide.services.screening.record_hits import update_open_hits
from bonafide.services.screening.standalone import screen_submitted
from bonafide.store.records import screenings
from bonafide.store.records.screenings import ScreeningFilter, ScreeningPosition, ScreeningRow
from bonafide.store.work.pending_key import complete_key

BY_SCREENING = Author("system:screening")
"""The author of changes that a screening makes to the system fields of its record."""
UNKNOWN_SCREENING = Message("We couldn’t find that screening.")
_NEWEST = FeedPosition(datetime(5000, 1, 1, tzinfo=UTC), UUID(int=2**128 - 1))
"""After every screening: lists begin here."""


async def create_screening(runtime: Runtime, principal: Principal, request: ScreeningRequest) -> ScreeningAnswer:
    """Screen a name and store the result. Raises as `screen_submitted` does."""
    answer = await screen_submitted(runtime, principal, request.submitted())
    return await store_screening(runtime, principal.organization_id, answer)


async def store_screening(
    runtime: Runtime, organization_id: UUID, answer: ScreeningAnswer, repeated: ScreeningAnswer | None = None
) -> ScreeningAnswer:
    """Store a screening with the events of its hits, update the record that was screened, and return the screening.

    The hits are compared with the known ones of the record or, without a record, with those of the `repeated` screening. Raises
    `NotFound` for an unknown record.
    """
    meta, business_id = answer.meta, answer.meta.submitted.business_id
    row = build_screening_row(answer)
    async with runtime.store.write() as connection:
        if business_id is not None:
            # Before the screening: it locks the organization's audit log.
            known = SystemFields(last_screened_at=meta.screened_at)
            checks = [CheckFacts(build_screening_facts(answer.screening, meta.screened_at.date()), SCREENING_PATHS)]
            record, rated = await record_check(
                connection, organization_id, business_id, known, checks, BY_SCREENING, runtime.clock()
            )
            found = [*await update_open_hits(connection, organization_id, record, ScreeningDocument.from_answer(answer)), *rated]
        else:
            found = build_hit_events(repeated, answer)
        await screenings.add(connection, organization_id, row, answer.to_stored())
        await complete_key(connection, answer)
        await record_events(connection, organization_id, found, runtime.clock())
    return answer


def build_screening_row(answer: ScreeningAnswer) -> ScreeningRow:
    """The row of a screening that is about to be stored."""
    meta = answer.meta
    return ScreeningRow(
        id=meta.screening_id,
        query=meta.submitted.query,
        outcome=determine_outcome(answer),
        open_hits=answer.screening.open_hits,
        subjects=1 + len(answer.screening.subjects),
        screened_at=meta.screened_at,
        screened_by=meta.screened_by,
        business_id=meta.submitted.business_id,
    )


def determine_outcome(answer: ScreeningAnswer) -> ScreeningOutcome:
    """The outcome of a screening: an open hit comes first, and a gap is never clear."""
    screening = answer.screening
    if screening.open_hits > 0:
        return ScreeningOutcome.HITS
    return ScreeningOutcome.CLEAR if screening.is_complete and answer.errors is None else ScreeningOutcome.INCOMPLETE


async def list_screenings(
    runtime: Runtime, organization_id: UUID, chosen: ScreeningFilter, limit: int, cursor: str | None = None
) -> ScreeningPage:
    """A page of the organization's screenings, newest first. Raises `ValidationFailed` for an invalid cursor."""
    start = decode_cursor(cursor) if cursor is not None else _NEWEST
    place = ScreeningPosition(start.updated_at, start.id)
    async with runtime.store.read_lagging() as connection:
        found = await screenings.list_older(connection, organization_id, chosen, limit + 1, place)
    listed = found[:limit]
    end = FeedPosition(listed[-1].screened_at, listed[-1].id) if listed else start
    return ScreeningPage(
        screenings=tuple(to_screening_item(row) for row in listed),
        cursor=Cursor(next=encode_cursor(end)),
        pagination=FeedPagination(limit=limit, has_more=len(found) > limit),
    )


def to_screening_item(row: ScreeningRow) -> ScreeningItem:
    """The item of a row in a list."""
    return ScreeningItem(
        id=row.id,
        query=row.query,
        outcome=row.outcome,
        open_hits=row.open_hits,
        subjects=row.subjects,
        screened_at=row.screened_at,
        screened_by=row.screened_by,
        business_id=row.business_id,
    )


async def read_screening(runtime: Runtime, organization_id: UUID, screening_id: UUID) -> StoredDocument:
    """The stored document of a screening. Raises `NotFound`."""
    async with runtime.store.read() as connection:
        document = await screenings.get_document(connection, organization_id, screening_id)
    if document is None:
        raise NotFound(UNKNOWN_SCREENING)
    return document


async def open_screening(runtime: Runtime, organization_id: UUID, screening_id: UUID) -> ScreeningAnswer:
    """A screening with the dismissals that are active now, for a person to read. Raises `NotFound`."""
    answer = (await read_screening(runtime, organization_id, screening_id)).parse(ScreeningAnswer)
    submitted = answer.meta.submitted
    screening = await apply_dismissals(runtime, organization_id, answer.screening, submitted.subject(), submitted.business_id)
    return answer.model_copy(update={"screening": screening})


async def repeat_screening(runtime: Runtime, principal: Principal, screening_id: UUID) -> ScreeningAnswer:
    """Screen the same subject again, and store the result with its difference to the earlier one.

    Raises as `create_screening` does, and `NotFound` for an unknown screening.
    """
    document = await read_screening(runtime, principal.organization_id, screening_id)
    previous = document.parse(ScreeningAnswer)
    answer = await screen_submitted(runtime, principal, previous.meta.submitted)
    changes = compare_screenings(previous, answer)
    return await store_screening(runtime, principal.organization_id, answer.model_copy(update={"changes": changes}), previous)
