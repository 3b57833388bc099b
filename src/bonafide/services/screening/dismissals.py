"""Dismiss hits of screenings for an organization, apply dismissals to later screenings, and revoke them.

A dismissed hit stays in the result. It is open again if its dismissal is revoked or expires, or if the listed party or the subject
changes. Every decision is recorded in the audit log.
"""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from uuid import UUID, uuid4

from bonafide.errors import NotFound, ServerBusy, StaleWrite, ValidationFailed
from bonafide.i18n.message import Message
from bonafide.matching.names.normalization import NormalName
from bonafide.matching.screening.dismissal_keys import build_subject_key
from bonafide.model.accounts.organizations import Principal, Scope, World
from bonafide.model.base import StoredDocument, format_instant
from bonafide.model.entry import SourceKind
from bonafide.model.query import ScreeningSubject
from bonafide.model.records.business_record import AuditPage, Author, BusinessRecord, FeedPosition, FieldChange
from bonafide.model.screening.dismissals import (
    Dismissal,
    DismissalPage,
    DismissalRecord,
    DismissalRequest,
    DismissalStatus,
    ListedParty,
    Revocation,
)
from bonafide.model.search.match import SanctionsMatch, ScreenedSubject, Screening
from bonafide.model.search.result import Pagination, SearchResult
from bonafide.runtime import Runtime
from bonafide.services.events.recording import record_events
from bonafide.services.records.business_records import load_record
from bonafide.services.records.change_feed import decode_cursor, encode_cursor
from bonafide.services.records.rating_queue import queue_ratings_of_dismissal
from bonafide.services.results.document_parts import Dismissals
from bonafide.services.screening.hit_events import build_dismissal_event, build_revocation_event
from bonafide.services.screening.subject_screening import screen_subject
from bonafide.store.database.engine import Connection
from bonafide.store.records import dismissals
from bonafide.store.records.dismissals import DismissalFilter, DismissedParty, NewDismissal
from bonafide.store.tenants import audit_log
from bonafide.store.tenants.audit_log import AuditLogState
from bonafide.store.work.pending_key import complete_key

MIN_THRESHOLD = 0.7
"""The lowest threshold of a screening: parties that score less are never hits."""
REPLACED = Message("replaced by a later dismissal")
UNKNOWN_HIT = Message("The subject has no such hit. Screen it again, and send the `source` and the `entryId` of a match.")


# ------------------------------------------------------------------------------------------------------------- showing


async def load_dismissals(
    runtime: Runtime,
    organization_id: UUID,
    subject: ScreeningSubject,
    business_id: UUID | None = None,
    known: NormalName | None = None,
) -> Dismissals:
    """The active dismissals of a subject's hits. `business_id` is the stored record that was screened, if any.

    `known` is the normal form of the subject's name, if the caller has it.
    """
    key, now = build_subject_key(subject, known), runtime.clock()
    async with runtime.store.read() as connection:
        documents = await dismissals.list_for_subject(connection, organization_id, key, business_id, now)
    # The documents are newest first; the newest dismissal of a party takes precedence.
    records = map(_parse_record, reversed(documents))
    return {(record.hit.source, record.hit.entry_id, record.hit.digest): record.note() for record in records}


async def apply_dismissals(
    runtime: Runtime,
    organization_id: UUID,
    screening: Screening,
    subject: ScreeningSubject,
    business_id: UUID | None = None,
) -> Screening:
    """The screening of a subject with the dismissals of all hits that are active now, instead of those when it was built.

    `business_id` is the stored record, if any.
    """
    if screening.matches:
        held = await load_dismissals(runtime, organization_id, subject, business_id)
        matches = tuple(_mark_match(match, held) for match in screening.matches)
        screening = screening.model_copy(update={"matches": matches}).with_open_hits()
    return await apply_dismissals_to_subjects(runtime, organization_id, screening, business_id)


async def apply_dismissals_to_result(
    runtime: Runtime, organization_id: UUID, document: SearchResult, subject: ScreeningSubject
) -> SearchResult:
    """A stored result with the dismissals that are active now, instead of those when it was built."""
    screening, business_id = document.sanctions, document.meta.submitted.business_id
    if screening is None:
        return document
    screening = await apply_dismissals(runtime, organization_id, screening, subject, business_id)
    return document.model_copy(update={"sanctions": screening})


async def apply_dismissals_to_subjects(
    runtime: Runtime, organization_id: UUID, screening: Screening, business_id: UUID | None
) -> Screening:
    """The screening with the active dismissals of the hits of its further subjects."""
    if not screening.subjects:
        return screening
    subjects = await mark_dismissed_subjects(runtime, organization_id, screening.subjects, business_id)
    return screening.model_copy(update={"subjects": subjects}).with_open_hits()


async def mark_dismissed_subjects(
    runtime: Runtime, organization_id: UUID, subjects: Iterable[ScreenedSubject], business_id: UUID | None
) -> tuple[ScreenedSubject, ...]:
    """The subjects with the active dismissals of their hits."""
    marked = []
    for subject in subjects:
        if subject.matches:
            held = await load_dismissals(runtime, organization_id, subject.to_subject(), business_id)
            matches = tuple(_mark_match(match, held) for match in subject.matches)
            marked.append(subject.model_copy(update={"matches": matches}))
        else:
            marked.append(subject)
    return tuple(marked)


def _mark_match(match: SanctionsMatch, held: Dismissals) -> SanctionsMatch:
    """The match with its dismissal, or open without one. A party that has changed since is not dismissed."""
    dismissed = held.get((match.source, match.entry_id, match.digest))
    return match.model_copy(update={"dismissed": dismissed}) if dismissed != match.dismissed else match


# ------------------------------------------------------------------------------------------------------------ deciding


async def dismiss(runtime: Runtime, principal: Principal, request: DismissalRequest, author: Author) -> Dismissal:
    """Dismiss a hit as not being the subject. It replaces an earlier dismissal of the hit; an identical active one is returned.

    Raises `NotFound` for an unknown hit or business, `StaleWrite` if the listed party has changed since the caller read it,
    `ServerBusy` if the list can't be screened now, `ValidationFailed` if `until` has passed, and `ScopeMissing` for a business
    without the scope to read it.
    """
    if request.business_id is not None:
        principal.check_scope(Scope.BUSINESSES_READ, "businessId")
    if request.until is not None and request.until <= runtime.clock():
        raise ValidationFailed.of_field("until", Message("must be in the future"))
    record = DismissalRecord(
        id=uuid4(),
        subject=request.subject,
        hit=await _find_listed_party(runtime, principal.world, request),
        business_id=request.business_id,
        reason=request.reason,
        until=request.until,
        dismissed_by=author.actor,
        dismissed_at=runtime.clock(),
    )
    async with runtime.store.write() as connection:
        dismissal = _to_dismissal(runtime, await _store_dismissal(runtime, connection, principal.organization_id, record, author))
        await complete_key(connection, dismissal)
    return dismissal


async def _store_dismissal(
    runtime: Runtime, connection: Connection, organization_id: UUID, record: DismissalRecord, author: Author
) -> DismissalRecord:
    """Store a new dismissal in place of earlier ones of the same hit; return an identical active one instead.

    Raises `NotFound` for an unknown business.
    """
    hit, business_id = record.hit, record.business_id
    party = DismissedParty(build_subject_key(record.subject.subject()), hit.source, hit.entry_id, business_id)
    ledger = await audit_log.lock_head(connection, organization_id)
    business = await load_record(connection, organization_id, business_id, None) if business_id is not None else None
    earlier_ones = [_parse_record(document) for document in await dismissals.list_for_party(connection, organization_id, party)]
    for earlier in earlier_ones:
        if earlier.status_at(record.dismissed_at) is DismissalStatus.ACTIVE and _is_same_decision(earlier, record):
            return earlier
    for earlier in earlier_ones:
        ledger, _ = await _revoke(runtime, connection, organization_id, ledger, (earlier, author, REPLACED))
    at = ledger.next_instant(runtime.clock())
    kept = record.model_copy(update={"dismissed_at": at})
    text = dismissals.build_search_text(kept.subject.name, hit.name)
    new = NewDismissal(kept.id, party, at, kept.until, kept.to_stored().to_text(), kept.dismissed_by, text)
    await dismissals.add(connection, organization_id, new)
    change = FieldChange("dismissal", None, kept.model_dump(mode="json", by_alias=True))
    await audit_log.record_change(connection, organization_id, ledger, audit_log.AuditChange(kept.id, at, author, [change]))
    await record_events(connection, organization_id, [build_dismissal_event(kept, business)], at)
    await queue_ratings_of_dismissal(connection, organization_id, business_id, at)
    return kept


def _is_same_decision(one: DismissalRecord, other: DismissalRecord) -> bool:
    """Whether two dismissals of one party for one subject have the same listing, reason and end."""
    if (one.hit.digest, one.reason, one.until is None) != (other.hit.digest, other.reason, other.until is None):
        return False
    return one.until is None or other.until is None or format_instant(one.until) == format_instant(other.until)


async def _find_listed_party(runtime: Runtime, world: World, request: DismissalRequest) -> ListedParty:
    """The listed party as it is now, found again by screening the subject."""
    wanted = request.hit
    source = runtime.sources.get(wanted.source)
    if source is None or source.metadata.kind is not SourceKind.SANCTIONS:
        raise NotFound(UNKNOWN_HIT)
    found = await screen_subject(runtime, world, request.subject.subject(), MIN_THRESHOLD, [source])
    match = next((match for match in found.screening.matches if match.entry_id == wanted.entry_id), None)
    if match is None and found.error is not None:
        # A list that failed may have the hit, one without data has none.
        has_failed = any(result.error is not None and result.error.is_retryable for result in found.results)
        raise ServerBusy(found.error.message) if has_failed else NotFound(found.error.message)
    if match is None:
        raise NotFound(UNKNOWN_HIT)
    if match.digest != wanted.digest:
        raise StaleWrite(Message("The listed party has changed. Screen the subject again."))
    name = match.legal_name
    return ListedParty(
        source=wanted.source,
        entry_id=wanted.entry_id,
        digest=wanted.digest,
        name=name.name,
        matched_name=name.matched_name,
        score=name.match_score,
        entity_type=match.entity_type,
    )


async def revoke(runtime: Runtime, organization_id: UUID, dismissal_id: UUID, reason: str | None, author: Author) -> Dismissal:
    """Revoke a dismissal, so that its hit is open again. A revoked dismissal is unchanged. Raises `NotFound`."""
    async with runtime.store.write() as connection:
        ledger = await audit_log.lock_head(connection, organization_id)
        record = await _get_record(connection, organization_id, dismissal_id)
        if record.revoked is None:
            given = Message.untranslated(reason) if reason is not None else None
            _, record = await _revoke(runtime, connection, organization_id, ledger, (record, author, given))
            business = await _find_business(connection, organization_id, record)
            await record_events(
                connection, organization_id, [build_revocation_event(record, business, author.actor)], runtime.clock()
            )
    return _to_dismissal(runtime, record)


async def _find_business(connection: Connection, organization_id: UUID, record: DismissalRecord) -> BusinessRecord | None:
    """The business record to which a dismissal is limited; None without one, and for one that no longer exists."""
    with suppress(NotFound):
        return await load_record(connection, organization_id, record.business_id, None) if record.business_id is not None else None
    return None


async def _revoke(
    runtime: Runtime,
    connection: Connection,
    organization_id: UUID,
    ledger: AuditLogState,
    decision: tuple[DismissalRecord, Author, Message | None],
) -> tuple[AuditLogState, DismissalRecord]:
    record, author, reason = decision
    at = ledger.next_instant(runtime.clock())
    revocation = Revocation(by=author.actor, at=at, reason=reason)
    ended = record.model_copy(update={"revoked": revocation})
    await dismissals.revoke(connection, organization_id, record.id, ended.to_stored().to_text(), at)
    await queue_ratings_of_dismissal(connection, organization_id, record.business_id, at)
    change = FieldChange("revoked", None, revocation.model_dump(mode="json", by_alias=True))
    return await audit_log.record_change(
        connection, organization_id, ledger, audit_log.AuditChange(record.id, at, author, [change])
    ), ended


# ------------------------------------------------------------------------------------------------------------- reading


async def list_dismissals(
    runtime: Runtime, organization_id: UUID, chosen: DismissalFilter, limit: int, offset: int
) -> DismissalPage:
    """A page of the organization's dismissals, newest first."""
    async with runtime.store.read_lagging() as connection:
        documents, total = await dismissals.list_page(connection, organization_id, chosen, limit, offset)
    pagination = Pagination(total=total, limit=limit, offset=offset, has_more=offset + len(documents) < total)
    return DismissalPage(dismissals=tuple(_to_dismissals(runtime, documents)), pagination=pagination)


@dataclass(frozen=True, slots=True)
class DismissalListPage:
    """A page of dismissals, newest first, and the cursor of the next page, if there is one."""

    dismissals: tuple[Dismissal, ...]
    older: str | None


async def list_newest_dismissals(
    runtime: Runtime, organization_id: UUID, chosen: DismissalFilter, limit: int, cursor: str | None
) -> DismissalListPage:
    """A page of the organization's dismissals by cursor; they are not counted. Raises `ValidationFailed` for an invalid cursor."""
    place = decode_cursor(cursor) if cursor is not None else None
    async with runtime.store.read_lagging() as connection:
        documents = await dismissals.list_older(connection, organization_id, chosen, limit + 1, place)
    found = tuple(_to_dismissals(runtime, documents[:limit]))
    older = encode_cursor(FeedPosition(found[-1].dismissed_at, found[-1].id)) if len(documents) > limit else None
    return DismissalListPage(found, older)


async def read_dismissal(runtime: Runtime, organization_id: UUID, dismissal_id: UUID) -> Dismissal:
    """One dismissal, revoked or not. Raises `NotFound`."""
    async with runtime.store.read() as connection:
        return _to_dismissal(runtime, await _get_record(connection, organization_id, dismissal_id))


async def read_dismissal_audit_log(
    runtime: Runtime, organization_id: UUID, dismissal_id: UUID, limit: int, offset: int
) -> AuditPage:
    """The changes of a dismissal, oldest first. Raises `NotFound`."""
    async with runtime.store.read() as connection:
        await _get_record(connection, organization_id, dismissal_id)
        return await audit_log.list_for_subject(connection, organization_id, dismissal_id, limit, offset)


async def _get_record(connection: Connection, organization_id: UUID, dismissal_id: UUID) -> DismissalRecord:
    document = await dismissals.get(connection, organization_id, dismissal_id)
    if document is None:
        raise NotFound(Message("We couldn’t find that dismissal."))
    return _parse_record(document)


def _parse_record(document: str) -> DismissalRecord:
    return StoredDocument.from_text(document).parse(DismissalRecord)


def _to_dismissals(runtime: Runtime, documents: Iterable[str]) -> Iterable[Dismissal]:
    return (_to_dismissal(runtime, _parse_record(document)) for document in documents)


def _to_dismissal(runtime: Runtime, record: DismissalRecord) -> Dismissal:
    return Dismissal(**dict(record), status=record.status_at(runtime.clock()))
