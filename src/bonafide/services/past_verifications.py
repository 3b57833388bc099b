"""Verifications as people look at them: listed newest first, and one with where it stands.

Nothing is verified here, and what callers of the API read stands in `verification`.
"""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from bonafide.errors import NotFound
from bonafide.model.language import Language
from bonafide.model.search.result import Pagination
from bonafide.model.verification.results import (ResultStatus, Subject, VerificationState, VerifyResponse)
from bonafide.runtime import Runtime
from bonafide.services.verification import is_late
from bonafide.services.verification_order import Order, Verification
from bonafide.services.verification_outcome import reason_of_delay
from bonafide.services.verification_summary import in_language
from bonafide.store.records import verifications


@dataclass(frozen=True, slots=True)
class PastVerification:
    """One of the list: what was claimed, who asked, where it stands and, if it is completed, what it came to."""

    id: UUID
    subject: Subject
    asked_by: str
    asked_at: datetime
    state: VerificationState
    outcome: ResultStatus | None


@dataclass(frozen=True, slots=True)
class PastVerifications:
    """A page of the list."""

    verifications: tuple[PastVerification, ...]
    pagination: Pagination


@dataclass(frozen=True, slots=True)
class Standing:
    """One verification: its order, where it stands, why it waits or has failed, and its document where it has one."""

    verification: Verification
    state: VerificationState
    reason: str | None
    document: VerifyResponse | None


async def past_verifications(runtime: Runtime, organization_id: UUID, limit: int, offset: int) -> PastVerifications:
    """A page of the organization's verifications, newest first."""
    async with runtime.store.read_lagging() as connection:
        page = await verifications.list_page(connection, organization_id, limit, offset)
    has_more = offset + len(page.verifications) < page.total
    return PastVerifications(
        verifications=tuple(_listed(row, runtime.clock()) for row in page.verifications),
        pagination=Pagination(total=page.total, limit=limit, offset=offset, has_more=has_more),
    )


async def standing(runtime: Runtime, organization_id: UUID, verification_id: UUID, language: Language) -> Standing:
    """One verification, its summary in the language. Raises `NotFound`."""
    async with runtime.store.read() as connection:
        row = await verifications.get(connection, organization_id, verification_id)
        document = await verifications.get_document(connection, organization_id, verification_id)
    if row is None:
        raise NotFound("there is no verification with this id")
    verification = Verification.of(row)
    if document is not None:
        response = VerifyResponse.model_validate_json(in_language(document, language))
        return Standing(verification, row.state, None, response)
    if is_late(row, runtime.clock()):
        reason = reason_of_delay(runtime, verification, row.reason)
        return Standing(verification, VerificationState.FAILED, reason, None)
    return Standing(verification, row.state, row.reason, None)


def _listed(row: verifications.StoredVerification, now: datetime) -> PastVerification:
    order = Order.model_validate_json(row.request)
    state = VerificationState.FAILED if is_late(row, now) else row.state
    return PastVerification(row.id, order.subject, order.asked_by.identity, row.created_at, state, row.outcome)
