"""Numbers in any spelling, and the check digits that some of them carry."""

import csv
from pathlib import Path

import pytest

from bonafide.matching.identifiers.number_matching import (
    build_number_keys,
    compare_numbers,
    is_business_number,
    is_federal_number_valid,
    is_imo_number,
    is_lei,
    is_luhn_valid,
    is_misread,
    is_same_series,
)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("BC0772006", "bc 0772006"),
        ("BC0772006", "0772006"),
        ("BC0772006", "772006"),
        ("426160-7", "4261607"),
        ("426160-7", " 426 160 7 "),
        ("835752437RC0001", "83575 2437"),
        ("835752437RC0001", "835752437 RT 0001"),
        ("832815864-141006", "141006"),
        ("832815864-141006", "832815864"),
        ("CRSA1374765", "crsa-1374765"),
        ("11 6000 0017", "1160000017"),
        ("NEQ 1160000017", "1160000017"),
        ("ON 1000017", "1000017"),
        ("No. 1000017", "1000017"),
        ("0001000017", "1000017"),
        ("1234567", "1234567"),
        ("IMO 9074729", "9074729"),
        ("549300gkfg0ryrrq1414", "549300GKFG0RYRRQ1414"),
    ],
)
def test_spellings_of_one_number_meet(one: str, other: str) -> None:
    assert build_number_keys(one) & build_number_keys(other)
    assert compare_numbers(one, other) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("FM0772006", "BC0772006"),
        ("FM0772006", "0772006"),
        ("1000017", "1000071"),
        ("012345674", "12345674"),  # passes the check of a business number, which is never padded
        ("835752437", "835752438"),
        ("", ""),
        ("-", "-"),
    ],
)
def test_different_numbers_do_not_meet(one: str, other: str) -> None:
    assert not build_number_keys(one) & build_number_keys(other)
    assert compare_numbers(one, other) < 1


def test_a_number_of_zeros_has_a_key() -> None:
    assert build_number_keys("000") == {"0"}


def test_one_wrong_character_of_a_long_number_is_a_misreading() -> None:
    assert is_misread("1000017", "1000071")
    assert is_misread("1000017", "100017")
    assert not is_misread("1000017", "1000717 9")
    assert not is_misread("1017", "1018")


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("1000017", "2000025", True),
        ("BC0772006", "1034567", True),
        ("1000017", "1160000017", False),
        ("1000017", "835752437", False),
        ("FM0772006", "FM0772007", True),
        ("FM0772006", "BC0772007", False),
        ("549300GKFG0RYRRQ1414", "1000017", False),
    ],
)
def test_only_numbers_of_one_series_are_set_against_each_other(one: str, other: str, same: bool) -> None:  # noqa: FBT001
    assert is_same_series(one, other) is same
    assert is_same_series(other, one) is same


def test_luhn() -> None:
    assert is_luhn_valid("79927398713")
    assert not is_luhn_valid("79927398710")
    assert not is_luhn_valid("7992739871x")
    assert not is_luhn_valid("٧٩٩")


def test_business_numbers() -> None:
    assert is_business_number("100000009")
    assert is_business_number("10000 0009 RC0001")
    assert not is_business_number("100000008")
    assert not is_business_number("1000009")


def test_leis() -> None:
    assert is_lei("5493000IBP32UQZ0KL24")
    assert is_lei(" 5493000ibp32uqz0kl24 ")
    assert not is_lei("5493000IBP32UQZ0KL25")
    assert not is_lei("5493000")


def test_imo_numbers() -> None:
    assert is_imo_number("IMO 9074729")
    assert not is_imo_number("9074728")
    assert not is_imo_number("907472")


def test_the_federal_check_digit() -> None:
    assert is_federal_number_valid("426160-7")
    assert not is_federal_number_valid("426160-8")
    assert not is_federal_number_valid("42")


def column(path: Path, name: str) -> list[str]:
    with path.open(encoding="utf-8-sig", newline="") as text:
        return [row[name] for row in csv.DictReader(text)]


@pytest.mark.realdata
def test_genuine_federal_numbers_pass(shared_data: Path) -> None:
    numbers = column(shared_data / "registries/IDENTIFIERS/federal_corporation_numbers_44.csv", "corporation_number")
    assert [number for number in numbers if not is_federal_number_valid(number)] == []


@pytest.mark.realdata
def test_genuine_business_numbers_pass(shared_data: Path) -> None:
    numbers = column(shared_data / "registries/IDENTIFIERS/business_numbers_37.csv", "bn9")
    assert [number for number in numbers if not is_business_number(number)] == []
