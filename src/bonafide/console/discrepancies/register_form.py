"""The form of a comparison: the register's entry as a person types it in, and the addresses of the declared owners.

Rows that are empty are ignored. Problems keep the names of the form's fields, whatever rows were left empty.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import UUID

from pydantic import ValidationError
from starlette.datastructures import FormData

from bonafide.console.frame.forms import list_problems, parse_day, parse_percent, parse_uuid, to_midnight
from bonafide.errors import ApiError
from bonafide.i18n.message import Message
from bonafide.model.ownership.discrepancies import DiscrepancyRequest, ReviewedSide
from bonafide.model.ownership.owner_comparison import MAX_OWNERS
from bonafide.web.validation_errors import to_api_error

FIRST_ROWS = 4
"""At most four individuals can have 25 % each."""
MORE_ROWS = 4
MAX_ROWS = MAX_OWNERS
COLUMNS = ("name", "from", "to", "kind", "shareMin", "shareMax", "control", "address")
VERSION = "version"
"""The hidden field with the version of the declaration that the page shows."""
_INDIVIDUALS, _ADDRESSES = "comparison.registry.individuals.", "comparison.declaredAddresses."
_ADDRESS_START, _ADDRESS_END = "declared.", ".address"
_COLUMN_BY_FIELD = {
    "kinds": "kind",
    "share": "shareMin",
    "share.exact": "shareMin",
    "share.min": "shareMin",
    "share.max": "shareMax",
}
_FIELDS = {"comparison.registry.consultedOn": "consultedOn", "foundAt": "foundOn", "documentIds": "file"}
_ANCHORS = {"individuals": "individuals", "file": "compare-file", "note": "compare-note"}
_LABELS = {
    "consultedOn": Message("Register consulted on"),
    "riskRating": Message("Your rating of the risk"),
    "foundOn": Message("Found on, if earlier than today"),
    "file": Message("Evidence"),
    "note": Message("Note (optional)"),
    "individuals": Message("Individuals in the register"),
}
_COLUMN_LABELS = {
    "name": Message("Name"),
    "from": Message("From"),
    "to": Message("To"),
    "kind": Message("Kind of control"),
    "shareMin": Message("Share from, in %"),
    "shareMax": Message("Share to, in %"),
    "control": Message("Description of control"),
    "address": Message("Address"),
}


@dataclass(frozen=True, slots=True)
class RegisterForm:
    """The content of the form, to show it again: texts by field, the rows, and the chosen documents."""

    texts: Mapping[str, str]
    rows: Sequence[Mapping[str, str]]
    document_ids: Sequence[UUID] = ()
    problems: Mapping[str, Message] = field(default_factory=dict)

    def problem(self, name: str) -> Message | str:
        """The message for a field; empty without a problem."""
        return self.problems.get(name, "")

    def with_document(self, uploaded: UUID | None) -> "RegisterForm":
        """The form with a document that is stored already, so that it isn't stored again."""
        return replace(self, document_ids=(*self.document_ids, uploaded)) if uploaded is not None else self

    def with_problems(self, problems: Mapping[str, Message]) -> "RegisterForm":
        """The form with these problems."""
        return replace(self, problems=problems)


@dataclass(frozen=True, slots=True)
class SentRegisterForm:
    """A submitted form: its content, and the parsed request; None if there are problems."""

    form: RegisterForm
    request: DiscrepancyRequest | None


@dataclass(frozen=True, slots=True)
class FormProblem:
    """A line of the list of problems: the ID of the input, its label and the message."""

    anchor: str
    label: Message
    message: Message


def build_register_form() -> RegisterForm:
    """An empty form."""
    return RegisterForm({}, _pad([], FIRST_ROWS))


def add_rows(form: RegisterForm) -> RegisterForm:
    """The form with more rows."""
    return replace(form, rows=_pad(form.rows, min(len(form.rows) + MORE_ROWS, MAX_ROWS)), problems={})


def parse_register_form(sent: FormData) -> SentRegisterForm:
    """Parse a submitted form. The declared owners are none of it, only addresses that were typed in for them."""
    texts = {name: str(value).strip() for name, value in sent.items() if isinstance(value, str)}
    document_ids = [found for found in map(parse_uuid, map(str, sent.getlist("document"))) if found is not None]
    form = RegisterForm(texts, _read_rows(texts), document_ids)
    problems = _check_texts(form)
    individuals = [_to_individual(form.rows[number], number, problems) for number in _list_filled_rows(form)]
    values: dict[str, Any] = {
        "riskRating": texts.get("riskRating"),
        "documentIds": tuple(document_ids),
        "note": texts.get("note", "").replace("\r\n", "\n") or None,
        "comparison": {
            "declaredAddresses": tuple(
                {"party": party, "address": texts[name_address(party)]} for party in _list_addressed_parties(form)
            ),
            "registry": {"consultedOn": texts.get("consultedOn"), "individuals": tuple(individuals)},
        },
    }
    found_on = parse_day(texts.get("foundOn", ""))
    if found_on is not None:
        values["foundAt"] = to_midnight(found_on)
    try:
        request = DiscrepancyRequest.model_validate(values)
    except ValidationError as error:
        found = rename_problems(to_api_error(error, DiscrepancyRequest), form)
        return SentRegisterForm(form.with_problems({**found, **problems}), None)
    return SentRegisterForm(form.with_problems(problems), request if not problems else None)


def rename_problems(error: ApiError, form: RegisterForm) -> dict[str, Message]:
    """The problems of a request by the fields of the form."""
    return {_rename(path, form): message for path, message in list_problems(error).items()}


def list_form_problems(form: RegisterForm, declared: ReviewedSide | None) -> list[FormProblem]:
    """The problems as a list, each with the label of its field."""
    owners = declared.owners if declared is not None else ()
    addresses = {
        name_address(owner.party or ""): (f"declared-{number}", Message("Declared address of {name}", name=owner.name))
        for number, owner in enumerate(owners)
    }
    return [FormProblem(*_find_input(name, addresses), message) for name, message in form.problems.items()]


def _find_input(name: str, addresses: Mapping[str, tuple[str, Message]]) -> tuple[str, Message]:
    """The ID and the label of an input."""
    if name in addresses:
        return addresses[name]
    number, _, column = name.removeprefix("individuals.").partition(".")
    if column in _COLUMN_LABELS and number.isdecimal():
        label = Message("{label}, row {n}", label=_COLUMN_LABELS[column], n=int(number) + 1)
        return f"field-{name.replace('.', '-')}", label
    return _ANCHORS.get(name, f"field-{name}"), _LABELS.get(name, Message.untranslated(name))


def name_address(party: str) -> str:
    """The name of the field for the declared address of a party."""
    return f"{_ADDRESS_START}{party}{_ADDRESS_END}"


def _list_addressed_parties(form: RegisterForm) -> list[str]:
    """The parties for whom an address was typed in."""
    return [
        name.removeprefix(_ADDRESS_START).removesuffix(_ADDRESS_END)
        for name, text in form.texts.items()
        if name.startswith(_ADDRESS_START) and name.endswith(_ADDRESS_END) and text
    ]


def _list_filled_rows(form: RegisterForm) -> list[int]:
    """The numbers of the rows that aren't empty."""
    return [number for number, row in enumerate(form.rows) if any(row.values())]


def _check_texts(form: RegisterForm) -> dict[str, Message]:
    """The problems that only the form has."""
    texts, problems = form.texts, {}
    if not texts.get("riskRating"):
        problems["riskRating"] = Message("is required: select a rating")
    if parse_day(texts.get("consultedOn", "")) is None:
        problems["consultedOn"] = Message("must be a date: YYYY-MM-DD")
    if texts.get("foundOn") and parse_day(texts["foundOn"]) is None:
        problems["foundOn"] = Message("must be a date: YYYY-MM-DD")
    if not _list_filled_rows(form) and "none" not in texts:
        problems["individuals"] = Message("Enter the individuals, or confirm that the register names none.")
    return problems


def _rename(path: str, form: RegisterForm) -> str:
    if path.startswith(_INDIVIDUALS):
        number, _, inner = path.removeprefix(_INDIVIDUALS).partition(".")
        column = _COLUMN_BY_FIELD.get(inner, _COLUMN_BY_FIELD.get(inner.partition(".")[0], inner))
        return f"individuals.{_list_filled_rows(form)[int(number)]}.{column}"
    if path.startswith(_ADDRESSES):
        return name_address(_list_addressed_parties(form)[int(path.removeprefix(_ADDRESSES).partition(".")[0])])
    return _FIELDS.get(path, path)


def _read_rows(texts: Mapping[str, str]) -> list[Mapping[str, str]]:
    names = [{column: f"individuals.{number}.{column}" for column in COLUMNS} for number in range(MAX_ROWS)]
    sent = [number for number, row in enumerate(names) if any(name in texts for name in row.values())]
    rows = [{column: texts.get(name, "") for column, name in row.items()} for row in names[: max(sent, default=-1) + 1]]
    return _pad(rows, FIRST_ROWS)


def _pad(rows: Sequence[Mapping[str, str]], number: int) -> list[Mapping[str, str]]:
    return [*rows, *(dict.fromkeys(COLUMNS, "") for _ in range(number - len(rows)))]


def _to_individual(row: Mapping[str, str], number: int, problems: dict[str, Message]) -> dict[str, Any]:
    value: dict[str, Any] = {name: row[name] for name in ("name", "from", "to", "control", "address") if row[name]}
    share = {}
    for end, column in (("min", "shareMin"), ("max", "shareMax")):
        if row[column]:
            fraction = parse_percent(row[column])
            if fraction is None:
                problems[f"individuals.{number}.{column}"] = Message("must be a percentage from 0 to 100, such as 25")
            share[end] = fraction
    if share and None not in share.values():
        value["share"] = {"exact": share["min"]} if len(share) > 1 and share["min"] == share["max"] else share
    if row["kind"]:
        value["kinds"] = (row["kind"],)
    return value
