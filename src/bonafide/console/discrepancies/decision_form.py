"""The forms of a discrepancy: resolve, report, change the class, reopen."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, time
from enum import StrEnum
from typing import Any
from uuid import UUID

from pydantic import ValidationError
from starlette.datastructures import FormData

from bonafide.console.frame.forms import list_problems, parse_day, parse_uuid
from bonafide.i18n.message import Message
from bonafide.model.ownership.discrepancies import DiscrepancyChange, DiscrepancyStatus
from bonafide.web.validation_errors import to_api_error


class DecisionAction(StrEnum):
    """What a form does, and the end of its address."""

    RESOLVE = "resolve"
    REPORT = "report"
    CLASSIFY = "classify"
    REOPEN = "reopen"


_STATUS = {
    DecisionAction.RESOLVE: DiscrepancyStatus.RESOLVED,
    DecisionAction.REPORT: DiscrepancyStatus.REPORTED,
    DecisionAction.REOPEN: DiscrepancyStatus.OPEN,
}
_FORM_FIELDS = {
    "acknowledgement": "number",
    "acknowledgement.number": "number",
    "acknowledgement.documentId": "file",
    "acknowledgement.receivedAt": "receivedOn",
    "documentIds": "file",
}


@dataclass(frozen=True, slots=True)
class SentDecision:
    """A submitted form: its action, its texts and chosen documents, and its problems by field."""

    action: DecisionAction
    texts: Mapping[str, str]
    document_ids: tuple[UUID, ...]
    problems: Mapping[str, Message] = field(default_factory=dict)

    def with_problems(self, problems: Mapping[str, Message]) -> "SentDecision":
        """The form with these problems."""
        return SentDecision(self.action, self.texts, self.document_ids, problems)


def read_decision(action: DecisionAction, sent: FormData) -> SentDecision:
    """A submitted form as it was sent."""
    texts = {name: str(value).strip() for name, value in sent.items() if isinstance(value, str)}
    chosen = (parse_uuid(str(value)) for value in sent.getlist("document"))
    return SentDecision(action, texts, tuple(found for found in chosen if found is not None))


def parse_decision(sent: SentDecision, uploaded: UUID | None) -> DiscrepancyChange | SentDecision:
    """The change of a submitted form, with the document that was uploaded with it; or the form with its problems.

    The acknowledgement of a report is the uploaded document, or else the one that was chosen.
    """
    ids = [*sent.document_ids, *([uploaded] if uploaded is not None else [])]
    values: dict[str, Any] = {
        "status": _STATUS.get(sent.action),
        "resolution": sent.texts.get("resolution", "").replace("\r\n", "\n") or None,
        "documentIds": tuple(ids),
        "expectedUpdatedAt": sent.texts.get("expectedUpdatedAt") or None,
    }
    if sent.action is DecisionAction.CLASSIFY:
        values["kind"] = sent.texts.get("kind")
    if sent.action is DecisionAction.REPORT:
        day = parse_day(sent.texts.get("receivedOn", ""))
        missing = {
            "number": Message("is required") if not sent.texts.get("number") else None,
            "receivedOn": Message("must be a date: YYYY-MM-DD") if day is None else None,
            "file": Message("Upload the acknowledgement, or choose its document.") if not ids else None,
        }
        problems = {name: message for name, message in missing.items() if message is not None}
        if problems or day is None:
            return sent.with_problems(problems)
        received_at = datetime.combine(day, time.min, UTC)
        values["acknowledgement"] = {"number": sent.texts["number"], "documentId": ids[-1], "receivedAt": received_at}
    try:
        return DiscrepancyChange.model_validate(values)
    except ValidationError as error:
        found = list_problems(to_api_error(error, DiscrepancyChange))
        return sent.with_problems(rename_decision_problems(found))


def rename_decision_problems(problems: Mapping[str, Message]) -> dict[str, Message]:
    """The problems of a change by the fields of the form."""
    return {_FORM_FIELDS.get(path, path): message for path, message in problems.items()}
