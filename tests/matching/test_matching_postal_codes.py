"""Postal codes in lines, valid and mistyped, and how two of them compare."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bonafide.matching.addresses.address_comparison import compare_addresses
from bonafide.matching.addresses.postal_codes import (
    compare_postal_codes,
    find_postal_code,
    format_postal_code,
    suggest_postal_code,
)
from bonafide.matching.scoring import score_parameters
from bonafide.model.entity import Address


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("m5v 2to", "M5V 2T0"),
        ("MSV 2T6", "M5V 2T6"),
        ("M5V2TG", "M5V 2T6"),
        ("TIY 0A2", "T1Y 0A2"),
        ("t522x4", "T5Z 2X4"),
        ("M5V 2TX", None),
        ("M5V 2T", None),
        ("M5V 2T6", None),
        ("", None),
    ],
)
def test_a_mistyped_code_suggests_the_one_that_it_looks_like(text: str, code: str | None) -> None:
    assert suggest_postal_code(text) == code


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("12 orlov st, toronto on m5v 2t6", "m5v 2t6"),
        ("12 orlov st, toronto on m5v 2t6, m5v 2to", "m5v 2t6"),
        ("12 orlov st, toronto on m5v 2to", "m5v 2to"),
        ("12 orlov st, toronto on m5v2t", "m5v2t"),
        ("12 orlov st, suite 4b, toronto on", None),
        ("12 orlov st, buffalo ny 14202-1234", None),
        ("box 5a1", None),
        ("b4b-492 orlov market, guelph, on", None),
        ("492 orlov road, b4b-492 orlov market, guelph, on", None),
        ("492 orlov road, b4b 492 orlov market, guelph, on", None),
        ("492 orlov road, m5v 2to toronto, on", "m5v 2to"),
        ("492 orlov road, m5 2t6 toronto, on", "m5 2t6"),
        ("ottawa", None),
        ("", None),
    ],
)
def test_a_code_is_found_where_one_may_be(text: str, code: str | None) -> None:
    found = find_postal_code(text)
    assert (text[found.start : found.end] if found is not None else None) == code


@pytest.mark.parametrize(
    ("one", "other", "score"),
    [
        ("M5V 2T6", "m5v2t6", 1.0),
        ("M5V 2TO", "M5V 2T0", score_parameters.MISTYPED_POSTAL_CODE),
        ("MSV 2TO", "M5V 2T0", score_parameters.MISTYPED_POSTAL_CODE),
        ("M5V 2T", "M5V 2T6", score_parameters.MISTYPED_POSTAL_CODE),
        ("M5V 2T6", "M5V 2T0", score_parameters.SAME_AREA),
        ("M5V 2T6", "K1A 0B1", 0.0),
        ("MSV 2TO", "K1A 0B1", 0.0),
        ("14202", "M5V 2T6", 0.0),
    ],
)
def test_codes_compare_the_same_both_ways(one: str, other: str, score: float) -> None:
    assert compare_postal_codes(one, other)[0] == compare_postal_codes(other, one)[0] == score


def test_the_comparison_says_which_code_is_mistyped() -> None:
    requested = Address(raw="12 Orlov St, Toronto, ON M5V 2TO")
    found = Address(street="12 Orlov St", city="Toronto", province="ON", postal_code="M5V 2T0")
    rows = {row.field: row for row in compare_addresses(requested, found).rows}
    assert (rows["city"].score, rows["province"].score) == (1.0, 1.0)
    assert rows["postalCode"].reason == "“M5V 2TO” is not a postal code; it looks like M5V 2T0"
    found = Address(street="12 Orlov St", city="Toronto", province="ON", postal_code="M5V 2T8")
    (reason,) = (
        row.reason
        for row in compare_addresses(Address(raw="12 Orlov St, Toronto, ON M5V T8"), found).rows
        if row.field == "postalCode"
    )
    assert reason == "“M5V T8” is not a postal code; one character differs from M5V 2T8"


@given(st.text(max_size=40), st.text(max_size=12))
def test_any_text_is_read(text: str, code: str) -> None:
    find_postal_code(text)
    suggested = suggest_postal_code(code)
    assert suggested is None or format_postal_code(suggested) == suggested
    assert compare_postal_codes(text, code)[0] == compare_postal_codes(code, text)[0]
