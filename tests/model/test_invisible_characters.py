"""Invisible characters are found by their code points and removed, except those that belong to the spelling of a word."""

import pytest

from bonafide.model.invisible_characters import find_invisible_characters, remove_invisible_characters


@pytest.mark.parametrize(
    ("text", "found", "rest"),
    [
        ("Acme\u202eInc", ["U+202E"], "AcmeInc"),
        ("\u2066Acme\u2069", ["U+2066", "U+2069"], "Acme"),
        ("A\u200bc\u200bme", ["U+200B"], "Acme"),
        ("Acme\ufeff", ["U+FEFF"], "Acme"),
        ("Ac\u00adme", ["U+00AD"], "Acme"),
        ("\u3164", ["U+3164"], ""),
        ("Acme\u2028Ltd.", ["U+2028"], "Acme Ltd."),
        ("Ac\u200dme", ["U+200D"], "Acme"),
        ("Acme\U000e0041", ["U+E0041"], "Acme"),
        ("Acme\ufe0f", ["U+FE0F"], "Acme"),
    ],
)
def test_an_invisible_character_is_found_and_removed(text: str, found: list[str], rest: str) -> None:
    assert find_invisible_characters(text) == found
    assert remove_invisible_characters(text) == rest


@pytest.mark.parametrize(
    "text",
    [
        "Acme Inc.",
        "Boulangerie d’Été",
        "می\u200cخواهم",  # a zero-width non-joiner in a Persian word
        "क्\u200dष",  # a zero-width joiner in a Hindi word
        "I ❤\ufe0f Pizza",
        "👩\u200d🍳 Kitchen",
        "Acme\u00a0inc.",
    ],
)
def test_a_name_that_is_spelt_so_is_unchanged(text: str) -> None:
    assert find_invisible_characters(text) == []
    assert remove_invisible_characters(text) == text
