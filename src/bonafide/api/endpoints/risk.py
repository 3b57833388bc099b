"""Endpoints of risk rules: read, save a draft, replay a version on past results, activate it."""

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from pydantic import Field
from starlette.responses import Response

from bonafide.api.description.components import reference_parameter
from bonafide.api.description.operation import OperationResponse, OperationSpec, endpoint
from bonafide.api.endpoints.businesses import build_author
from bonafide.api.protocol.dependencies import Caller, ResponseLanguage, ServedRuntime
from bonafide.api.protocol.idempotency import respond_once
from bonafide.api.protocol.query_string import create_query_parser
from bonafide.api.protocol.request_body import create_body_parser
from bonafide.api.protocol.responses import create_document_response
from bonafide.errors import Conflict, NotFound, ValidationFailed
from bonafide.i18n.message import Message
from bonafide.model.accounts.organizations import Scope
from bonafide.model.base import Document
from bonafide.model.risk.replay import RiskReplay, RiskReplayRequest
from bonafide.model.risk.rules import MAX_VERSION, RiskRulesAnswer, RiskRulesInput
from bonafide.services.risk import replay, rule_versions

TAG = "Risk"
PATH = "/risk/rules"
VERSION = "version"
router = APIRouter(prefix="/v1")


class RiskRulesQuery(Document):
    """Which version to read."""

    version: Annotated[
        int | None,
        Field(
            ge=0,
            le=MAX_VERSION,
            description="Version to return; 0 is the built-in one. Without it: the draft, else the active version, else 0.",
            examples=[3],
        ),
    ] = None


async def _parse_version(request: Request) -> int:
    text = request.path_params[VERSION]
    if not (text.isascii() and text.isdigit() and len(text) <= len(str(MAX_VERSION)) and int(text) <= MAX_VERSION):
        raise ValidationFailed.of_field(VERSION, Message("must be the number of a version"))
    return int(text)


PathVersion = Annotated[int, Depends(_parse_version)]


@endpoint(
    router,
    "GET",
    (PATH,),
    OperationSpec(
        operation_id="readRiskRules",
        summary="Get the risk rules",
        tag=TAG,
        scope=Scope.RISK_READ,
        query=RiskRulesQuery,
        answers={200: OperationResponse("The rules, all versions and the facts", RiskRulesAnswer, "risk_rules")},
        errors=(NotFound,),
    ),
)
async def read_risk_rules(
    runtime: ServedRuntime,
    caller: Caller,
    language: ResponseLanguage,
    query: Annotated[RiskRulesQuery, Depends(create_query_parser(RiskRulesQuery))],
) -> Response:
    """Return a version of the rules, the list of versions, and the facts that rules may read.

    Version 0 is built in, as a starting point for rules of your own. It is not advice, and no rules are in use until a version has
    been activated.
    """
    return create_document_response(await rule_versions.read_rules(runtime, caller.organization_id, query.version), language)


@endpoint(
    router,
    "PUT",
    (PATH,),
    OperationSpec(
        operation_id="saveRiskRules",
        summary="Save the draft of the risk rules",
        tag=TAG,
        scope=Scope.RISK_WRITE,
        body=RiskRulesInput,
        body_example="risk_rules_input",
        answers={200: OperationResponse("The draft", RiskRulesAnswer, "risk_rules")},
    ),
)
async def save_risk_rules(
    request: Request,
    runtime: ServedRuntime,
    caller: Caller,
    language: ResponseLanguage,
    sent: Annotated[RiskRulesInput, Depends(create_body_parser(RiskRulesInput))],
) -> Response:
    """Save all rules and bands as the draft, in place of the earlier draft. Versions that have been active never change.

    `when` is a condition in the Common Expression Language (CEL) over the facts that `GET /v1/risk/rules` lists. A condition that
    names an unknown fact, compares different types or is not true or false is rejected. A fact that is not known makes a condition
    unknown, unless the other facts decide it; the rule then gives `unknownPoints`, and is listed in `unknown` of the rating.
    """
    work = rule_versions.save_draft(runtime, caller.organization_id, sent, build_author(request, caller))
    return create_document_response(await work, language)


@endpoint(
    router,
    "POST",
    (f"{PATH}/{{{VERSION}}}/replay",),
    OperationSpec(
        operation_id="replayRiskRules",
        summary="Replay risk rules on past searches",
        tag=TAG,
        scope=Scope.RISK_READ,
        further_scopes={VERSION: Scope.SEARCH_READ},
        parameters=(reference_parameter("RiskRulesVersion"),),
        body=RiskReplayRequest,
        body_example="risk_replay_request",
        answers={200: OperationResponse("Numbers of results by band, before and after", RiskReplay, "risk_replay")},
        errors=(NotFound,),
    ),
)
async def replay_risk_rules(
    runtime: ServedRuntime,
    caller: Caller,
    language: ResponseLanguage,
    version: PathVersion,
    sent: Annotated[RiskReplayRequest, Depends(create_body_parser(RiskReplayRequest))],
) -> Response:
    """Rate the newest searches (up to 200) by a version and by the active one, without changing anything.

    Ratings of records have facts of their other checks too, so the band of a record can differ from that of its search.
    """
    caller.check_scope(Scope.SEARCH_READ, VERSION)
    return create_document_response(await replay.replay_rules(runtime, caller.organization_id, version, sent.since), language)


@endpoint(
    router,
    "POST",
    (f"{PATH}/{{{VERSION}}}/activate",),
    OperationSpec(
        operation_id="activateRiskRules",
        summary="Activate a version of the risk rules",
        tag=TAG,
        scope=Scope.RISK_WRITE,
        parameters=(reference_parameter("RiskRulesVersion"),),
        answers={200: OperationResponse("The active rules", RiskRulesAnswer, "risk_rules_active")},
        errors=(NotFound, Conflict),
    ),
)
async def activate_risk_rules(
    request: Request, runtime: ServedRuntime, caller: Caller, language: ResponseLanguage, version: PathVersion
) -> Response:
    """Activate a version and retire the active one. A retired version can be activated again; version 0 becomes a new version.

    New results are rated by it, and a business record with its next search, screening or verification. Stored results keep their
    rating.
    """
    work = rule_versions.activate(runtime, caller.organization_id, version, build_author(request, caller))
    return await respond_once(work, lambda rules: create_document_response(rules, language))
