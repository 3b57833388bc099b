"""Rate business records again after a dismissal or a change of ownership, which no check reports (`RATING_JOB`).

The hits of the record's last screening are compared with the dismissals that are active now, and its ownership statements are read
again. Nothing is screened. A job that runs twice gives the same rating.
"""

from dataclasses import replace
from uuid import UUID

from bonafide.concurrency.executors import run_cpu_bound
from bonafide.errors import NotFound, ServerBusy
from bonafide.matching.risk.record_facts import SCREENING_PATHS, build_screening_facts
from bonafide.model.query import ScreeningSubject
from bonafide.model.records.business_record import Author, BusinessRecord, SystemFields
from bonafide.model.risk.facts import Facts, StoredFacts
from bonafide.model.screening.requests import ScreeningAnswer
from bonafide.model.search.match import Screening
from bonafide.model.search.result import SearchResult
from bonafide.model.verification.results import VerifyResponse
from bonafide.runtime import Runtime
from bonafide.services.events.recording import record_events
from bonafide.services.ownership.statements import load_ownership
from bonafide.services.records.business_records import find_record, lock_record
from bonafide.services.records.rating_queue import parse_rated_record, parse_selection_start, queue_rating, queue_selection
from bonafide.services.risk.active_rules import get_active_rules
from bonafide.services.risk.record_rating import CheckFacts, record_check
from bonafide.services.risk.result_rating import read_ownership_facts
from bonafide.services.screening.dismissals import apply_dismissals, apply_dismissals_to_result
from bonafide.store.records import screenings, searches, verifications
from bonafide.store.risk import risk_facts

BY_RATING = Author("system:rating")
"""The author of ratings that no check has made."""
MAX_ATTEMPTS = 5
RECORDS_OF_A_STEP = 200
"""Records whose facts a job reads before other jobs have their turn."""
_HIT_PATHS = ("sanctions.openHits", "sanctions.dismissedHits")


async def run_rating_job(runtime: Runtime, organization_id: UUID, key: str) -> None:
    """Do what a job of the kind `RATING_JOB` is for. Raises `ServerBusy` while the record is screened all the time."""
    business_id = parse_rated_record(key)
    if business_id is not None:
        await refresh_rating(runtime, organization_id, business_id)
    else:
        await _select_records(runtime, organization_id, parse_selection_start(key))


async def refresh_rating(runtime: Runtime, organization_id: UUID, business_id: UUID) -> None:
    """Rate a record again by its last screening and its ownership; nothing for one that was never rated, or is gone.

    Raises `ServerBusy` if the record is screened by others all the time.
    """
    for _ in range(MAX_ATTEMPTS):
        if await get_active_rules(runtime.store, organization_id) is None:
            return
        async with runtime.store.read() as connection:
            stored = await risk_facts.get_document(connection, organization_id, business_id)
        if stored is None:
            return
        try:
            record = await find_record(runtime, organization_id, business_id=business_id)
            checks = await _collect_facts(runtime, organization_id, record)
        except NotFound:
            return
        known = StoredFacts.model_validate_json(stored).by_path()
        if await _store_rating(runtime, organization_id, record, [_keep_dates(check, known) for check in checks]):
            return
    raise ServerBusy


async def _collect_facts(runtime: Runtime, organization_id: UUID, record: BusinessRecord) -> list[CheckFacts]:
    checks = []
    screening = await _find_last_screening(runtime, organization_id, record)
    if screening is not None and record.last_screened_at is not None:
        checks.append(CheckFacts(build_screening_facts(screening, record.last_screened_at.date()), SCREENING_PATHS))
    joined = (await load_ownership(runtime, organization_id, record.id)).joined
    with runtime.compute_for(organization_id):
        return [*checks, *await read_ownership_facts(joined, runtime.clock().date())]


async def _store_rating(runtime: Runtime, organization_id: UUID, seen: BusinessRecord, checks: list[CheckFacts]) -> bool:
    """Store the rating and its event, unless the record has been screened since its facts were collected."""
    async with runtime.store.write() as connection:
        try:
            current = await lock_record(connection, organization_id, seen.id)
        except NotFound:
            return True
        if current.last_screened_at != seen.last_screened_at:
            return False
        now = runtime.clock()
        _, rated = await record_check(connection, organization_id, seen.id, SystemFields(), checks, BY_RATING, now)
        await record_events(connection, organization_id, rated, now)
    return True


def _keep_dates(check: CheckFacts, known: Facts) -> CheckFacts:
    """The check with the known fact wherever its value is the same, so that a rating does not change by a date alone."""
    kept = {path: known[path] if path in known and known[path].value == fact.value else fact for path, fact in check.facts.items()}
    return replace(check, facts=kept)


async def _find_last_screening(runtime: Runtime, organization_id: UUID, record: BusinessRecord) -> Screening | None:
    """The last screening of a record with the dismissals that are active now, whichever kind of check it was part of."""
    async with runtime.store.read() as connection:
        screening_id = await screenings.get_newest_id(connection, organization_id, record.id)
        alone = await screenings.get_document(connection, organization_id, screening_id) if screening_id is not None else None
        last_search, last_verification = record.last_search_job_id, record.latest_verification_id
        searched = await searches.get_document(connection, organization_id, last_search) if last_search is not None else None
        verified = (
            await verifications.get_document(connection, organization_id, last_verification)
            if last_verification is not None
            else None
        )
    if alone is not None:
        answer = await run_cpu_bound(alone.parse, ScreeningAnswer)
        submitted = answer.meta.submitted
        if answer.meta.screened_at == record.last_screened_at:
            return await apply_dismissals(runtime, organization_id, answer.screening, submitted.subject(), record.id)
    if searched is not None:
        result = await run_cpu_bound(searched.parse, SearchResult)
        if result.meta.searched_at == record.last_screened_at:
            subject = ScreeningSubject(result.meta.submitted.name or "")
            return (await apply_dismissals_to_result(runtime, organization_id, result, subject)).sanctions
    if verified is not None:
        document = await run_cpu_bound(verified.parse, VerifyResponse)
        if document.meta.verified_at == record.last_screened_at and document.sanctions is not None:
            subject = ScreeningSubject(document.sanctions.query)
            return await apply_dismissals(runtime, organization_id, document.sanctions, subject, record.id)
    return None


async def _select_records(runtime: Runtime, organization_id: UUID, after: UUID | None) -> None:
    """Queue the rating of the next records with hits, and the selection of those after them."""
    async with runtime.store.read() as connection:
        rows = await risk_facts.list_documents_after(connection, organization_id, after, RECORDS_OF_A_STEP)
    with_hits = await run_cpu_bound(_select_with_hits, rows)
    async with runtime.store.write() as connection:
        now = runtime.clock()
        for business_id in with_hits:
            await queue_rating(connection, organization_id, business_id, now)
        if len(rows) == RECORDS_OF_A_STEP:
            await queue_selection(connection, organization_id, rows[-1][0], now)


def _select_with_hits(rows: list[tuple[UUID, str]]) -> list[UUID]:
    return [business_id for business_id, document in rows if _has_hits(StoredFacts.model_validate_json(document).by_path())]


def _has_hits(facts: Facts) -> bool:
    return any(path in facts and facts[path].value != 0 for path in _HIT_PATHS)
