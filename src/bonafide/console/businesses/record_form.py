"""The form of a business record: created from a record, and parsed from a submission.

An empty field of the form clears the field of the record. An empty field of the monitoring removes the override, so that the
settings of the organization apply.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic import ValidationError
from starlette.datastructures import FormData

from bonafide.console.businesses.record_fields import (
    GROUPS,
    REPEATED,
    FieldInputKind,
    RecordField,
    RepeatedFields,
    build_field_values,
)
from bonafide.i18n.message import Message
from bonafide.model.base import format_instant
from bonafide.model.monitoring.policy import MonitoringKind, RecordMonitoring
from bonafide.model.records.business_input import BusinessUpsert
from bonafide.model.records.business_record import BusinessRecord
from bonafide.services.records.record_validation import to_record_problems

BLANK_ROWS = 1
"""Empty rows at the end of a list, for new elements."""
MAX_ROWS = 40
"""The longest list that a form can edit, because the number of form fields is limited. Longer lists are not editable."""
_BETWEEN_ROLES = "; "
_TRUE, _FALSE = "true", "false"
MONITORING = "monitoring"
OVERRIDES = (
    f"{MONITORING}.enabled",
    *(f"{MONITORING}.kinds.{kind}" for kind in MonitoringKind),
    f"{MONITORING}.minSeverity",
    f"{MONITORING}.verificationMaxAgeDays",
    f"{MONITORING}.websiteIntervalDays",
)
"""The paths of what a record overrides of the monitoring policy."""


@dataclass(frozen=True, slots=True)
class RecordForm:
    """The content of the form: texts by field, rows of the lists, the version of the record, problems by field.

    A list that is too long for the form has no rows. `monitoring` has the overrides of the monitoring policy by path.
    """

    texts: Mapping[str, str]
    rows: Mapping[str, list[dict[str, str]]]
    version: str
    monitoring: Mapping[str, str]
    problems: Mapping[str, Message] = field(default_factory=dict)

    def problem(self, name: str) -> str:
        """The message for a field or one of its lines; empty without a problem."""
        return next((message for path, message in self.problems.items() if path == name or path.startswith(f"{name}.")), "")


@dataclass(frozen=True, slots=True)
class SentForm:
    """A submitted form: its content, to show it again, and the parsed edit; None if there are problems."""

    form: RecordForm
    request: BusinessUpsert | None


def build_record_form(record: BusinessRecord | None) -> RecordForm:
    """The form of a stored record, or of a new one."""
    values = build_field_values(record) if record is not None else {}
    texts = {item.name: _format_value(item, values.get(item.name)) for item in _list_fields()}
    lists = [(part, values.get(part.name, [])) for part in REPEATED]
    rows = {
        part.name: [{item.name: _format_value(item, value.get(item.name)) for item in part.fields} for value in elements]
        for part, elements in lists
        if len(elements) <= MAX_ROWS
    }
    version = format_instant(record.updated_at) if record is not None else ""
    return RecordForm(texts, _add_blank_rows(rows), version, _format_overrides(record))


def parse_record_form(sent: FormData) -> SentForm:
    """Parse a submitted form."""
    texts = {item.name: _read_text(sent, item.name) for item in _list_fields()}
    rows = {part.name: list(_parse_rows(sent, part)) for part in REPEATED if part.name in sent}
    version = _read_text(sent, "expectedUpdatedAt")
    overrides = {path: _read_text(sent, path) for path in OVERRIDES}
    shown = RecordForm(texts, _add_blank_rows(rows), version, overrides)
    values: dict[str, Any] = {item.name: _parse_value(item, texts[item.name]) for item in _list_fields()}
    values |= {name: [_to_element(row) for row in some] for name, some in rows.items()}
    if MONITORING in sent:
        values[MONITORING] = _parse_overrides(overrides)
    try:
        return SentForm(shown, BusinessUpsert.model_validate({**values, "expectedUpdatedAt": version or None}))
    except ValidationError as error:
        problems = {problem.path: problem.message for problem in to_record_problems(error)}
        return SentForm(replace(shown, problems=problems), None)


def _format_overrides(record: BusinessRecord | None) -> dict[str, str]:
    """The overrides as texts by their path in the form; empty where the settings of the organization apply."""
    overrides = record.monitoring if record is not None else RecordMonitoring()
    dumped = overrides.model_dump(mode="json", by_alias=True, exclude_none=True)
    given = {**dumped, **{f"kinds.{kind}": value for kind, value in dumped.pop("kinds").items()}}
    return {path: _format_code(given.get(path.removeprefix(f"{MONITORING}."))) for path in OVERRIDES}


def _format_code(value: Any) -> str:
    if isinstance(value, bool):
        return _TRUE if value else _FALSE
    return "" if value is None else str(value)


def _parse_overrides(texts: Mapping[str, str]) -> dict[str, Any]:
    """The overrides as in the API; null where the settings of the organization apply."""
    given = {path.removeprefix(f"{MONITORING}."): text or None for path, text in texts.items()}
    kinds = {kind.value: given.pop(f"kinds.{kind}") for kind in MonitoringKind}
    return {**given, "kinds": kinds}


def _list_fields() -> Iterator[RecordField]:
    return (item for group in GROUPS for item in group.fields)


def _format_value(item: RecordField, value: Any) -> str:
    if value is None:
        return ""
    if item.kind is FieldInputKind.SWITCH:
        return _format_code(value)
    separator = "\n" if item.kind is FieldInputKind.LINES else _BETWEEN_ROLES
    return separator.join(value) if isinstance(value, list) else str(value)


def _parse_value(item: RecordField, text: str) -> Any:
    if item.kind is FieldInputKind.LINES:
        return [line.strip() for line in text.splitlines() if line.strip()]
    return text.replace("\r\n", "\n") if text.strip() else None


def _to_element(row: Mapping[str, str]) -> dict[str, Any]:
    """A row as an element of the list; roles are several texts."""
    given: dict[str, Any] = {name: text for name, text in row.items() if text}
    if "roles" in given:
        given["roles"] = [role.strip() for role in row["roles"].split(_BETWEEN_ROLES.strip()) if role.strip()]
    return given


def _parse_rows(sent: FormData, part: RepeatedFields) -> Iterator[dict[str, str]]:
    """The rows that are not empty."""
    for number in range(MAX_ROWS + BLANK_ROWS):
        names = {item.name: f"{part.name}.{number}.{item.name}" for item in part.fields}
        if not any(name in sent for name in names.values()):
            return
        row = {name: _read_text(sent, path) for name, path in names.items()}
        if any(row[item.name] for item in part.fields if item.kind is not FieldInputKind.SWITCH):
            yield row


def _read_text(sent: FormData, name: str) -> str:
    value = sent.get(name, "")
    return value.strip() if isinstance(value, str) else ""


def _add_blank_rows(rows: Mapping[str, list[dict[str, str]]]) -> dict[str, list[dict[str, str]]]:
    blanks = {
        part.name: {item.name: _TRUE if item.kind is FieldInputKind.SWITCH else "" for item in part.fields} for part in REPEATED
    }
    return {name: [*some, *([blanks[name]] * BLANK_ROWS)] for name, some in rows.items()}
