"""The forms of a discrepancy: resolve, report, change the class, reopen."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any
from uuid import UUID

from pydantic import ValidationError
from starlette.datastructures import FormData

from bonafide.console.frame.forms import list_problems, parse_day, parse_uuid, to_midnight
from bonafide.errors import ApiError
from bonafide.i18n.message import Message
from bonafide.model.ownership.discrepancies import DiscrepancyChange, DiscrepancyStatus
from bonafide.web.validation_errors import to_api_error


class DecisionAction(StrEnum):
    """What a form does, and the end of its address."""

    RESOLVE = "resolve"
    REPORT = "report"
    CLASSIFY = "classify"
    REOPEN = "reopen"


OF_OPEN = (DecisionAction.RESOLVE, DecisionAction.REPORT, DecisionAction.CLASSIFY)
"""The forms of an open discrepancy. One that is decided can only be reopened."""
CHOSEN = "acknowledgementDocument"
"""The field of the stored document that is the acknowledgement."""
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
_LABELS = {
    (DecisionAction.RESOLVE, "resolution"): Message("What happened"),
    (DecisionAction.RESOLVE, "file"): Message("Proof"),
    (DecisionAction.REPORT, "number"): Message("Acknowledgement number"),
    (DecisionAction.REPORT, "receivedOn"): Message("Acknowledgement received"),
    (DecisionAction.REPORT, "file"): Message("Acknowledgement"),
    (DecisionAction.REPORT, "resolution"): Message("Note (optional)"),
    (DecisionAction.CLASSIFY, "kind"): Message("Class"),
    (DecisionAction.CLASSIFY, "resolution"): Message("Reason"),
    (DecisionAction.REOPEN, "resolution"): Message("Reason"),
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
        return replace(self, problems=problems)

    def with_document(self, uploaded: UUID | None) -> "SentDecision":
        """The form with a document that is stored already, so that it isn't stored again."""
        if uploaded is None:
            return self
        if self.action is DecisionAction.REPORT:
            return replace(self, texts={**self.texts, CHOSEN: str(uploaded)})
        return replace(self, document_ids=(*self.document_ids, uploaded))

    def get_label(self, name: str) -> Message:
        """The label of a field."""
        return _LABELS.get((self.action, name), Message.untranslated(name))


def read_decision(action: DecisionAction, sent: FormData) -> SentDecision:
    """A submitted form as it was sent."""
    texts = {name: str(value).strip() for name, value in sent.items() if isinstance(value, str)}
    chosen = (parse_uuid(str(value)) for value in sent.getlist("document"))
    return SentDecision(action, texts, tuple(found for found in chosen if found is not None))


def parse_decision(sent: SentDecision, uploaded: UUID | None) -> DiscrepancyChange | SentDecision:
    """The change of a submitted form, with the document that was uploaded with it; or the form with its problems.

    The acknowledgement of a report is the uploaded document, or the one that was chosen for it.
    """
    values: dict[str, Any] = {
        "status": _STATUS.get(sent.action),
        "resolution": sent.texts.get("resolution", "").replace("\r\n", "\n") or None,
        "expectedUpdatedAt": sent.texts.get("expectedUpdatedAt") or None,
        "documentIds": sent.document_ids,
    }
    problems: dict[str, Message] = {}
    if sent.action is DecisionAction.REPORT:
        values["acknowledgement"] = _read_acknowledgement(sent, uploaded, problems)
    elif uploaded is not None:
        values["documentIds"] = (*sent.document_ids, uploaded)
    if sent.action is DecisionAction.CLASSIFY:
        values["kind"] = sent.texts.get("kind")
        if not values["kind"]:
            problems["kind"] = Message("is required: select a class")
    if problems:
        return sent.with_problems(problems)
    try:
        return DiscrepancyChange.model_validate(values)
    except ValidationError as error:
        return sent.with_problems(rename_decision_problems(to_api_error(error, DiscrepancyChange)))


def _read_acknowledgement(sent: SentDecision, uploaded: UUID | None, problems: dict[str, Message]) -> dict[str, Any]:
    chosen, day = parse_uuid(sent.texts.get(CHOSEN, "")), parse_day(sent.texts.get("receivedOn", ""))
    if not sent.texts.get("number"):
        problems["number"] = Message("is required")
    if day is None:
        problems["receivedOn"] = Message("must be a date: YYYY-MM-DD")
    if chosen is None and uploaded is None:
        problems["file"] = Message("Upload the acknowledgement, or choose its document.")
    elif chosen is not None and uploaded is not None:
        problems["file"] = Message("Choose a stored document or upload a file, not both.")
    return {
        "number": sent.texts.get("number"),
        "documentId": uploaded if uploaded is not None else chosen,
        "receivedAt": to_midnight(day) if day is not None else None,
    }


def rename_decision_problems(error: ApiError) -> dict[str, Message]:
    """The problems of a change by the fields of the form."""
    return {_FORM_FIELDS.get(path, path): message for path, message in list_problems(error).items()}
