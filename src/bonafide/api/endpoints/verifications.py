"""Endpoints of verifications: create and poll.

Every endpoint parses, calls one service and renders. `services/verification` does the work.
"""

from dataclasses import dataclass
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, Request
from starlette.responses import Response

from bonafide.api.description.components import reference_parameter
from bonafide.api.description.operation import OperationResponse, OperationSpec, endpoint
from bonafide.api.endpoints.businesses import ErasureBody, build_author, describe_erasure
from bonafide.api.protocol.dependencies import Caller, PathId, ResponseLanguage, ServedRuntime, create_path_id_parser
from bonafide.api.protocol.idempotency import respond_once
from bonafide.api.protocol.request_body import create_body_parser
from bonafide.api.protocol.responses import create_document_response, create_written_response
from bonafide.errors import Conflict, NotFound
from bonafide.model.accounts.organizations import Scope
from bonafide.model.verification.acceptance import AcceptanceRequest, AcceptanceRevocation, VerificationDiscrepancyList
from bonafide.model.verification.requests import VerifyRequest
from bonafide.model.verification.results import VerificationFailed, VerificationPending, VerifyResponse
from bonafide.services.retention import erasure_requests
from bonafide.services.retention.erasure_requests import ErasableCheck
from bonafide.services.verification import acceptances, lifecycle
from bonafide.services.verification.spec import VerificationRequester
from bonafide.web.accept_language import PreferredLanguage
from bonafide.web.request_context import get_request_context

TAG = "Verifications"
router = APIRouter(prefix="/v1")


@dataclass(frozen=True, slots=True)
class VerificationFieldPath:
    """The verification and the field in the path of a decision about a discrepancy."""

    verification_id: UUID
    field: str


_parse_verification_id = create_path_id_parser("id")


async def _parse_discrepancy_path(request: Request) -> VerificationFieldPath:
    return VerificationFieldPath(await _parse_verification_id(request), str(request.path_params["field"]))


DiscrepancyPath = Annotated[VerificationFieldPath, Depends(_parse_discrepancy_path)]


@endpoint(
    router,
    "POST",
    ("/verify",),
    OperationSpec(
        operation_id="verifyBusiness",
        summary="Verify business data",
        tag=TAG,
        scope=Scope.VERIFY_WRITE,
        further_scopes={
            "businessId": Scope.BUSINESSES_READ,
            "businessExternalId": Scope.BUSINESSES_READ,
            "sanctionsScreening": Scope.SANCTIONS_WRITE,
        },
        body=VerifyRequest,
        body_example="verify_request",
        answers={
            200: OperationResponse("The result, based on a recent registry report", VerifyResponse, "verify_response"),
            202: OperationResponse(
                "A live registry lookup is required; poll `statusUrl`",
                VerificationPending,
                "verification_pending",
                headers=("Location",),
            ),
        },
        errors=(NotFound,),
    ),
)
async def verify_business(
    request: Request,
    runtime: ServedRuntime,
    caller: Caller,
    body: Annotated[VerifyRequest, Depends(create_body_parser(VerifyRequest))],
    language: ResponseLanguage,
) -> Response:
    """Compare customer-supplied business data with the registry's data, field by field.

    `legalName`, `jurisdiction` and `registrationNumber` are required unless `businessId` or `businessExternalId` is given. The
    response is 200 if a registry report at most `maxAge` hours old (24 by default) is available, or if the registry cannot be
    queried automatically and its loaded data is used. Otherwise the response is 202 and the registry is queried: poll `statusUrl`.
    Fields sent with a reference override the stored record for this request and never change it. With `sanctionsScreening`, the
    result also has `sanctions`, as that of a search. A verification that fails has no screening.
    """
    requester = VerificationRequester(
        identity=caller.identity, request_id=get_request_context(request.scope).request_id, language=language
    )

    def respond(reply: lifecycle.VerificationReply) -> Response:
        if not reply.pending:
            return create_document_response(reply.document, language)
        location = f"{router.prefix}/verify/{reply.verification_id}"
        return create_document_response(reply.document, language, 202, {"Location": location})

    return await respond_once(lifecycle.create_verification(runtime, caller, body, requester), respond)


@endpoint(
    router,
    "GET",
    ("/verify/{id}",),
    OperationSpec(
        operation_id="readVerification",
        summary="Poll a verification",
        tag=TAG,
        scope=Scope.VERIFY_READ,
        path_id="VerificationId",
        answers={
            200: OperationResponse(
                "The result; or the status while it is pending; or why it failed",
                VerifyResponse | VerificationPending | VerificationFailed,
                "verify_response",
                ("verification_pending", "verification_failed"),
            )
        },
        errors=(NotFound,),
    ),
)
async def read_verification(
    runtime: ServedRuntime, caller: Caller, verification_id: PathId, language: PreferredLanguage
) -> Response:
    """Return the stored result, or the status of an unfinished verification.

    While `pending` is true, keep polling: `status` is `pending` (queued), `processing`, or `waiting_for_registry` (the registry is
    slow or has limited our requests). `status` `failed` is final, and `error` explains the cause and what you can do. Every
    verification ends within its deadline. The ID is the `reportFetchId` or the result's `meta.verificationId`. Without a preferred
    language, the response is in the language in which the verification was requested.
    """
    written = await lifecycle.write_verification(runtime, caller.organization_id, verification_id, language)
    return create_written_response(written.body, written.language)


@endpoint(
    router,
    "GET",
    ("/verify/{id}/discrepancies",),
    OperationSpec(
        operation_id="listVerificationDiscrepancies",
        summary="List the discrepancies of a verification",
        tag=TAG,
        scope=Scope.VERIFY_READ,
        path_id="VerificationId",
        answers={
            200: OperationResponse(
                "Each discrepancy with the decisions about it", VerificationDiscrepancyList, "verification_discrepancies"
            )
        },
        errors=(NotFound, Conflict),
    ),
)
async def list_verification_discrepancies(
    runtime: ServedRuntime, caller: Caller, verification_id: PathId, language: ResponseLanguage
) -> Response:
    """List what differs between the claim and the register, and who has accepted which difference, and why."""
    listed = await acceptances.read_discrepancies(runtime, caller.organization_id, verification_id)
    return create_document_response(listed, language)


@endpoint(
    router,
    "POST",
    ("/verify/{id}/discrepancies/{field}/accept",),
    OperationSpec(
        operation_id="acceptDiscrepancy",
        summary="Accept a discrepancy of a verification",
        tag=TAG,
        scope=Scope.VERIFY_WRITE,
        path_id="VerificationId",
        parameters=(reference_parameter("DiscrepancyField"),),
        body=AcceptanceRequest,
        body_example="acceptance_request",
        answers={
            200: OperationResponse(
                "Each discrepancy with the decisions about it", VerificationDiscrepancyList, "verification_discrepancies"
            )
        },
        errors=(NotFound, Conflict),
    ),
)
async def accept_discrepancy(
    request: Request,
    runtime: ServedRuntime,
    caller: Caller,
    path: DiscrepancyPath,
    body: Annotated[AcceptanceRequest, Depends(create_body_parser(AcceptanceRequest))],
    language: ResponseLanguage,
) -> Response:
    """Accept a difference between the claim and the register, with a reason.

    The stored result is not changed: from now on it shows the decision in `acceptedDiscrepancies`, and so do the console and the
    PDF. While every discrepancy of the latest verification of a business record is accepted, `hasUnresolvedDiscrepancies` of the
    record is false. The reason is one that a decision to approve may have. `CONFLICT` means that the discrepancy is accepted
    already; the message says by whom.
    """
    author = build_author(request, caller)
    work = acceptances.accept_discrepancy(runtime, caller.organization_id, path.verification_id, path.field, body, author)
    return await respond_once(work, lambda listed: create_document_response(listed, language))


@endpoint(
    router,
    "POST",
    ("/verify/{id}/discrepancies/{field}/revoke",),
    OperationSpec(
        operation_id="revokeDiscrepancyAcceptance",
        summary="Revoke the acceptance of a discrepancy",
        tag=TAG,
        scope=Scope.VERIFY_WRITE,
        path_id="VerificationId",
        parameters=(reference_parameter("DiscrepancyField"),),
        body=AcceptanceRevocation,
        body_example="acceptance_revocation",
        answers={
            200: OperationResponse(
                "Each discrepancy with the decisions about it", VerificationDiscrepancyList, "verification_discrepancies"
            )
        },
        errors=(NotFound, Conflict),
    ),
)
async def revoke_discrepancy_acceptance(
    request: Request,
    runtime: ServedRuntime,
    caller: Caller,
    path: DiscrepancyPath,
    body: Annotated[AcceptanceRevocation, Depends(create_body_parser(AcceptanceRevocation))],
    language: ResponseLanguage,
) -> Response:
    """Take back the decision to accept a discrepancy, which is open again. The decision stays in its history."""
    author = build_author(request, caller)
    work = acceptances.revoke_acceptance(runtime, caller.organization_id, path.verification_id, path.field, body, author)
    return await respond_once(work, lambda listed: create_document_response(listed, language))


@endpoint(
    router, "POST", ("/verify/{id}/erase",), describe_erasure("eraseVerification", "Erase a verification", TAG, "VerificationId")
)
async def erase_verification(
    request: Request,
    runtime: ServedRuntime,
    caller: Caller,
    language: ResponseLanguage,
    verification_id: PathId,
    erasure: ErasureBody,
) -> Response:
    """Erase a verification with its result, its accepted discrepancies and its PDFs. This can't be undone.

    The verification is unknown at once. A worker then erases its events and the content of its entries in the audit log, which can
    still be verified. Examiner's packs that may contain it are deleted. The business reports that it used, its business record
    and cases are kept. `CONFLICT` means that a legal hold is in place, on the organization or on its business record.
    """
    check, author = (ErasableCheck.VERIFICATION, verification_id), build_author(request, caller)
    work = erasure_requests.erase_check(runtime, caller.organization_id, check, erasure, author)
    return await respond_once(work, lambda accepted: create_document_response(accepted, language, 202))
