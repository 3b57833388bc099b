"""List the verifications of an organization, and read one with its state.

Nothing is verified here, and what callers of the API read stands in `verification`.
"""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from bonafide.errors import NotFound
from bonafide.model.language import Language
from bonafide.model.search.result import Pagination
from bonafide.model.verification.results import ResultStatus, Subject, VerificationState, VerifyResponse
from bonafide.runtime import Runtime
from bonafide.services.verification.completion import explain_timeout
from bonafide.services.verification.lifecycle import is_overdue
from bonafide.services.verification.spec import Verification, VerificationSpec
from bonafide.services.verification.summary import translate_summary
from bonafide.store.records import verifications


@dataclass(frozen=True, slots=True)
class VerificationListItem:
    """One of the list: what was claimed, who asked, where it stands and, if it is completed, what it came to."""

    id: UUID
    subject: Subject
    asked_by: str
    asked_at: datetime
    state: VerificationState
    outcome: ResultStatus | None


@dataclass(frozen=True, slots=True)
class VerificationListPage:
    """A page of the list."""

    verifications: tuple[VerificationListItem, ...]
    pagination: Pagination


@dataclass(frozen=True, slots=True)
class VerificationDetail:
    """One verification: its order, where it stands, why it waits or has failed, and its document where it has one."""

    verification: Verification
    state: VerificationState
    reason: str | None
    document: VerifyResponse | None


async def list_past_verifications(runtime: Runtime, organization_id: UUID, limit: int, offset: int) -> VerificationListPage:
    """A page of the organization's verifications, newest first."""
    async with runtime.store.read_lagging() as connection:
        page = await verifications.list_page(connection, organization_id, limit, offset)
    has_more = offset + len(page.verifications) < page.total
    return VerificationListPage(
        verifications=tuple(_to_list_item(row, runtime.clock()) for row in page.verifications),
        pagination=Pagination(total=page.total, limit=limit, offset=offset, has_more=has_more),
    )


async def read_verification_detail(
    runtime: Runtime, organization_id: UUID, verification_id: UUID, language: Language
) -> VerificationDetail:
    """One verification, its summary in the language. Raises `NotFound`."""
    async with runtime.store.read() as connection:
        row = await verifications.get(connection, organization_id, verification_id)
        document = await verifications.get_document(connection, organization_id, verification_id)
    if row is None:
        raise NotFound("there is no verification with this id")
    verification = Verification.from_row(row)
    if document is not None:
        response = VerifyResponse.model_validate_json(translate_summary(document, language))
        return VerificationDetail(verification, row.state, None, response)
    if is_overdue(row, runtime.clock()):
        reason = explain_timeout(runtime, verification, row.reason)
        return VerificationDetail(verification, VerificationState.FAILED, reason, None)
    return VerificationDetail(verification, row.state, row.reason, None)


def _to_list_item(row: verifications.StoredVerification, now: datetime) -> VerificationListItem:
    spec = VerificationSpec.model_validate_json(row.request)
    state = VerificationState.FAILED if is_overdue(row, now) else row.state
    return VerificationListItem(row.id, spec.subject, spec.asked_by.identity, row.created_at, state, row.outcome)
