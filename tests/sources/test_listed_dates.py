"""Dates of birth in all the forms that lists print."""

import pytest

from bonafide.sources.shared.lists.birth_dates import parse_birth_dates


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("1958-05-12", "1958-05-12"),
        ("1958/05/12", "1958-05-12"),
        ("1958-05-12-04:00", "1958-05-12"),
        ("12/05/1958", "1958-05-12"),
        ("12.5.1958", "1958-05-12"),
        ("12-05-1958", "1958-05-12"),
        ("12 May 1958", "1958-05-12"),
        ("12-MAY-1958", "1958-05-12"),
        ("12th of May, 1958", "1958-05-12"),
        ("May 12, 1958", "1958-05-12"),
        ("12 mai 1958", "1958-05-12"),
        ("1er août 1958", "1958-08-01"),
        ("3. März 1958", "1958-03-03"),
        ("Sept. 1958", "1958-09"),
        ("1958-05", "1958-05"),
        ("05/1958", "1958-05"),
        ("1958", "1958"),
        ("born in 1958", "1958"),
    ],
)
def test_one_date(text: str, date: str) -> None:
    assert parse_birth_dates(text) == (date,)


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("00/05/1958", "1958-05"),
        ("00/00/1958", "1958"),
        ("dd/mm/1958", "1958"),
        ("dd/05/1958", "1958-05"),
        ("12/00/1958", "1958"),
        ("1958-05-00", "1958-05"),
        ("1958-00-00", "1958"),
        ("--/--/1958", "1958"),
    ],
)
def test_missing_parts_are_left_out(text: str, date: str) -> None:
    assert parse_birth_dates(text) == (date,)


@pytest.mark.parametrize(
    ("text", "years"),
    [
        ("1963-1964", "1963/1964"),
        ("1963 – 1964", "1963/1964"),
        ("1963-64", "1963/1964"),
        ("1956 to 1958", "1956/1958"),
        ("between 1956 and 1958", "1956/1958"),
        ("entre 1956 et 1958", "1956/1958"),
        ("01 Jan 1960 to 31 Dec 1961", "1960/1961"),
        ("circa 1960-1962", "1960/1962"),
        ("circa 1958", "1957/1959"),
        ("Approximately 1958", "1957/1959"),
        ("c. 12 May 1958", "1957/1959"),
        ("1958 (approximately)", "1957/1959"),
        ("born in the early 1970s", "1970/1974"),
        ("mid-1970s", "1973/1977"),
        ("late 1970s", "1975/1979"),
        ("1970s", "1970/1979"),
        ("années 1970", "1970/1979"),
    ],
)
def test_years_from_and_to(text: str, years: str) -> None:
    assert parse_birth_dates(text) == (years,)


@pytest.mark.parametrize(
    ("text", "dates"),
    [
        ("1972-08-10 or 1972-08-11", ("1972-08-10", "1972-08-11")),
        ("(1) 12/05/1958 (2) 00/00/1960", ("1958-05-12", "1960")),
        ("1. 12 May 1958 2. circa 1960", ("1958-05-12", "1959/1961")),
        ("July 12, 1960 or September 12, 1960", ("1960-07-12", "1960-09-12")),
        ("1958/1959", ("1958", "1959")),
        ("1958; 1958", ("1958",)),
    ],
)
def test_several_dates(text: str, dates: tuple[str, ...]) -> None:
    assert parse_birth_dates(text) == dates


@pytest.mark.parametrize(
    "text",
    [
        "1975-19-25",
        "31/02/1960",
        "29 Feb 1961",
        "05/13/1958",
        "00/00/0000",
        "09/05/1380 (Hijri Calendar)",
        "40-45 years old",
        "",
        "unknown",
        "12/05/58",
    ],
)
def test_what_no_calendar_has_or_would_need_a_guess_is_dropped(text: str) -> None:
    assert parse_birth_dates(text) == ()


def test_nothing_printed_is_no_date() -> None:
    assert parse_birth_dates(None) == ()


def test_between_two_months_only_the_year_is_sure() -> None:
    assert parse_birth_dates("Between Aug. and Sep. 1977") == ("1977",)


def test_an_impossible_date_does_not_hide_the_one_beside_it() -> None:
    assert parse_birth_dates("1975-19-25 or 1975-09-25") == ("1975-09-25",)


def test_a_bare_number_of_five_figures_is_a_spreadsheets_day() -> None:
    assert parse_birth_dates("31801") == ("1987-01-24",)
    assert parse_birth_dates("45000") == ()
