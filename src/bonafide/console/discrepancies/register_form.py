"""The form of a comparison: the register's entry as a person types it in, and the addresses of the declared owners.

Rows that are empty are ignored. Problems keep the names of the form's fields, whatever rows were left empty.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from typing import Any
from uuid import UUID

from pydantic import ValidationError
from starlette.datastructures import FormData

from bonafide.console.frame.forms import parse_day, parse_uuid, to_midnight
from bonafide.errors import ValidationFailed
from bonafide.i18n.message import Message
from bonafide.model.ownership.discrepancies import DiscrepancyRequest, ReviewedSide
from bonafide.model.ownership.owner_comparison import MAX_OWNERS
from bonafide.web.validation_errors import to_api_error

FIRST_ROWS = 4
"""At most four individuals can have 25 % each."""
MORE_ROWS = 4
MAX_ROWS = MAX_OWNERS
COLUMNS = ("name", "from", "to", "kind", "shareMin", "shareMax", "control", "address")
_INDIVIDUALS = "comparison.registry.individuals"
_PER_CENT = 100


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


@dataclass(frozen=True, slots=True)
class SentRegisterForm:
    """A submitted form: its content, and the parsed request; None if there are problems."""

    form: RegisterForm
    request: DiscrepancyRequest | None


def build_register_form(today: str) -> RegisterForm:
    """An empty form."""
    return RegisterForm({"consultedOn": today}, _pad([], FIRST_ROWS))


def add_rows(form: RegisterForm) -> RegisterForm:
    """The form with more rows."""
    return RegisterForm(form.texts, _pad(form.rows, min(len(form.rows) + MORE_ROWS, MAX_ROWS)), form.document_ids)


def parse_register_form(sent: FormData, declared: ReviewedSide) -> SentRegisterForm:
    """Parse a submitted form. The declared owners are those of the page, with the addresses that were typed in."""
    texts = {name: str(value).strip() for name, value in sent.items() if isinstance(value, str)}
    rows = _read_rows(texts)
    document_ids = [found for found in map(parse_uuid, map(str, sent.getlist("document"))) if found is not None]
    problems: dict[str, Message] = {}
    filled = [number for number, row in enumerate(rows) if any(row.values())]
    individuals = [_to_individual(rows[number], number, problems) for number in filled]
    values: dict[str, Any] = {
        "riskRating": texts.get("riskRating") or None,
        "documentIds": tuple(document_ids),
        "note": texts.get("note", "").replace("\r\n", "\n") or None,
        "comparison": {
            "declared": tuple(_add_address(owner.model_dump(by_alias=True), texts) for owner in declared.owners),
            "registry": {"consultedOn": texts.get("consultedOn") or None, "individuals": tuple(individuals)},
        },
    }
    if texts.get("foundOn"):
        day = parse_day(texts["foundOn"])
        if day is None:
            problems["foundOn"] = Message("must be a date: YYYY-MM-DD")
        else:
            values["foundAt"] = to_midnight(day)
    if not filled and "none" not in texts:
        problems["individuals"] = Message("Enter the individuals, or confirm that the register names none.")
    form = RegisterForm(texts, rows, document_ids, problems)
    try:
        request = DiscrepancyRequest.model_validate(values)
    except ValidationError as error:
        found = to_api_error(error, DiscrepancyRequest)
        return SentRegisterForm(_with_problems(form, rename_problems(found, filled)), None)
    return SentRegisterForm(form, request if not problems else None)


def rename_problems(error: object, filled: Sequence[int]) -> dict[str, Message]:
    """The problems of a request by the fields of the form."""
    details = error.details if isinstance(error, ValidationFailed) else []
    return {_rename(problem.path, filled): problem.message for problem in details}


def list_filled_rows(form: RegisterForm) -> list[int]:
    """The numbers of the rows that aren't empty."""
    return [number for number, row in enumerate(form.rows) if any(row.values())]


def _with_problems(form: RegisterForm, found: Mapping[str, Message]) -> RegisterForm:
    return RegisterForm(form.texts, form.rows, form.document_ids, {**found, **form.problems})


def _rename(path: str, filled: Sequence[int]) -> str:
    if path.startswith(f"{_INDIVIDUALS}."):
        number, _, inner = path.removeprefix(f"{_INDIVIDUALS}.").partition(".")
        name = {"share": "shareMin", "kinds": "kind"}.get(inner.partition(".")[0], inner.partition(".")[0])
        return f"individuals.{filled[int(number)]}.{name}"
    return {"comparison.registry.consultedOn": "consultedOn", "foundAt": "foundOn", "documentIds": "file"}.get(path, path)


def _read_rows(texts: Mapping[str, str]) -> list[Mapping[str, str]]:
    names = [{column: f"individuals.{number}.{column}" for column in COLUMNS} for number in range(MAX_ROWS)]
    sent = [number for number, row in enumerate(names) if any(name in texts for name in row.values())]
    rows = [{column: texts.get(name, "") for column, name in row.items()} for row in names[: max(sent, default=-1) + 1]]
    return _pad(rows, FIRST_ROWS)


def _pad(rows: Sequence[Mapping[str, str]], number: int) -> list[Mapping[str, str]]:
    return [*rows, *(dict.fromkeys(COLUMNS, "") for _ in range(number - len(rows)))]


def _to_individual(row: Mapping[str, str], number: int, problems: dict[str, Message]) -> dict[str, Any]:
    value: dict[str, Any] = {name: row[name] or None for name in ("name", "from", "to", "control", "address")}
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
    if value["name"] is None:
        del value["name"]
    return value


def parse_percent(text: str) -> float | None:
    """The fraction of a percentage as people write it (`25`, `12,5 %`); None for any other text."""
    try:
        percent = Decimal(text.replace("%", "").replace(",", ".").strip())
    except InvalidOperation:
        return None
    return float(percent / _PER_CENT) if percent.is_finite() and 0 <= percent <= _PER_CENT else None


def _add_address(owner: dict[str, Any], texts: Mapping[str, str]) -> dict[str, Any]:
    address = texts.get(f"declared.{owner['party']}.address", "")
    return {**owner, "address": address or None}
