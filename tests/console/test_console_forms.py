"""A form becomes a document, or each refused field is told in a sentence beside what was typed."""

from datetime import date
from io import BytesIO

import pytest
from pydantic import Field
from starlette.datastructures import FormData, UploadFile

from bonafide.console.frame.forms import get_uploaded_file, parse_form, parse_percent
from bonafide.i18n.language import Language
from bonafide.model.base import Document


class Street(Document):
    number: int
    name: str | None = None


class Wish(Document):
    full_name: str = Field(min_length=2)
    language: Language | None = None
    until: date | None = None
    threshold: float = Field(default=0.9, le=1)
    is_urgent: bool = False
    tags: tuple[str, ...] = ()
    address: Street | None = None


def sent(*pairs: tuple[str, str]) -> FormData:
    return FormData([("csrf", "token"), *pairs])


def test_fields_go_by_their_names_on_the_wire() -> None:
    found = parse_form(
        Wish, sent(("fullName", " Ada Lovelace "), ("language", "fr"), ("until", "2026-12-01"), ("threshold", "0.75"))
    )
    assert found.value == Wish(full_name="Ada Lovelace", language=Language.FRENCH, until=date(2026, 12, 1), threshold=0.75)
    assert found.problems == {}


def test_an_empty_field_counts_as_not_given() -> None:
    found = parse_form(Wish, sent(("fullName", "Ada"), ("until", ""), ("threshold", "  "), ("language", "")))
    assert found.value == Wish(full_name="Ada")


@pytest.mark.parametrize(("pairs", "is_urgent"), [((), False), ((("isUrgent", "true"),), True), ((("isUrgent", "on"),), True)])
def test_a_box_that_is_not_ticked_is_not_sent(pairs: tuple[tuple[str, str], ...], *, is_urgent: bool) -> None:
    found = parse_form(Wish, sent(("fullName", "Ada"), *pairs))
    assert found.value is not None
    assert found.value.is_urgent is is_urgent


def test_inner_fields_are_named_with_dots() -> None:
    found = parse_form(Wish, sent(("fullName", "Ada"), ("address.number", "12"), ("address.name", "rue Principale")))
    assert found.value is not None
    assert found.value.address == Street(number=12, name="rue Principale")


def test_what_is_wrong_inside_is_told_with_its_whole_name() -> None:
    found = parse_form(Wish, sent(("fullName", "Ada"), ("address.number", "twelve"), ("address.name", "x")))
    assert found.value is None
    assert list(found.problems) == ["address.number"]


def test_a_list_is_the_same_name_several_times() -> None:
    found = parse_form(Wish, sent(("fullName", "Ada"), ("tags", "one"), ("tags", ""), ("tags", "two")))
    assert found.value is not None
    assert found.value.tags == ("one", "two")


def test_every_refused_field_has_a_sentence_and_keeps_what_was_typed() -> None:
    found = parse_form(Wish, sent(("fullName", "A"), ("threshold", "7"), ("until", "yesterday"), ("language", "de")))
    assert found.value is None
    assert set(found.problems) == {"fullName", "threshold", "until", "language"}
    assert found.problems["threshold"] == "must be at most 1"
    assert [found.shown(name) for name in ("fullName", "until", "address.number")] == ["A", "yesterday", ""]


def test_a_field_that_is_missing_is_told() -> None:
    assert parse_form(Wish, sent()).problems == {"fullName": "is required"}


def test_of_a_field_that_is_there_twice_the_last_counts() -> None:
    # A hidden "false" before a box is how forms without scripts say no.
    found = parse_form(Wish, sent(("fullName", "Ada"), ("fullName", "Grace")))
    assert found.value == Wish(full_name="Grace")


def test_what_the_document_does_not_know_is_not_its_business() -> None:
    assert parse_form(Wish, sent(("fullName", "Ada"), ("button", "save"))).value == Wish(full_name="Ada")


def test_a_file_is_there_once_one_was_chosen() -> None:
    chosen, none = UploadFile(file=BytesIO(), filename="records.csv"), UploadFile(file=BytesIO(), filename="")
    assert get_uploaded_file(FormData([("file", chosen)]), "file") is chosen
    assert get_uploaded_file(FormData([("file", none)]), "file") is None
    assert get_uploaded_file(FormData([("file", "records.csv")]), "file") is None
    assert get_uploaded_file(FormData([]), "file") is None


def test_a_file_in_the_place_of_a_text_is_not_shown_again() -> None:
    file = UploadFile(file=BytesIO(), filename="records.csv")
    assert parse_form(Wish, FormData([("fullName", file)])).shown("fullName") == ""


@pytest.mark.parametrize(
    ("text", "fraction"),
    [
        ("25", 0.25),
        (" 12,5 % ", 0.125),
        ("33.3%", 0.333),
        (".5", 0.005),
        ("10.", 0.1),
        ("0", 0.0),
        ("100%", 1.0),
        ("33,3\u00a0%", 0.333),
    ],
)
def test_a_percentage_is_read_as_people_write_it(text: str, fraction: float) -> None:
    assert parse_percent(text) == fraction


@pytest.mark.parametrize(
    "text", ["", "%", ",", "-1", "100.1", "1e1", "1_0", "NaN", "inf", "2%5", "1,000.5", "\u0662\u0665", "a quarter"]
)
def test_any_other_text_is_no_percentage(text: str) -> None:
    assert parse_percent(text) is None
