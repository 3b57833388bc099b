"""Files of names: every line is a row or a bad row, in order, whatever stands in it."""

import io
import re
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bonafide.i18n.message import Message
from bonafide.model.entry import EntityKind
from bonafide.model.search.match import ScreeningWarningCode
from bonafide.services.records.csv_lines import MAX_LINE_BYTES
from bonafide.services.screening.name_file import (
    MAX_ROW_LINES,
    InvalidNameRow,
    NameFileRow,
    NameRow,
    read_names,
)

TODAY = date(2026, 11, 23)


def rows(text: str | bytes) -> list[NameFileRow]:
    return list(read_names(io.BytesIO(text if isinstance(text, bytes) else text.encode())).rows)


def named(*names: tuple[int, str]) -> list[NameRow]:
    return [NameRow(line, name) for line, name in names]


def bad(text: str | bytes) -> tuple[int, str]:
    (row,) = (row for row in rows(text) if isinstance(row, InvalidNameRow))
    return row.line, row.reason


def test_without_a_header_each_line_is_a_name_commas_and_all() -> None:
    assert rows("Doe, Jane\n\n  Example Ltd.  \r\nLast one") == named((1, "Doe, Jane"), (3, "Example Ltd."), (4, "Last one"))


@pytest.mark.parametrize(
    "header", ["name,entityType,country,dateOfBirth", "Date of Birth;NAME;entity_type;Countries", "\ufeffname\tCountry"]
)
def test_a_header_is_known_however_it_is_spelled(header: str) -> None:
    file = read_names(io.BytesIO(f"{header}\n".encode()))
    assert (list(file.rows), file.unread) == ([], ())


def test_columns_are_read_by_their_names() -> None:
    (row,) = rows('id,dateOfBirth,name,country,entityType\n7,1961-03,"Doe, Jane",iran; UA,Person\n')
    assert isinstance(row, NameRow)
    request = row.request(TODAY).request
    assert (request.query, request.countries, request.date_of_birth) == ("Doe, Jane", ["IR", "UA"], "1961-03")
    assert request.entity_type is EntityKind.PERSON


def test_an_empty_cell_says_nothing() -> None:
    (row,) = rows("name,country,dateOfBirth,entityType\nJane Doe,,,\n")
    assert isinstance(row, NameRow)
    request = row.request(TODAY).request
    assert (request.countries, request.date_of_birth, request.entity_type) == (None, None, None)


def test_columns_that_are_not_read_are_named() -> None:
    assert read_names(io.BytesIO(b"id,name,DateofBrith\n")).unread == ("id", "DateofBrith")


def test_a_column_that_is_there_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="line 1: the column “country” is repeated"):
        read_names(io.BytesIO(b"name,country,Countries\n"))


def test_a_cell_may_hold_line_breaks_and_lines_go_on_being_counted() -> None:
    assert rows('name,address\nOne,"1 Street\nTown"\nTwo,x\n') == named((2, "One"), (4, "Two"))


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("name,country\nOne,CA,extra\nTwo,CA\n", 2, "3 cells, but the header has 2 columns"),
        ("name,country\nOne\nTwo,CA\n", 2, "1 cell, but the header has 2 columns"),
        ("name,country\n,CA\nTwo,CA\n", 2, "name: is empty"),
        ('name\n"One\nTwo\n', 2, "a quote is not closed"),
        ('name\n"One" Ltd\nTwo\n', 2, "not CSV: ',' expected after '\"'"),
        (b"name\nCaf\xe9\nTwo\n", 2, "not UTF-8"),
        (b"Caf\xe9\nTwo\n", 1, "not UTF-8"),
        ("x" * (2 * MAX_LINE_BYTES + 5) + "\nTwo\n", 1, "longer than 100,000 bytes"),
    ],
)
def test_a_line_that_cannot_be_read_is_told_and_the_next_one_is_read(text: str | bytes, line: int, reason: str) -> None:
    assert bad(text) == (line, reason)
    last = rows(text)[-1]
    assert (last.name, last.line) == ("Two", line + 1)


def test_an_open_quote_costs_one_row_of_many() -> None:
    count = 3 * MAX_ROW_LINES
    found = rows('name\n"Open\n' + "".join(f"Name {n}\n" for n in range(count)))
    assert [row.name for row in found[1:]] == [f"Name {n}" for n in range(count)]
    assert found[0] == InvalidNameRow(2, '"Open', Message("a quote is not closed"))


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("***,,,", "name: must have at least one letter or digit"),
        ("Jane,Alien,,", "entityType: must be one of person, organization, vessel, aircraft"),
        ("Jane,,Atlantis,", "country: “Atlantis” is not a country"),
        ("x" * 301 + ",,,", "name: must have at most 300 characters"),
        ("a\x07b,,,", "name: control characters are not allowed"),
    ],
)
def test_what_a_row_says_is_checked_as_a_request_is(line: str, reason: str) -> None:
    (row,) = rows(f"name,entityType,country,dateOfBirth\n{line}\n")
    assert isinstance(row, NameRow)
    with pytest.raises(ValueError, match=re.escape(reason)):
        row.request(TODAY)


@pytest.mark.parametrize(
    "birth", ["1961-13", "1961-02-30", "2026-11-24", "2026-12", "2027", "12/05/1971", "0000", "x" * 400, "a\x07b"]
)
def test_a_row_is_screened_without_an_impossible_date_of_birth(birth: str) -> None:
    (row,) = rows(f"name,country,dateOfBirth\nJane Doe,CA,{birth}\n")
    assert isinstance(row, NameRow)
    found = row.request(TODAY)
    assert (found.request.query, found.request.countries, found.request.date_of_birth) == ("Jane Doe", ["CA"], None)
    (warning,) = found.warnings
    assert (warning.code, warning.field) == (ScreeningWarningCode.INVALID_DATE_OF_BIRTH, "dateOfBirth")
    assert birth[:30] in warning.message
    assert len(warning.message) < 200


@pytest.mark.parametrize("birth", ["1961", "1961-12", "1961-02-28", "2026", "2026-11", "2026-11-23", ""])
def test_a_date_of_birth_up_to_today_has_no_warning(birth: str) -> None:
    (row,) = rows(f"name,dateOfBirth\nJane Doe,{birth}\n")
    assert isinstance(row, NameRow)
    found = row.request(TODAY)
    assert (found.request.date_of_birth, found.warnings) == (birth or None, ())


def test_another_problem_of_a_row_without_its_date_of_birth_is_an_error() -> None:
    (row,) = rows("name,entityType,dateOfBirth\nJane Doe,Alien,1961-13\n")
    assert isinstance(row, NameRow)
    with pytest.raises(ValueError, match="entityType: must be one of"):
        row.request(TODAY)


def test_an_empty_file_has_no_rows() -> None:
    assert rows("") == []


def lines_of(names: list[str], end: str) -> str:
    return "".join(f"{name}{end}" for name in names)


WORDS = st.text(st.characters(exclude_characters="\r\n\ufeff", exclude_categories=["Cs"]), min_size=1).filter(
    lambda text: text.strip() != ""
)


@given(st.lists(WORDS, min_size=1, max_size=8), st.sampled_from(["\n", "\r\n"]))
def test_no_name_is_lost(names: list[str], end: str) -> None:
    # After a name that is no header.
    found = rows(lines_of(["Somebody", *names], end))
    assert [row.name for row in found[1:]] == [name.strip() for name in names]


@given(st.binary(max_size=400))
def test_every_line_of_anything_is_one_row_or_blank(content: bytes) -> None:
    lines = [number for number, line in enumerate(content.split(b"\n"), 1) if line.strip(b"\r\n \t")]
    found = rows(b"Somebody\n" + content)
    assert {row.line - 1 for row in found[1:]} <= set(lines)
