"""A sample request for each operation, for curl and the page itself.

Bodies are the examples of the description. `gives`, `takes` and `fills` name ids of earlier answers, which the page inserts.
"""

import json
import re
import shlex
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qsl

_QUERIES = {
    "listCases": "status=open",
    "listSearches": "limit=5",
    "prefill": "query=sandbox+ba&jurisdiction=ON",
    "listBusinesses": "limit=5",
    "listDismissals": "limit=5",
    "listScreenings": "limit=5",
    "listEvents": "alert=open&limit=5",
    "downloadBusinessReport": "searchId={searchId}&registrationNumber=1000017",
}
"""What an operation's address needs beside its path, or is of more use with."""
_GIVES = {
    "createSearch": {"search": "meta.searchId", "match": "businesses.0.matchId"},
    "verifyBusiness": {"verification": "reportFetchId meta.verificationId"},
    "screen": {
        "screening": "meta.screeningId",
        "list": "screening.matches.0.details.source",
        "listed": "screening.matches.0.entryId",
        "digest": "screening.matches.0.digest",
    },
    "dismissHit": {"dismissal": "id"},
    "upsertBusiness": {"business": "business.id"},
    "addDocument": {"document": "id"},
    "listEvents": {"event": "events.0.id"},
    "openDiscrepancies": {"discrepancy": "discrepancies.0.id", "review": "review.id"},
    "createBusinessReport": {"report": "reportId"},
    "createWebhookEndpoint": {"webhook": "id"},
    "listCases": {"case": "cases.0.id"},
    "createPack": {"pack": "id"},
    "createBatch": {"batch": "id"},
    "addCaseAttachment": {"attachment": "id"},
    "createManualCheck": {"manualCheck": "id"},
    "addManualCheckAttachment": {"attachment": "id"},
}
"""What an answer has for later requests, by a name of ours, and where it stands: the first path that leads somewhere."""
_TAKES = {
    "SearchId": "search",
    "BusinessId": "business",
    "VerificationId": "verification",
    "ReportId": "report",
    "DismissalId": "dismissal",
    "ScreeningId": "screening",
    "EventId": "event",
    "DiscrepancyId": "discrepancy",
    "ReviewId": "review",
    "DocumentId": "document",
    "WebhookEndpointId": "webhook",
    "CaseId": "case",
    "PackId": "pack",
    "BatchId": "batch",
    "ManualCheckId": "manualCheck",
    "AttachmentId": "attachment",
}
"""Which of these an ID of a path is, by the shared parameter that describes it."""
_PATH_EXAMPLES = {
    "DiscrepancyId": "8a7b6c5d-4e3f-4a2b-9c1d-0e9f8a7b6c5d",
    "ReviewId": "5d4c3b2a-1f0e-4d9c-8b7a-6f5e4d3c2b1a",
    "DocumentId": "2b5c8e1f-4a6d-4f3b-9c7e-8d1a2b3c4d5e",
    "AttachmentId": "2b5c8e1f-4a6d-4f3b-9c7e-8d1a2b3c4d5e",
}
"""The IDs of the examples at the second place of a path, by the shared parameter that describes it."""
_FILLS = {
    "selectMatch": {"matchId": "match"},
    "createPdf": {"searchId": "search"},
    "createPack": {"businessId": "business"},
    "createManualCheck": {"businessId": "business"},
    "recordManualCheckResult": {"attachmentId": "attachment"},
    "putOwnership": {"parties.0.businessId": "business"},
    "openDiscrepancies": {"documentIds.0": "document"},
    "changeDiscrepancy": {"documentIds.0": "document", "acknowledgement.documentId": "document"},
    "dismissHit": {"hit.source": "list", "hit.entryId": "listed", "hit.digest": "digest"},
}
"""Which of these a field of a body is."""
_FIELD_EXAMPLE = "people.1"
"""The field with a discrepancy in the example of a verification."""
_EXAMPLE_ID = "6f1c2a0e-8f5d-4c55-9d0a-2f6f4b8f3a11"
_FILES = {
    "downloadBusinessReport": "report.pdf",
    "readEvidence": "evidence.bin",
    "readDocument": "document.bin",
    "readBatchResults": "results.jsonl",
    "readCaseAttachment": "attachment.bin",
    "readManualCheckAttachment": "attachment.bin",
}
"""Operations that answer with a file, and a name for it."""


@dataclass(frozen=True, slots=True)
class RequestSample:
    """One request. `path` begins with a slash and has its query; `body` is JSON, or None."""

    operation_id: str
    method: str
    path: str
    body: Any = None
    takes: str = ""
    """The names of what replaces the IDs in `path`, in their order and with spaces between them; empty where there are none."""
    fills: dict[str, str] = field(default_factory=dict)
    """Names of what replaces fields of the body, by their paths."""
    gives: dict[str, str] = field(default_factory=dict)
    """Paths into the answer by the names that others take them by."""
    has_answer: bool = True
    """Whether the response has a body."""
    path_values: tuple[str | int, ...] = ()
    """The values of the parameters of the path, in their order."""
    query_values: dict[str, str | int] = field(default_factory=dict)
    """The query parameters by their names."""

    @property
    def body_text(self) -> str:
        """The body as the page shows it."""
        return json.dumps(self.body, indent=2, ensure_ascii=False)

    @property
    def saves_as(self) -> str | None:
        """The name for the file that it answers with; None for a document."""
        return _FILES.get(self.operation_id)


def build_sample(operation: dict[str, Any], method: str, path: str, body: Any) -> RequestSample:
    """The sample of a described operation whose parameters are resolved by name."""
    operation_id = operation["operationId"]
    references = _list_references(operation)
    takes = " ".join(_TAKES[name] for name in references if name in _TAKES)
    query = _QUERIES.get(operation_id, "").format(searchId=_EXAMPLE_ID)
    address = path.replace("{id}", _EXAMPLE_ID).replace("{number}", "0").replace("{version}", "0")
    address = address.replace("{field}", _FIELD_EXAMPLE)
    for name, example in _PATH_EXAMPLES.items():
        address = address.replace(f"{{{name[0].lower()}{name[1:]}}}", example)
    return RequestSample(
        operation_id=operation_id,
        method=method,
        path=f"{address}?{query}" if query != "" else address,
        body=body,
        takes="search" if "{searchId}" in _QUERIES.get(operation_id, "") else takes,
        fills=_FILLS.get(operation_id, {}),
        gives=_GIVES.get(operation_id, {}),
        has_answer=str(HTTPStatus.NO_CONTENT.value) not in operation["responses"],
        path_values=_read_path_values(path, address),
        query_values=_read_query_values(query, operation),
    )


def render_curl(sample: RequestSample, base_url: str) -> str:
    """The request for a shell, in which the variable `KEY` is the key."""
    words = ["curl"]
    if sample.method != ("GET" if sample.body is None else "POST"):
        words.append(f"-X {sample.method}")
    if sample.saves_as is not None:
        words.append(f"-L -o {sample.saves_as}")
    lines = [f"{' '.join(words)} {shlex.quote(base_url + sample.path)}", '-H "Authorization: Bearer $KEY"']
    if sample.body is not None:
        lines += ["-H 'Content-Type: application/json'", f"-d {shlex.quote(sample.body_text)}"]
    return " \\\n  ".join(lines)


def _list_references(operation: dict[str, Any]) -> list[str]:
    return [str(parameter["$ref"]).rpartition("/")[2] for parameter in operation["parameters"] if "$ref" in parameter]


def _read_path_values(path: str, address: str) -> tuple[str | int, ...]:
    """The values that replace the parameters of a path, in their order."""
    pattern = re.sub(r"\\{\w+\\}", "([^/]+)", re.escape(path))
    found = re.fullmatch(pattern, address)
    return tuple(_read_number(value) for value in found.groups()) if found is not None else ()


def _read_query_values(query: str, operation: dict[str, Any]) -> dict[str, str | int]:
    """The values of a query string, with numbers where the description has integers."""
    integers = {
        parameter["name"]
        for parameter in operation["parameters"]
        if parameter.get("in") == "query" and parameter["schema"].get("type") == "integer"
    }
    return {name: _read_number(value) if name in integers else value for name, value in parse_qsl(query)}


def _read_number(value: str) -> str | int:
    return int(value) if value.isdecimal() else value
