"""Whether a hit of which a case has an item is dismissed now, according to the document that the item refers to.

A dismissal holds for a subject with exactly what was known of it. Two people of the same name are two subjects, so the name that an
event of a dismissal states does not suffice.
"""

from contextlib import suppress
from uuid import UUID

from bonafide.errors import NotFound
from bonafide.model.base import StoredDocument
from bonafide.model.cases.case import CaseItemContent
from bonafide.model.cases.policy import CaseItemKind
from bonafide.model.query import ScreeningSubject
from bonafide.model.search.match import Screening
from bonafide.model.search.result import SearchResult
from bonafide.model.verification.results import VerifyResponse
from bonafide.runtime import Runtime
from bonafide.services.cases.causes import build_hit_cause
from bonafide.services.screening.dismissals import apply_dismissals_to_result
from bonafide.services.screening.history import open_screening
from bonafide.services.verification.lifecycle import read_verification
from bonafide.services.verification.sanctions import apply_current_dismissals
from bonafide.store.cases import case_parts, cases
from bonafide.store.records import open_hits, searches


async def find_settled_hits(runtime: Runtime, organization_id: UUID, case_id: UUID) -> frozenset[UUID]:
    """The open items of the case whose hits are dismissed now, or that a later screening of the record no longer has open."""
    async with runtime.store.read() as connection:
        case = await cases.get(connection, organization_id, case_id)
        items = await case_parts.list_open_of_case(connection, organization_id, case_id)
        business_id = case.business_id if case is not None else None
        known = await open_hits.list_hits(connection, organization_id, business_id) if business_id is not None else []
    still_open = {build_hit_cause(hit.source, hit.entry_id, hit.screened) for hit in known}
    settled = set()
    for item in items:
        if item.kind is CaseItemKind.SANCTIONS_HIT:
            is_gone = business_id is not None and item.cause not in still_open
            ref = StoredDocument.from_text(item.document).parse(CaseItemContent).ref
            if is_gone or await is_hit_dismissed(runtime, organization_id, ref, item.cause):
                settled.add(item.id)
    return frozenset(settled)


async def is_hit_dismissed(runtime: Runtime, organization_id: UUID, ref: str, cause: str) -> bool:
    """Whether the document at the path `ref` has the hit, dismissed wherever it has it. False if that can't be found out."""
    screening = None
    with suppress(NotFound):
        screening = await _read_screening(runtime, organization_id, ref)
    if screening is None:
        return False
    parts = [(subject.name, subject.matches) for subject in screening.subjects]
    found = [
        match.dismissed
        for name, matches in (*parts, (screening.query, screening.matches))
        for match in matches
        if build_hit_cause(match.source, match.entry_id, name) == cause
    ]
    return bool(found) and all(dismissed is not None for dismissed in found)


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
