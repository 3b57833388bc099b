"""Whether a hit of which a case has an item is dismissed now, according to the document that the item refers to.

A dismissal holds for a subject with exactly what was known of it. Two people of the same name are two subjects, so the name that an
event of a dismissal states does not suffice.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from uuid import UUID

from bonafide.errors import NotFound
from bonafide.i18n.message import Message
from bonafide.model.base import StoredDocument
from bonafide.model.cases.case import CaseItemContent
from bonafide.model.cases.policy import CaseItemKind
from bonafide.model.events.event import EventType
from bonafide.model.query import ScreeningSubject
from bonafide.model.search.match import SanctionsMatch, Screening
from bonafide.model.search.result import SearchResult
from bonafide.model.verification.results import VerifyResponse
from bonafide.runtime import Runtime
from bonafide.services.cases.causes import build_hit_cause
from bonafide.services.screening.dismissals import apply_dismissals_to_result
from bonafide.services.screening.history import open_screening
from bonafide.services.verification.lifecycle import read_verification
from bonafide.services.verification.sanctions import apply_current_dismissals
from bonafide.store.cases import case_parts, cases
from bonafide.store.records import events, open_hits, searches

UNKNOWN_ITEM = Message("We couldn’t find that item of the case.")


async def find_settled_hits(runtime: Runtime, organization_id: UUID, case_id: UUID) -> frozenset[UUID]:
    """The open items of the case whose hits are dismissed now, or that a later screening of the record no longer has open."""
    async with runtime.store.read() as connection:
        case = await cases.get(connection, organization_id, case_id)
        items = await case_parts.list_open_of_case(connection, organization_id, case_id)
        business_id = case.business_id if case is not None else None
        known = await open_hits.list_hits(connection, organization_id, business_id) if business_id is not None else []
        causing = await events.list_numbered(connection, organization_id, [item.sequence for item in items])
    # A screening while a hit was dismissed has removed it from the open hits.
    reopened = {row.sequence for row in causing if row.type is EventType.DISMISSAL_REVOKED}
    still_open = {build_hit_cause(hit.source, hit.entry_id, hit.screened) for hit in known}
    settled, screenings = set[UUID](), dict[str, Screening | None]()
    for item in items:
        if item.kind is not CaseItemKind.SANCTIONS_HIT:
            continue
        if business_id is not None and item.cause not in still_open and item.sequence not in reopened:
            settled.add(item.id)
            continue
        ref = StoredDocument.from_text(item.document).parse(CaseItemContent).ref
        if ref not in screenings:
            screenings[ref] = await _find_screening(runtime, organization_id, ref)
        if _find_state(ref, screenings[ref], item.cause) is HitState.DISMISSED:
            settled.add(item.id)
    return frozenset(settled)


@dataclass(frozen=True, slots=True)
class HitPlace:
    """Where a document has a hit: the subject that has it, None for the name that the document is about, and its place there."""

    ref: str
    subject_id: UUID | None
    number: int


async def find_hit(runtime: Runtime, organization_id: UUID, case_id: UUID, item_id: UUID) -> HitPlace | None:
    """Where the document of an item has the hit, one that is not dismissed if there is any; None if it has none.

    Raises `NotFound` for an item that the case doesn't have.
    """
    async with runtime.store.read() as connection:
        item = await case_parts.get_item(connection, organization_id, case_id, item_id)
    if item is None:
        raise NotFound(UNKNOWN_ITEM)
    ref = StoredDocument.from_text(item.document).parse(CaseItemContent).ref
    screening = await _find_screening(runtime, organization_id, ref)
    found = _list_hits(ref, screening, item.cause) if screening is not None else []
    return min(found, key=lambda one: one[0])[1] if found else None


class HitState(Enum):
    """What a document says of a hit now."""

    OPEN = "open"
    DISMISSED = "dismissed"
    UNKNOWN = "unknown"
    """The document does not exist, or does not have the hit."""


async def is_hit_dismissed(runtime: Runtime, organization_id: UUID, ref: str, cause: str) -> bool:
    """Whether the document at the path `ref` has the hit, dismissed wherever it has it. False if that can't be found out."""
    return await find_hit_state(runtime, organization_id, ref, cause) is HitState.DISMISSED


async def find_hit_state(runtime: Runtime, organization_id: UUID, ref: str, cause: str) -> HitState:
    """What the document at the path `ref` says of the hit with the dismissals that are active now."""
    return _find_state(ref, await _find_screening(runtime, organization_id, ref), cause)


def _find_state(ref: str, screening: Screening | None, cause: str) -> HitState:
    found = [is_dismissed for is_dismissed, _ in _list_hits(ref, screening, cause)] if screening is not None else []
    if not found:
        return HitState.UNKNOWN
    return HitState.DISMISSED if all(found) else HitState.OPEN


def _list_hits(ref: str, screening: Screening, cause: str) -> list[tuple[bool, HitPlace]]:
    """Whether each hit with the cause is dismissed, and where it is."""
    parts: list[tuple[UUID | None, str, Sequence[SanctionsMatch]]] = [(None, screening.query, screening.matches)]
    parts += [(subject.subject_id, subject.name, subject.matches) for subject in screening.subjects]
    return [
        (match.dismissed is not None, HitPlace(ref, subject_id, number))
        for subject_id, name, matches in parts
        for number, match in enumerate(matches)
        if build_hit_cause(match.source, match.entry_id, name) == cause
    ]


async def _find_screening(runtime: Runtime, organization_id: UUID, ref: str) -> Screening | None:
    """The screening of the document at the path `ref`; None if the document does not exist or has no screening."""
    try:
        return await _read_screening(runtime, organization_id, ref)
    except NotFound:
        return None


async def _read_screening(runtime: Runtime, organization_id: UUID, ref: str) -> Screening | None:
    """The screening of a standalone screening, a search or a verification, with the dismissals that are active now."""
    path, _, document_id = ref.rpartition("/")
    if path == "/v1/sanctions":
        return (await open_screening(runtime, organization_id, UUID(document_id))).screening
    if path == "/v1/search":
        return await _read_search_screening(runtime, organization_id, UUID(document_id))
    if path == "/v1/verify":
        found = await read_verification(runtime, organization_id, UUID(document_id))
        return await apply_current_dismissals(runtime, organization_id, found) if isinstance(found, VerifyResponse) else None
    return None


async def _read_search_screening(runtime: Runtime, organization_id: UUID, search_id: UUID) -> Screening | None:
    async with runtime.store.read() as connection:
        stored = await searches.get_document(connection, organization_id, search_id)
    if stored is None:
        return None
    result = stored.parse(SearchResult)
    subject = ScreeningSubject(result.meta.submitted.name or "")
    return (await apply_dismissals_to_result(runtime, organization_id, result, subject)).sanctions
