"""A business about which everything is known, and what is left of it."""

import json
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from bonafide.model.accounts.account_settings import SettingsChange
from bonafide.model.accounts.organizations import Principal
from bonafide.model.accounts.retention import ErasureAccepted, ErasureRequest, RetentionKind
from bonafide.model.cases.requests import CaseNoteRequest
from bonafide.model.ownership.discrepancies import DiscrepancyRequest
from bonafide.model.verification.requests import VerifyRequest
from bonafide.runtime import Runtime
from bonafide.services.accounts.organizations import change_settings
from bonafide.services.cases.attachments import add_attachment
from bonafide.services.cases.handling import add_note
from bonafide.services.ownership.reviews import review_ownership
from bonafide.services.records.documents import add_document
from bonafide.services.records.uploads import UploadedDocument
from bonafide.services.retention.erasing import run_erasure
from bonafide.services.retention.erasure_requests import erase_business
from bonafide.services.retention.file_removal import REPEAT_AFTER, remove_files
from bonafide.services.verification.lifecycle import create_verification
from bonafide.services.verification.spec import VerificationRequester
from tests.support.services.business_records import sent
from tests.support.services.cases import ANN, list_all
from tests.support.services.runtimes import clock_of, search
from tests.support.services.sanctions_lists import screened
from tests.support.store.organization_rows import dump

PDF = b"%PDF-1.7 a scanned extract"
WORD, OTHER = "Quillwander", "Larkspur"
"""Words of the names of two businesses, which nothing else has."""
OTHER_NUMBER = "1000025"
"""The registration number of the second one."""
EVERY_KIND: dict[str, Any] = {kind.value: 30 for kind in RetentionKind}
"""A policy that deletes records of every kind after 30 days."""
REASON = ErasureRequest(reason="File 2026-118")


@dataclass(frozen=True)
class KnownBusiness:
    """A record with one of everything; `word` is in the names of all of it."""

    word: str
    id: UUID
    search_id: UUID
    verification_id: UUID
    screening_id: UUID
    case_id: UUID


async def fill(runtime: Runtime, principal: Principal, word: str, number: str = "1000017") -> KnownBusiness:
    """A business record in Ontario, checked in every way, with a case, files and notes."""
    organization_id = principal.organization_id
    record = await sent(
        runtime,
        organization_id,
        externalId=word,
        name=f"{word} Inc.",
        jurisdiction="ON",
        registrationNumber=number,
        people=[{"name": f"Ida {word}"}],
        isMonitored=True,
    )
    searched = await search(runtime, principal, name=f"{word} Inc.", businessId=str(record.id), sanctionsScreening=True)
    claim = {"businessId": str(record.id), "legalName": f"{word} Inc.", "jurisdiction": "ON", "registrationNumber": number}
    requester = VerificationRequester(identity=principal.identity, request_id="request-1")
    verified = await create_verification(runtime, principal, VerifyRequest.model_validate(claim), requester)
    answer = await screened(runtime, principal, f"{word} Inc.", businessId=str(record.id))
    await add_document(runtime, organization_id, record.id, UploadedDocument(f"{word}.pdf", PDF), ANN)
    found = {"kind": "extra_owner", "registry": {"name": f"Ida {word}"}, "reason": f"{word} said so."}
    review = DiscrepancyRequest.model_validate({"riskRating": "low", "discrepancy": found})
    await review_ownership(runtime, organization_id, record.id, review, ANN)
    (case,) = await list_all(runtime, organization_id, business_id=record.id)
    await add_note(runtime, organization_id, case.id, CaseNoteRequest(text=f"{word} was called."), ANN)
    await add_attachment(runtime, organization_id, case.id, UploadedDocument(f"{word}.pdf", PDF), ANN)
    for subject in (record.id, searched.meta.search_id):
        await runtime.files.put(organization_id, f"pdf/{subject}/{record.id}/{word.lower()}.pdf", PDF, "application/pdf")
    return KnownBusiness(word, record.id, searched.meta.search_id, verified.verification_id, answer.meta.screening_id, case.id)


async def erase(runtime: Runtime, organization_id: UUID, business: KnownBusiness) -> ErasureAccepted:
    """Erase a business, with both passes of the job."""
    accepted = await erase_business(runtime, organization_id, business.id, REASON, ANN)
    await finish_erasure(runtime, organization_id, accepted)
    return accepted


async def finish_erasure(runtime: Runtime, organization_id: UUID, accepted: ErasureAccepted) -> None:
    """Run the job of an erasure until it has finished."""
    while (again_at := await run_erasure(runtime, organization_id, accepted.erasure_id)) is not None:
        clock_of(runtime).now = again_at
    clock_of(runtime).now += REPEAT_AFTER
    await remove_files(runtime)


async def set_policy(runtime: Runtime, organization_id: UUID, *, hold: bool = False, **days: int | None) -> None:
    """Set the retention policy and the legal hold."""
    await change_settings(runtime, organization_id, SettingsChange.model_validate({"retention": days, "legalHold": hold}), ANN)


async def find_traces(runtime: Runtime, organization_id: UUID, *words: str) -> dict[str, list[str]]:
    """The rows and file names of an organization that contain one of the words, by table."""
    found = {}
    for table, rows in (await dump(runtime, organization_id)).items():
        texts = [json.dumps([_to_text(value) for value in row]) for row in rows]
        traces = [text for text in texts if any(word.lower() in text.lower() for word in words)]
        if traces:
            found[table] = traces
    return found


def _to_text(value: Any) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
