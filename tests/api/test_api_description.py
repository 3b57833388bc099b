import json
from pathlib import Path
from typing import Any

import httpx2
import jsonschema_rs
import pytest

from bonafide.api.description.components import describe_query_parameters, load_examples
from bonafide.api.description.property_details import list_object_names
from bonafide.api.endpoints.searches import HistoryQuery
from bonafide.api.openapi import render_openapi_json
from bonafide.model.accounts.account_settings import AccountSettings, SettingsChange
from bonafide.model.accounts.retention import ErasureAccepted, ErasureRequest, LegalHold, LegalHoldChange
from bonafide.model.base import Document
from bonafide.model.batches.batch import Batch, BatchChange, BatchErrorPage, BatchPage, BatchRequest
from bonafide.model.cases.case import Case, CaseAttachment, CaseItemPage, CaseNote, CasePage
from bonafide.model.cases.requests import CaseChange, CaseDecisionRequest, CaseNoteRequest
from bonafide.model.events.alerts import AlertAcknowledgement, AlertAcknowledgementRequest
from bonafide.model.events.event import Event, EventPage
from bonafide.model.events.event_types import EventTypeList
from bonafide.model.manual_checks.manual_check import ManualCheck, ManualCheckAttachment, ManualCheckPage
from bonafide.model.manual_checks.requests import ManualCheckCancellation, ManualCheckRequest, ManualCheckResultRequest
from bonafide.model.monitoring.evaluations import MonitoringOverview, RecordMonitoringAnswer
from bonafide.model.ownership.answer import OwnershipAnswer
from bonafide.model.ownership.discrepancies import (
    Discrepancy,
    DiscrepancyChange,
    DiscrepancyPage,
    DiscrepancyRequest,
    OwnershipReview,
    ReviewOutcome,
)
from bonafide.model.ownership.statement import OwnershipStatement
from bonafide.model.packs.pack import Pack, PackItem, PackPage, PackRequest
from bonafide.model.pdf_documents import PdfDocument, PdfRequest
from bonafide.model.query import SearchRequest
from bonafide.model.records.business_input import BusinessUpsert
from bonafide.model.records.business_record import AuditPage, BusinessAnswer, BusinessPage
from bonafide.model.records.connections import BusinessConnections
from bonafide.model.records.documents import BusinessDocument, BusinessDocumentList, DocumentUpload
from bonafide.model.records.timeline import TimelinePage
from bonafide.model.risk.replay import RiskReplay, RiskReplayRequest
from bonafide.model.risk.rules import RiskRulesAnswer, RiskRulesInput
from bonafide.model.screening.dismissals import Dismissal, DismissalPage, DismissalRequest
from bonafide.model.screening.history import ScreeningPage
from bonafide.model.screening.requests import ScreeningAnswer, ScreeningRequest
from bonafide.model.search.result import HistoryItem, Prefill, SearchHistory, SearchResult
from bonafide.model.search.selection import MatchChoice, MatchSelectionOutcome, SearchUpdate
from bonafide.model.verification.acceptance import AcceptanceRequest, AcceptanceRevocation, VerificationDiscrepancyList
from bonafide.model.verification.registry_report import RegistryReport, ReportRequest
from bonafide.model.verification.requests import VerifyRequest
from bonafide.model.verification.results import VerificationFailed, VerificationPending, VerifyResponse
from bonafide.model.webhooks import (
    CreatedWebhookEndpoint,
    DeliveryPage,
    NewWebhookEndpoint,
    ReplayRequest,
    ReplayResult,
    RotatedSecret,
    SecretRotation,
    SentTestEvent,
    WebhookEndpoint,
    WebhookEndpointChange,
    WebhookEndpointList,
)
from bonafide.services.catalog.coverage import CoverageOverview
from tests.support.api.generated_description import generated_description

COMMITTED = Path(__file__).parents[2] / "docs" / "openapi.json"
MODELS: dict[str, type[Document]] = {
    "account_settings": AccountSettings,
    "audit_page": AuditPage,
    "business": BusinessAnswer,
    "business_page": BusinessPage,
    "business_upsert": BusinessUpsert,
    "coverage": CoverageOverview,
    "dismissal": Dismissal,
    "dismissal_page": DismissalPage,
    "screening_page": ScreeningPage,
    "dismissal_request": DismissalRequest,
    "history_item": HistoryItem,
    "match_choice": MatchChoice,
    "match_selection": MatchSelectionOutcome,
    "connections": BusinessConnections,
    "ownership": OwnershipAnswer,
    "ownership_statement": OwnershipStatement,
    "acceptance_request": AcceptanceRequest,
    "acceptance_revocation": AcceptanceRevocation,
    "manual_check": ManualCheck,
    "manual_check_attachment": ManualCheckAttachment,
    "manual_check_cancellation": ManualCheckCancellation,
    "manual_check_cancelled": ManualCheck,
    "manual_check_done": ManualCheck,
    "manual_check_page": ManualCheckPage,
    "manual_check_request": ManualCheckRequest,
    "manual_check_result_request": ManualCheckResultRequest,
    "verification_discrepancies": VerificationDiscrepancyList,
    "case": Case,
    "case_attachment": CaseAttachment,
    "case_change": CaseChange,
    "case_decided": Case,
    "case_decision_request": CaseDecisionRequest,
    "case_note": CaseNote,
    "case_note_request": CaseNoteRequest,
    "erasure_accepted": ErasureAccepted,
    "erasure_request": ErasureRequest,
    "legal_hold": LegalHold,
    "legal_hold_change": LegalHoldChange,
    "case_page": CasePage,
    "case_item_page": CaseItemPage,
    "timeline_page": TimelinePage,
    "discrepancy": Discrepancy,
    "discrepancy_change": DiscrepancyChange,
    "discrepancy_page": DiscrepancyPage,
    "discrepancy_request": DiscrepancyRequest,
    "event": Event,
    "acknowledgement": AlertAcknowledgement,
    "acknowledgement_request": AlertAcknowledgementRequest,
    "event_page": EventPage,
    "event_types": EventTypeList,
    "document": BusinessDocument,
    "document_list": BusinessDocumentList,
    "document_upload": DocumentUpload,
    "ownership_review": OwnershipReview,
    "review_outcome": ReviewOutcome,
    "batch": Batch,
    "batch_change": BatchChange,
    "batch_error_page": BatchErrorPage,
    "batch_page": BatchPage,
    "batch_queued": Batch,
    "batch_request": BatchRequest,
    "pack": Pack,
    "pack_page": PackPage,
    "pack_queued": PackItem,
    "pack_request": PackRequest,
    "pdf_document": PdfDocument,
    "pdf_request": PdfRequest,
    "prefill": Prefill,
    "registry_report": RegistryReport,
    "report_request": ReportRequest,
    "screening": ScreeningAnswer,
    "screening_request": ScreeningRequest,
    "search_history": SearchHistory,
    "search_loading": SearchResult,
    "search_request": SearchRequest,
    "search_result": SearchResult,
    "search_update": SearchUpdate,
    "settings_change": SettingsChange,
    "verification_failed": VerificationFailed,
    "verification_pending": VerificationPending,
    "verify_request": VerifyRequest,
    "verify_response": VerifyResponse,
    "delivery_page": DeliveryPage,
    "replay_request": ReplayRequest,
    "replay_result": ReplayResult,
    "rotated_secret": RotatedSecret,
    "secret_rotation": SecretRotation,
    "sent_test_event": SentTestEvent,
    "webhook_endpoint": WebhookEndpoint,
    "webhook_endpoint_change": WebhookEndpointChange,
    "risk_replay": RiskReplay,
    "risk_replay_request": RiskReplayRequest,
    "risk_rules": RiskRulesAnswer,
    "risk_rules_active": RiskRulesAnswer,
    "risk_rules_input": RiskRulesInput,
    "webhook_endpoint_created": CreatedWebhookEndpoint,
    "webhook_endpoint_request": NewWebhookEndpoint,
    "webhook_endpoints": WebhookEndpointList,
    "business_monitoring": RecordMonitoringAnswer,
    "monitoring": MonitoringOverview,
}


WITHOUT_DOCUMENT = {"downloadBusinessReport", "readEvidence", "readCaseAttachment", "readDocument", "deleteWebhookEndpoint"} | {
    "readManualCheckAttachment",
    "readBatchResults",
}
"""They answer with an address, with a file, or with nothing."""


def operations() -> list[Any]:
    return [operation for methods in generated_description()["paths"].values() for operation in methods.values()]


def references(value: object) -> set[str]:
    if isinstance(value, dict):
        own = {value["$ref"]} if isinstance(value.get("$ref"), str) else set()
        return own.union(*map(references, value.values()))
    return set().union(*map(references, value)) if isinstance(value, list) else set()


@pytest.mark.slow
def test_the_committed_description_is_the_generated_one() -> None:
    assert COMMITTED.read_text("utf-8") == render_openapi_json(), "run: python -m bonafide.api.openapi > docs/openapi.json"


@pytest.mark.anyio
async def test_the_served_description_is_the_committed_one(anonymous: httpx2.AsyncClient) -> None:
    assert (await anonymous.get("/openapi.json")).json() == json.loads(COMMITTED.read_text("utf-8"))


def test_it_is_openapi_3_1_with_both_ways_to_send_a_key() -> None:
    document = generated_description()
    assert document["openapi"].startswith("3.1.")
    assert set(document["components"]["securitySchemes"]) == {"bearer", "apiKey"}
    assert all(operation["security"] == [{"bearer": []}, {"apiKey": []}] for operation in operations())


def test_every_operation_says_what_it_does_and_what_can_go_wrong() -> None:
    for operation in operations():
        assert operation["summary"] != ""
        assert operation["description"] != ""
        assert {"400", "401", "403", "429", "500", "503"} <= set(operation["responses"])
        for status, answer in operation["responses"].items():
            assert {"X-Request-Id", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"} <= set(answer["headers"])
            if int(status) >= 400 or operation["operationId"] not in WITHOUT_DOCUMENT:
                assert answer["content"]["application/json"]["examples"] != {}
        if "requestBody" in operation:
            assert {"413", "415"} <= set(operation["responses"])
            assert operation["requestBody"]["content"]["application/json"]["examples"] != {}


def test_operation_ids_are_unique() -> None:
    ids = [operation["operationId"] for operation in operations()]
    assert len(ids) == len(set(ids))


def test_every_reference_leads_somewhere() -> None:
    document = generated_description()
    for reference in references(document):
        place: Any = document
        for part in reference.removeprefix("#/").split("/"):
            place = place[part]


@pytest.mark.parametrize("name", sorted(MODELS))
def test_an_example_is_a_document_of_its_kind(name: str) -> None:
    value = load_examples()[name]["value"]
    document = MODELS[name].model_validate_json(json.dumps(value), by_alias=True, by_name=False)
    # Each value comes out as it stands in the example, so that none was bent into shape.
    assert json.loads(document.to_json()).items() >= value.items()


def test_every_example_is_of_a_known_kind() -> None:
    assert set(load_examples()) == set(MODELS)


def test_answers_may_grow_and_requests_may_not() -> None:
    schemas = generated_description()["components"]["schemas"]
    assert "additionalProperties" not in schemas["SearchResult"]
    assert "additionalProperties" not in schemas["ErrorBody"]
    assert schemas["SearchRequest"]["additionalProperties"] is False
    assert schemas["AddressInput"]["additionalProperties"] is False


def test_a_query_parameter_is_absent_or_has_a_value() -> None:
    parameters = {parameter["name"]: parameter for parameter in describe_query_parameters(HistoryQuery)}
    assert parameters["archived"]["schema"]["type"] == "boolean"
    assert parameters["limit"]["schema"] | {"title": ""} == {
        "type": "integer",
        "minimum": 1,
        "maximum": 100,
        "default": 25,
        "examples": [25],
        "title": "",
    }
    assert not any(parameter["required"] for parameter in parameters.values())


def list_properties() -> list[tuple[str, str, Any]]:
    schemas = generated_description()["components"]["schemas"]
    return [(name, field, about) for name, schema in schemas.items() for field, about in schema.get("properties", {}).items()]


@pytest.mark.slow
def test_every_property_has_a_description_and_an_example() -> None:
    schemas = generated_description()["components"]["schemas"]
    properties = list_properties()
    assert len(properties) > 700
    assert [f"{name}.{field}" for name, field, about in properties if about.get("description", "") == ""] == []
    # An object's example is that of its own properties.
    without = [
        f"{name}.{field}" for name, field, about in properties if "examples" not in about and not list_object_names(about, schemas)
    ]
    assert without == []


@pytest.mark.slow
def test_every_example_of_a_property_is_valid() -> None:
    components = generated_description()["components"]
    checked = 0
    for name, field, about in list_properties():
        pointer = f"#/components/schemas/{name}/properties/{field}"
        validator = jsonschema_rs.Draft202012Validator({"$ref": pointer, "components": {"schemas": components["schemas"]}})
        for example in about.get("examples", ()):
            assert validator.is_valid(example), (name, field, example)
            checked += 1
    assert checked > 500


@pytest.mark.slow
def test_parameters_and_headers_are_described() -> None:
    document = generated_description()
    components = document["components"]
    described = [*components["headers"].values(), *components["parameters"].values()]
    for operation in operations():
        described += [parameter for parameter in operation["parameters"] if "$ref" not in parameter]
    assert all(item["description"] != "" for item in described)
    inline = [parameter for operation in operations() for parameter in operation["parameters"] if "$ref" not in parameter]
    shared = components["parameters"].values()
    assert all("example" in parameter or "examples" in parameter["schema"] for parameter in (*inline, *shared))


def test_no_schema_of_a_body_is_a_choice_of_several() -> None:
    # Generators make a class of each: `SearchRequestType0`, `SearchRequestType1`.
    assert not any(
        {"anyOf", "oneOf", "allOf"} & schema.keys() for schema in generated_description()["components"]["schemas"].values()
    )


def test_an_alias_says_of_what() -> None:
    for operation in operations():
        if operation["operationId"].endswith("Alias"):
            assert operation["description"].startswith("Alias of `")
            assert "alias of" in operation["summary"]
