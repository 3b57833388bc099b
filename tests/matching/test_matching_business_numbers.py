"""The business number: spellings, accounts, its check, and what a register states under which label."""

import csv
from pathlib import Path

import pytest

from bonafide.matching.identifiers.number_formats import BusinessNumber, parse_business_number, parse_stated_business_number
from bonafide.matching.identifiers.number_matching import build_number_keys

ACCOUNTS = ("RC0001", "RT0001", "RP0002", "RM0001", "RR0001", "RZ0001", "BC0001", "NS0001", "MB0001")
SPELLINGS = (
    "123456782",
    "12345 6782",
    "123 456 782",
    "123-456-782",
    "BN 123456782",
    "BN:123456782",
    "NE 123456782",
    "Business Number (BN): 12345 6782",
    "business no. 123456782",
    "Numéro d’entreprise 123 456 782",
    "GST/HST No. 123456782RT0001",
    "TPS 123456782 RT 0001",
    "bn123456782rc0001",
    "123456782 RC 1",
    "123456782RC",
    *(f"123456782{account}" for account in ACCOUNTS),
    *(f"12345 6782 {account[:2].lower()} {account[2:]}" for account in ACCOUNTS),
)


@pytest.mark.parametrize("text", SPELLINGS)
def test_any_spelling_is_the_number_of_its_business(text: str) -> None:
    number = parse_business_number(text)
    assert number is not None
    assert (number.root, number.passes_check) == ("123456782", True)


@pytest.mark.parametrize("asked", SPELLINGS)
def test_any_spelling_finds_any_other(asked: str) -> None:
    assert all(build_number_keys(asked) & build_number_keys(stored) for stored in SPELLINGS)
    assert not any(build_number_keys(asked) & build_number_keys(other) for other in ("123456790", "123456790RC0001", "1000017"))


def test_the_account_is_kept_and_its_zeros_are_filled_in() -> None:
    assert parse_business_number("123456782 RC 1") == BusinessNumber("123456782", "RC0001")
    assert parse_business_number("123456782rt") == BusinessNumber("123456782", "RT")
    assert parse_business_number("123456782") == BusinessNumber("123456782")


@pytest.mark.parametrize(
    "text", ["12345678", "1234567820", "123456782RC00011", "123456782R0001", "BIN 123456782", "NEQ 123456782", "", "BN"]
)
def test_what_has_another_form_or_says_it_is_another_number_is_none(text: str) -> None:
    assert parse_business_number(text) is None


def test_a_wrong_digit_fails_the_check() -> None:
    number = parse_business_number("123456789")
    assert number is not None
    assert not number.passes_check


@pytest.mark.parametrize(
    ("label", "value", "stated"),
    [
        ("Business Number (BN)", "123456782", "123456782"),
        ("Business Number", "123456782RC0001", "123456782"),
        ("BN", "12345 6782", "123456782"),
        ("Business Number (BN)", "123456789", None),
        ("Business Identification Number", "123456782", None),
        ("Entity Number", "123456782", None),
        ("Registration Number", "123456782-141006", "123456782"),
        ("Registration Number", "123456789-141006", None),
    ],
)
def test_nine_digits_are_a_business_number_only_under_its_label(label: str, value: str, stated: str | None) -> None:
    assert parse_stated_business_number(label, value) == stated


@pytest.mark.realdata
def test_genuine_business_numbers_are_read_and_pass(shared_data: Path) -> None:
    with (shared_data / "registries/IDENTIFIERS/business_numbers_37.csv").open(encoding="utf-8-sig", newline="") as text:
        numbers = [parse_business_number(row["bn9"]) for row in csv.DictReader(text)]
    assert len(numbers) == 37
    assert all(number is not None and number.passes_check for number in numbers)
