"""The forms of one rule and of the bands: created from the draft, and parsed from a submission."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic import ValidationError
from starlette.datastructures import FormData

from bonafide.console.frame.forms import list_problems
from bonafide.i18n.message import Message
from bonafide.matching.risk.condition_language import ConditionError, compile_condition
from bonafide.model.risk.rules import MAX_BANDS, RiskBand, RiskRule
from bonafide.web.validation_errors import to_api_error

NEW_RULE_ID = "new"
"""Stands for the ID of a rule that has none yet; its ID is derived from its title when it is saved."""
BLANK_BANDS = 2
_WHOLE_NUMBER = re.compile(r"[+-]?[0-9]{1,9}")
_TEXT_FIELDS = ("title", "when", "reason")
_NOT_WHOLE = Message("must be a whole number")


@dataclass(frozen=True, slots=True)
class RuleForm:
    """The content of the form of a rule: its texts, the digest of the rule that was opened, and problems by field."""

    values: Mapping[str, str]
    seen: str = ""
    problems: Mapping[str, Message] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SentRule:
    """A submitted form of a rule: its content, to show it again, and the rule; None if there are problems."""

    form: RuleForm
    rule: RiskRule | None


@dataclass(frozen=True, slots=True)
class BandForm:
    """The content of the form of the bands: rows of `name` and `from`, and problems by field."""

    rows: Sequence[Mapping[str, str]]
    seen: Sequence[Mapping[str, str]]
    problems: Mapping[str, Message] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SentBands:
    """Submitted bands: the content of the form, the bands, and the bands as they were when the form was opened."""

    form: BandForm
    bands: Sequence[RiskBand] | None
    expected: Sequence[RiskBand]


def build_rule_form(rule: RiskRule | None) -> RuleForm:
    """The form of a rule of the draft, or of a new one."""
    if rule is None:
        return RuleForm({**dict.fromkeys(_TEXT_FIELDS, ""), "points": "", "unknownPoints": ""})
    unknown = str(rule.unknown_points) if rule.unknown_points is not None else ""
    values = {"title": rule.title, "when": rule.when, "reason": rule.reason, "points": str(rule.points), "unknownPoints": unknown}
    return RuleForm(values, rule.digest)


def parse_rule_form(sent: FormData, rule_id: str) -> SentRule:
    """Parse the form of a rule, and compile its condition."""
    texts = {name: _read_text(sent, name) for name in (*_TEXT_FIELDS, "points", "unknownPoints")}
    form = RuleForm(texts, _read_text(sent, "seen"))
    problems: dict[str, Message] = {}
    values: dict[str, Any] = {"id": rule_id, **{name: texts[name] for name in _TEXT_FIELDS if texts[name]}}
    for name in ("points", "unknownPoints"):
        if texts[name]:
            number = _parse_whole_number(texts[name])
            values[name] = number
            if number is None:
                problems[name] = _NOT_WHOLE
    rule = None
    try:
        rule = RiskRule.model_validate(values)
    except ValidationError as error:
        problems = {**list_problems(to_api_error(error, RiskRule)), **problems}
    if texts["when"] and "when" not in problems:
        try:
            compile_condition(texts["when"])
        except ConditionError as error:
            problems["when"] = error.problem
    return SentRule(replace(form, problems=problems), rule if not problems else None)


def build_band_form(bands: Sequence[RiskBand]) -> BandForm:
    """The form of the bands, with empty rows for more."""
    rows = [{"name": band.name, "from": str(band.from_)} for band in bands]
    return BandForm(_add_blank_rows(rows), rows)


def parse_band_form(sent: FormData) -> SentBands:
    """Parse the form of the bands. A row without a name and a number is removed."""
    sent_rows, seen = _read_rows(sent, "bands"), _read_rows(sent, "seen")
    rows = [row for row in sent_rows if row["name"] or row["from"]]
    problems: dict[str, Message] = {}
    bands = _parse_bands(rows, problems)
    if not rows:
        problems["bands.0.name"] = Message("is required")
    form = BandForm(_add_blank_rows(rows), seen, problems)
    return SentBands(form, bands if not problems else None, _parse_bands(seen, {}))


def _parse_bands(rows: Sequence[Mapping[str, str]], problems: dict[str, Message]) -> list[RiskBand]:
    found = []
    for place, row in enumerate(rows):
        number = _parse_whole_number(row["from"])
        if number is None:
            problems[f"bands.{place}.from"] = _NOT_WHOLE
            continue
        try:
            found.append(RiskBand.model_validate({"name": row["name"], "from": number}))
        except ValidationError as error:
            listed = list_problems(to_api_error(error, RiskBand))
            problems.update({f"bands.{place}.{name}": problem for name, problem in listed.items()})
    return found


def _add_blank_rows(rows: Sequence[Mapping[str, str]]) -> list[Mapping[str, str]]:
    return [*rows, *[{"name": "", "from": ""}] * min(BLANK_BANDS, MAX_BANDS - len(rows))]


def _read_rows(sent: FormData, part: str) -> list[Mapping[str, str]]:
    rows = range(MAX_BANDS)
    names = ("name", "from")
    return [
        {name: _read_text(sent, f"{part}.{place}.{name}") for name in names} for place in rows if f"{part}.{place}.name" in sent
    ]


def _read_text(sent: FormData, name: str) -> str:
    value = sent.get(name, "")
    return value.replace("\r\n", "\n").strip() if isinstance(value, str) else ""


def _parse_whole_number(text: str) -> int | None:
    # People and programs also write the minus sign.
    plain = text.replace("\u2212", "-")
    return int(plain) if _WHOLE_NUMBER.fullmatch(plain) else None
