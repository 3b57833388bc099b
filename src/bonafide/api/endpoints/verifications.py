"""Endpoints of verifications: create and poll.

Every endpoint parses, calls one service and renders. `services/verification` does the work.
"""

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from starlette.responses import Response

from bonafide.api.description.components import reference_parameter
from bonafide.api.description.operation import OperationResponse, OperationSpec, endpoint
from bonafide.api.protocol.dependencies import Caller, PathId, ServedRuntime
from bonafide.api.protocol.request_body import create_body_parser
from bonafide.api.protocol.responses import create_document_response, create_json_response
from bonafide.errors import NotFound
from bonafide.i18n.language import Language
from bonafide.model.accounts.organizations import Scope
from bonafide.model.verification.requests import VerifyRequest
from bonafide.model.verification.results import VerificationFailed, VerificationPending, VerifyResponse
from bonafide.services.verification import lifecycle
from bonafide.services.verification.spec import VerificationRequester
from bonafide.web.accept_language import PreferredLanguage
from bonafide.web.request_context import get_request_context

TAG = "Verifications"
VERIFICATION_BODY_RULE = {
    "anyOf": [
        {"required": fields, "properties": {field: {"type": "string"} for field in fields}}
        for fields in (["legalName", "jurisdiction", "registrationNumber"], ["businessId"], ["businessExternalId"])
    ]
}
router = APIRouter(prefix="/v1")


@endpoint(
    router,
    "POST",
    ("/verify",),
    OperationSpec(
        operation_id="verifyBusiness",
        summary="Verify business data",
        tag=TAG,
        scope=Scope.VERIFY_WRITE,
        body=VerifyRequest,
        body_example="verify_request",
        body_rule=VERIFICATION_BODY_RULE,
        parameters=(reference_parameter("Accept-Language"),),
        answers={
            200: OperationResponse("The result, from a recent report of the register", VerifyResponse, "verify_response"),
            202: OperationResponse(
                "The register has to be asked", VerificationPending, "verification_pending", headers=("Location",)
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
    language: PreferredLanguage,
) -> Response:
    """Compare what you were told of a business with what its register states, field by field.

    With a report that is not older than `maxAge` hours (24 by default), or with the register's newest loaded data where no program
    may ask it, the answer is 200. Otherwise it is 202 and the register is asked: poll `statusUrl`. Fields sent with a reference
    count more than the record's, and never change it.
    """
    asker = VerificationRequester(
        identity=caller.identity,
        request_id=get_request_context(request.scope).request_id,
        language=language if language is not None else Language.ENGLISH,
    )
    answer = await lifecycle.create_verification(runtime, caller, body, asker)
    if not answer.pending:
        return create_document_response(answer.document)
    return create_json_response(answer.document.to_json(), 202, {"Location": f"{router.prefix}/verify/{answer.verification_id}"})


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
        parameters=(reference_parameter("Accept-Language"),),
        answers={
            200: OperationResponse(
                "The result, or where the verification stands, or why it failed",
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
    """The stored result, its summary in the preferred language; before that, where the verification stands.

    While `pending` is true, keep polling: `status` is `pending` (queued), `processing`, or `waiting_for_registry` (the register is
    slow, or has asked us to wait). With `status` `failed` there will be no result, and `error` says why and what can be done. Every
    verification ends within its deadline. The id is the `reportFetchId` or the result's `meta.verificationId`.
    """
    return create_document_response(await lifecycle.read_verification(runtime, caller.organization_id, verification_id, language))
