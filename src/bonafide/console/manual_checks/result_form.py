"""The form of what a person has seen in a register: its values, and the request that is parsed from it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, tzinfo
from typing import Any
from uuid import UUID

from pydantic import ValidationError
from starlette.datastructures import FormData

from bonafide.console.frame.forms import list_problems, parse_uuid
from bonafide.console.manual_checks import labels
from bonafide.i18n.message import Message
from bonafide.model.manual_checks.manual_check import ManualCheck
from bonafide.model.manual_checks.requests import ManualCheckResultRequest
from bonafide.web.validation_errors import to_api_error

ADD_BUTTON = "more"
"""The name of the button that adds rows for people."""
MIN_ROWS = 3
MAX_ROWS = 60
ADDRESS_FIELDS = ("street", "unit", "city", "province", "postalCode", "country")
_TEXTS = ("name", "registrationNumber", "status", "statusCode", "recordType", "note")
_SEEN_ONLY = ("name", "registrationNumber", "status", "statusCode")
_MALFORMED_TIME = Message("must be a date and a time")


@dataclass(frozen=True, slots=True)
class ResultFormProblem:
    """An invalid field: where it is, its label and its message."""

    anchor: str
    label: Message
    message: Message


@dataclass(frozen=True, slots=True)
class ResultForm:
    """The values of the form by name, the rows of people, the attachment that is chosen, and the problems by path."""

    texts: Mapping[str, str] = field(default_factory=dict)
    people: tuple[tuple[str, str], ...] = ()
    attachment_id: UUID | None = None
    problems: Mapping[str, Message] = field(default_factory=dict)

    @property
    def rows(self) -> tuple[tuple[str, str], ...]:
        """The people, followed by empty rows."""
        return (*self.people, *[("", "")] * max(MIN_ROWS - len(self.people), 0))

    def with_more_rows(self) -> "ResultForm":
        """The form with further rows for people."""
        return replace(self, people=(*self.rows, *[("", "")] * MIN_ROWS)[:MAX_ROWS])

    def with_attachment(self, attachment_id: UUID | None) -> "ResultForm":
        """The form with a file that was uploaded, if there is one."""
        return replace(self, attachment_id=attachment_id) if attachment_id is not None else self

    def with_problems(self, problems: Mapping[str, Message]) -> "ResultForm":
        """The form with the problems of a refused request."""
        return replace(self, problems=dict(problems))

    def list_problems(self) -> list[ResultFormProblem]:
        """The problems for the summary above the form."""
        return [ResultFormProblem(_find_anchor(path), _find_label(path), message) for path, message in self.problems.items()]


def build_result_form(check: ManualCheck) -> ResultForm:
    """The form before anything was entered, with the newest file that was uploaded."""
    newest = check.attachments[-1].id if check.attachments else None
    return ResultForm(texts={"found": "true"}, attachment_id=newest)


def read_result_form(form: FormData) -> ResultForm:
    """The values of a submitted form."""
    texts = {name: value for name, value in form.items() if isinstance(value, str)}
    return ResultForm(texts, tuple(_read_rows(form)), parse_uuid(texts.get("attachmentId", "")))


def parse_result(form: ResultForm, zone: tzinfo, attachment_id: UUID | None) -> ManualCheckResultRequest | ResultForm:
    """The request of a form, or the form with its problems. Times are in the time zone of the person."""
    is_found = form.texts.get("found") == "true"
    values: dict[str, Any] = {"found": is_found}
    for name in _TEXTS:
        text = form.texts.get(name, "").strip()
        if text and (is_found or name not in _SEEN_ONLY):
            values[name] = text.replace("\r\n", "\n")
    if is_found:
        values["people"] = [{"name": name, **({"role": role} if role else {})} for name, role in form.people if name or role]
        address = {part: form.texts.get(f"address.{part}", "").strip() for part in ADDRESS_FIELDS}
        values["address"] = {part: value for part, value in address.items() if value} or None
    if attachment_id is not None:
        values["attachmentId"] = attachment_id
    seen_on = form.texts.get("retrievedAt", "").strip()
    if seen_on:
        try:
            values["retrievedAt"] = datetime.fromisoformat(seen_on).replace(tzinfo=zone)
        except ValueError:
            return form.with_problems({"retrievedAt": _MALFORMED_TIME})
    try:
        return ManualCheckResultRequest.model_validate(values)
    except ValidationError as error:
        return form.with_problems(list_problems(to_api_error(error, ManualCheckResultRequest)))


def _read_rows(form: FormData) -> Iterator[tuple[str, str]]:
    for number in range(MAX_ROWS):
        name, role = (form.get(f"people.{number}.{part}") for part in ("name", "role"))
        if not isinstance(name, str):
            return
        yield name.strip(), role.strip() if isinstance(role, str) else ""


def _find_anchor(path: str) -> str:
    return "field-file" if path in {"file", "attachmentId"} else f"field-{path.replace('.', '-')}"


def _find_label(path: str) -> Message:
    return labels.FIELDS.get(path.partition(".")[0], Message.untranslated(path))
