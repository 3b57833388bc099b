"""Requests for every operation of the API's description, in which each place that an id can stand in holds one.

A value `@kind` stands for an id of that kind; whose it is, whoever sends the request decides: their own, somebody else's, or one
that never existed. An operation that has no request here fails the tests that walk them all.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.support.paths import ROOT

DESCRIPTION = ROOT / "docs" / "openapi.json"
BAKERY = {"jurisdiction": "ON", "registrationNumber": "1000017"}
PLAIN = "Plain Trading Ltd."
LISTED = "Sandbox Sanctioned Trading Ltd."
ALIAS = "Alias"
RISK_RULES: Mapping[str, Any] = {
    "rules": [{"id": "inactive", "title": "Inactive", "when": "!registry.active", "points": 40, "reason": "Not active."}],
    "bands": [{"name": "low", "from": 0}, {"name": "high", "from": 30}],
}
REGISTER = {"consultedOn": "2026-11-01", "individuals": [{"name": "Nobody Known"}]}
_ID = re.compile(r"(^id|Id|_id|^cursor)$")
# Of a published list, and of the caller's own case: neither names anything of an organization.
NO_IDS = frozenset({"entryId"})


@dataclass(frozen=True)
class Probe:
    """One request of an operation."""

    path: Mapping[str, str] = field(default_factory=dict)
    query: Mapping[str, str] = field(default_factory=dict)
    body: Mapping[str, Any] | None = None

    def named(self) -> set[str]:
        """The names of what is filled with an id."""
        found = {*_filled(self.path), *_filled(self.query), *_filled(self.body)}
        return {name for name in found if name is not None}


@dataclass(frozen=True)
class Described:
    """One operation as `docs/openapi.json` has it."""

    method: str
    path: str
    operation_id: str
    scope: str
    document: Mapping[str, Any]
    """The whole description, in which what the operation refers to stands."""
    operation: Mapping[str, Any]

    @property
    def probes(self) -> tuple[Probe, ...]:
        """Its requests. An alias has those of its original."""
        return PROBES.get(self.operation_id.removesuffix(ALIAS), ())

    def places(self) -> set[str]:
        """The names of its parameters and of its body's fields that can hold an id."""
        parameters = [_resolved(self.document, given) for given in self.operation.get("parameters", ())]
        names = {given["name"] for given in parameters if given["in"] != "header"}
        if "requestBody" in self.operation:
            names |= set(_fields(self.document, self.operation["requestBody"]["content"]["application/json"]["schema"]))
        return {name for name in names if _ID.search(name) is not None} - NO_IDS


PROBES: Mapping[str, tuple[Probe, ...]] = {
    "createSearch": (
        Probe(body={"name": PLAIN, "businessId": "@business"}),
        Probe(body={"name": PLAIN, "businessExternalId": "@externalId"}),
        Probe(body={"name": PLAIN}),
    ),
    "listSearches": (Probe(), Probe(query={"query": "@name"}), Probe(query={"archived": "true"})),
    "readSearch": (Probe(path={"id": "@search"}), Probe(path={"id": "@linkedSearch"})),
    "updateSearch": (Probe(path={"id": "@search"}, body={"archived": False}),),
    "selectMatch": (
        Probe(path={"id": "@search"}, body={"matchId": "@match"}),
        Probe(path={"id": "@search"}, body={"status": "no_match_found"}),
        Probe(path={"id": "@ownSearch"}, body={"matchId": "@match"}),
    ),
    "verifyBusiness": (
        Probe(body={"businessId": "@business"}),
        Probe(body={"businessExternalId": "@externalId"}),
        Probe(body={**BAKERY, "legalName": "Sandbox Bakery Inc.", "externalId": "@case"}),
        Probe(body={"businessId": "@business", "sanctionsScreening": True}),
    ),
    "readVerification": (Probe(path={"id": "@verification"}), Probe(path={"id": "@pending"})),
    "listVerificationDiscrepancies": (Probe(path={"id": "@verification"}),),
    "acceptDiscrepancy": (Probe(path={"id": "@verification", "field": "people.0"}, body={"reasonCode": "discrepancy_explained"}),),
    "revokeDiscrepancyAcceptance": (Probe(path={"id": "@verification", "field": "people.0"}, body={}),),
    "screen": (
        Probe(body={"query": LISTED}),
        Probe(body={"query": "@name"}),
        Probe(body={"query": PLAIN, "businessId": "@business"}),
    ),
    "listScreenings": (
        Probe(),
        Probe(query={"query": "@name"}),
        Probe(query={"businessId": "@business"}),
        Probe(query={"cursor": "@cursor"}),
    ),
    "readScreening": (Probe(path={"id": "@screening"}),),
    "repeatScreening": (Probe(path={"id": "@screening"}),),
    "listEvents": (
        Probe(),
        Probe(query={"businessId": "@business"}),
        Probe(query={"cursor": "@eventCursor"}),
        Probe(query={"types": "business.created,screening.hit_found"}),
    ),
    "readEvent": (Probe(path={"id": "@event"}),),
    "acknowledgeAlert": (Probe(path={"id": "@alert"}, body={"note": "Another party."}),),
    "readMonitoring": (Probe(),),
    "readBusinessMonitoring": (Probe(path={"id": "@business"}),),
    **{
        operation: (Probe(path={"id": kind}, body={"reason": "File 2026-118"}),)
        for operation, kind in {
            "eraseBusiness": "@erasedBusiness",
            "eraseCase": "@erasedCase",
            "eraseReport": "@erasedReport",
            "eraseScreening": "@erasedScreening",
            "eraseSearch": "@erasedSearch",
            "eraseVerification": "@erasedVerification",
        }.items()
    },
    "readLegalHold": (Probe(path={"id": "@business"}),),
    "putLegalHold": (Probe(path={"id": "@heldBusiness"}, body={"held": True, "reason": "Court file 118"}),),
    "readTimeline": (Probe(path={"id": "@business"}), Probe(path={"id": "@business"}, query={"cursor": "@timelineCursor"})),
    "createPack": (Probe(body={"businessId": "@business"}),),
    "listPacks": (Probe(), Probe(query={"businessId": "@business"}), Probe(query={"cursor": "@cursor"})),
    "readPack": (Probe(path={"id": "@pack"}),),
    "createBatch": (Probe(body={"kind": "screen", "rows": [{"name": "@name"}]}),),
    "listBatches": (Probe(), Probe(query={"cursor": "@cursor"})),
    "readBatch": (Probe(path={"id": "@batch"}),),
    "updateBatch": (Probe(path={"id": "@batch"}, body={"action": "cancel"}),),
    "readBatchResults": (Probe(path={"id": "@doneBatch"}),),
    "listBatchErrors": (Probe(path={"id": "@doneBatch"}), Probe(path={"id": "@doneBatch"}, query={"cursor": "@errorCursor"})),
    "listCases": (Probe(), Probe(query={"businessId": "@business"}), Probe(query={"cursor": "@cursor"})),
    "readCase": (Probe(path={"id": "@openCase"}),),
    "listCaseItems": (Probe(path={"id": "@openCase"}), Probe(path={"id": "@openCase"}, query={"cursor": "@itemCursor"})),
    "changeCase": (Probe(path={"id": "@openCase"}, body={"priority": "urgent"}),),
    "addCaseNote": (Probe(path={"id": "@openCase"}, body={"text": "Asked the client."}),),
    "addCaseAttachment": (Probe(path={"id": "@openCase"}, body={"name": "a.pdf", "content": "JVBERi0xLjcK"}),),
    "readCaseAttachment": (Probe(path={"id": "@openCase", "attachmentId": "@attachment"}),),
    "decideCase": (Probe(path={"id": "@openCase"}, body={"decision": "escalate", "reasonCode": "other"}),),
    "readCaseTrail": (Probe(path={"id": "@openCase"}),),
    "listManualChecks": (Probe(), Probe(query={"businessId": "@business"}), Probe(query={"cursor": "@cursor"})),
    "createManualCheck": (
        Probe(body={"businessId": "@business", "jurisdiction": "NL"}),
        Probe(body={"searchId": "@search", "jurisdiction": "NL"}),
        Probe(body={"verificationId": "@verification"}),
    ),
    "readManualCheck": (Probe(path={"id": "@manualCheck"}),),
    "addManualCheckAttachment": (Probe(path={"id": "@manualCheck"}, body={"name": "a.pdf", "content": "JVBERi0xLjcK"}),),
    "readManualCheckAttachment": (Probe(path={"id": "@manualCheck", "attachmentId": "@checkFile"}),),
    "cancelManualCheck": (Probe(path={"id": "@otherCheck"}, body={}),),
    "recordManualCheckResult": (Probe(path={"id": "@manualCheck"}, body={"found": False, "attachmentId": "@checkFile"}),),
    "readManualCheckTrail": (Probe(path={"id": "@manualCheck"}),),
    "listWebhookEndpoints": (Probe(),),
    "createWebhookEndpoint": (Probe(body={"url": "https://hooks.example.com/", "businessIds": ["@business"]}),),
    "readWebhookEndpoint": (Probe(path={"id": "@webhook"}),),
    "changeWebhookEndpoint": (Probe(path={"id": "@webhook"}, body={"businessIds": ["@business"]}),),
    "deleteWebhookEndpoint": (Probe(path={"id": "@otherWebhook"}),),
    "rotateWebhookSecret": (Probe(path={"id": "@webhook"}, body={}),),
    "testWebhookEndpoint": (Probe(path={"id": "@webhook"}),),
    "listWebhookDeliveries": (
        Probe(path={"id": "@webhook"}),
        Probe(path={"id": "@webhook"}, query={"cursor": "@deliveryCursor"}),
    ),
    "replayWebhookEvents": (Probe(path={"id": "@webhook"}, body={"eventIds": ["@event"]}),),
    "listEventTypes": (Probe(),),
    "readRiskRules": (Probe(), Probe(query={"version": "0"})),
    "saveRiskRules": (Probe(body={**RISK_RULES, "rules": [{**RISK_RULES["rules"][0], "id": "@case"}]}),),
    "replayRiskRules": (Probe(path={"version": "0"}, body={}),),
    "activateRiskRules": (Probe(path={"version": "0"}),),
    "dismissHit": (
        Probe(body={"subject": {"name": LISTED}, "hit": "@hit", "reason": "Only the name is the same.", "businessId": "@business"}),
    ),
    "listDismissals": (Probe(), Probe(query={"active": "true"})),
    "readDismissal": (Probe(path={"id": "@dismissal"}),),
    "revokeDismissal": (Probe(path={"id": "@dismissal"}, query={"reason": "It was them."}),),
    "readDismissalTrail": (Probe(path={"id": "@dismissal"}),),
    "putBusiness": (
        Probe(body={"externalId": "@externalId", "name": PLAIN}),
        Probe(
            body={
                "id": "@business",
                "externalId": "@externalId",
                "name": PLAIN,
                "latestVerificationId": "@verification",
                "lastVerificationJobId": "@pending",
                "lastSearchJobId": "@search",
            }
        ),
        Probe(body={"name": PLAIN, "jurisdiction": "BC", "registrationNumber": "@number"}),
    ),
    "upsertBusiness": (
        Probe(
            body={
                "id": "@business",
                "externalId": "@externalId",
                "name": PLAIN,
                "latestVerificationId": "@verification",
                "lastVerificationJobId": "@pending",
                "lastSearchJobId": "@search",
            }
        ),
    ),
    "listBusinesses": (
        Probe(),
        Probe(query={"cursor": "@cursor"}),
        Probe(query={"external_id": "@externalId"}),
        Probe(query={"externalId": "@externalId"}),
    ),
    "readBusiness": (Probe(path={"id": "@business"}),),
    "readOwnership": (Probe(path={"id": "@business"}),),
    "putOwnership": (
        Probe(
            path={"id": "@business"},
            body={
                "claimedBy": "declared",
                "asOf": "2026-11-01",
                "parties": [
                    {"id": "@case", "kind": "business", "name": PLAIN, "businessId": "@business"},
                    {"id": "others", "kind": "unknown"},
                ],
                "interests": [{"id": "1", "owner": "others", "owned": "@case", "kind": "shares", "share": {"exact": 1}}],
            },
        ),
    ),
    "openDiscrepancies": (
        Probe(
            path={"id": "@business"},
            body={
                "riskRating": "high",
                "comparison": {"declared": [{"name": PLAIN}], "registry": {"consultedOn": "2026-11-01", "individuals": []}},
                "documentIds": ["@document"],
            },
        ),
        Probe(path={"id": "@business"}, body={"riskRating": "high", "comparison": {"registry": REGISTER}}),
    ),
    "listDiscrepancies": (Probe(path={"id": "@business"}), Probe(path={"id": "@business"}, query={"status": "open"})),
    "readDiscrepancy": (Probe(path={"id": "@business", "discrepancyId": "@discrepancy"}),),
    "changeDiscrepancy": (
        Probe(
            path={"id": "@business", "discrepancyId": "@discrepancy"},
            body={
                "status": "reported",
                "acknowledgement": {"number": "1", "documentId": "@document", "receivedAt": "2026-11-01T00:00:00Z"},
            },
        ),
    ),
    "readOwnershipReview": (Probe(path={"id": "@business", "reviewId": "@review"}),),
    "addDocument": (Probe(path={"id": "@business"}, body={"name": "register.pdf", "content": "JVBERi0xLjcK"}),),
    "listDocuments": (Probe(path={"id": "@business"}),),
    "readDocument": (Probe(path={"id": "@business", "documentId": "@document"}),),
    "readConnections": (Probe(path={"id": "@business"}),),
    "readBusinessTrail": (Probe(path={"id": "@business"}),),
    "readSettings": (Probe(),),
    "changeSettings": (Probe(body={"matchSelection": {"enabled": True}}),),
    "readSettingsTrail": (Probe(),),
    "createBusinessReport": (Probe(body=BAKERY),),
    "downloadBusinessReport": (
        Probe(query={"searchId": "@search", "registrationNumber": "1000017", "name": "Sandbox Bakery Inc."}),
    ),
    "readBusinessReport": (Probe(path={"id": "@report"}),),
    "readEvidence": (Probe(path={"id": "@report", "number": "0"}),),
    "createPdf": (
        Probe(body={"searchId": "@search"}),
        Probe(body={"verificationId": "@verification"}),
        Probe(body={"screeningId": "@screening"}),
        Probe(body={"ownershipBusinessId": "@business"}),
        Probe(body={"ownershipReviewId": "@review"}),
    ),
    "readCoverage": (Probe(),),
    "prefill": (Probe(query={"query": "@name"}),),
}


def described_operations() -> list[Described]:
    """Every operation of the description."""
    document = json.loads(DESCRIPTION.read_text(encoding="utf-8"))
    return [
        Described(method.upper(), path, operation["operationId"], operation["x-scope"], document, operation)
        for path, operations in document["paths"].items()
        for method, operation in operations.items()
    ]


def filled(value: Any, ids: Mapping[str, Any]) -> Any:
    """The value with its `@kind`s replaced."""
    if isinstance(value, str) and value.startswith("@"):
        return ids[value[1:]]
    if isinstance(value, Mapping):
        return {name: filled(item, ids) for name, item in value.items()}
    if isinstance(value, list):
        return [filled(item, ids) for item in value]
    return value


def _filled(value: Any, name: str | None = None) -> Iterator[str | None]:
    if isinstance(value, str) and value.startswith("@"):
        yield name
    if isinstance(value, Mapping):
        for inner, item in value.items():
            yield from _filled(item, inner)
    if isinstance(value, list):
        for item in value:
            yield from _filled(item)


def _resolved(document: Mapping[str, Any], value: Mapping[str, Any]) -> Mapping[str, Any]:
    if "$ref" not in value:
        return value
    found = document
    for part in value["$ref"].removeprefix("#/").split("/"):
        found = found[part]
    return found


def _fields(document: Mapping[str, Any], schema: Mapping[str, Any]) -> Iterator[str]:
    resolved = _resolved(document, schema)
    for name, inner in resolved.get("properties", {}).items():
        yield name
        yield from _fields(document, inner)
    for inner in (*resolved.get("anyOf", ()), *([resolved["items"]] if "items" in resolved else [])):
        yield from _fields(document, inner)
