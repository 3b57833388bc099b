"""Real Canadian addresses, joined by rule from the columns of the real files, are taken apart into those columns again.

The parser was tuned on one half of the questions, drawn by a hash of the row; the other half judges it. No row is printed.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from bonafide.matching.addresses.line_parsing import ParsedAddressLine, parse_address_line
from bonafide.matching.addresses.terms import format_postal_code, parse_province_code
from bonafide.matching.text.folding import fold
from tests.support.realdata.address_questions import Question, questions
from tests.support.realdata.outcome_tables import Report

pytestmark = pytest.mark.realdata

MIN_QUESTIONS, MIN_UNITS, MIN_STREETS = 500, 300, 600
MIN_RIGHT = 0.97


@pytest.fixture(scope="module")
def asked(shared_data: Path) -> list[Question]:
    return questions(shared_data)


def words(text: str | None) -> str | None:
    """The words of a text, whatever stands between them."""
    return " ".join("".join(part if part.isalnum() else " " for part in fold(text)).split()) if text is not None else None


def number(text: str | None) -> str | None:
    """A unit or street number, whatever stands between its characters."""
    return "".join(filter(str.isalnum, fold(text))).lstrip("0") if text is not None else None


def told(found: ParsedAddressLine) -> dict[str, str | None]:
    """What the parser says, field by field, in one spelling."""
    street = found.street
    return {
        "line": words(found.line),
        "unit": number(street.unit),
        "number": number(street.number),
        "street": words(street.spelled),
        "kind": street.kind,
        "direction": street.direction,
        "box": number(street.box),
        "city": words(found.city),
        "province": parse_province_code(found.province or ""),
        "postalCode": format_postal_code(found.postal_code) if found.postal_code is not None else None,
        "country": found.country,
    }


def meant(answer: dict[str, str | None]) -> dict[str, str | None]:
    """What the columns say, likewise; only the fields that are asked for."""
    spelling: dict[str, Callable[[str | None], str | None]] = {
        "line": words, "street": words, "city": words, "unit": number, "number": number, "box": number,
        "province": lambda text: parse_province_code(text or ""),
        "postalCode": lambda text: format_postal_code(text) if text is not None else None,
    }  # fmt: skip
    return {field: spelling[field](value) if field in spelling else value for field, value in answer.items()}


def wrong_fields(question: Question) -> list[str]:
    """The fields that the parser doesn't get right."""
    found, answer = told(parse_address_line(question.line)), meant(question.answer)
    return [field for field, value in answer.items() if found[field] != value]


def figures(asked: Sequence[Question]) -> str:
    """How many are right in every field, by source, by form and by field."""
    rows: dict[str, list[bool]] = defaultdict(list)
    for question in asked:
        wrong = wrong_fields(question)
        for label in (question.source, f"form: {question.form}", "all"):
            rows[label].append(not wrong)
        for field in question.answer:
            rows[f"field: {field}"].append(field not in wrong)
    width = max(map(len, rows))
    return "\n".join(
        f"{label:{width}}{len(row):7}{sum(row) / len(row):8.1%}" for label, row in sorted(rows.items(), key=lambda it: it[0])
    )


def share(asked: Sequence[Question]) -> float:
    return sum(wrong_fields(question) == [] for question in asked) / len(asked)


def test_there_are_enough_questions_and_of_every_kind(asked: list[Question]) -> None:
    held_back = [question for question in asked if question.held_back]
    assert len(held_back) >= MIN_QUESTIONS
    assert sum(question.answer.get("unit") is not None for question in held_back) >= MIN_UNITS
    assert sum("street" in question.answer for question in held_back) >= MIN_STREETS
    assert len({question.form for question in held_back}) == len({question.form for question in asked})


def test_of_the_held_back_half_nearly_all_are_right_in_every_field(asked: list[Question], report: Report) -> None:
    held_back = [question for question in asked if question.held_back]
    report(f"addresses taken apart, held-back half: questions, right in every field\n{figures(held_back)}")
    report(f"the half that the parser was tuned on: {share([question for question in asked if not question.held_back]):.1%}")
    assert share(held_back) >= MIN_RIGHT
