"""The scores of people's names, pair by labelled pair."""

import pytest

from bonafide.matching.people.person_name_comparison import compare_person_names
from bonafide.matching.people.person_name_parsing import parse_person_name
from tests.support.matching.name_pairs import BANDS, PEOPLE


@pytest.mark.parametrize(("band", "a", "b"), PEOPLE)
def test_a_pair_scores_in_its_band_both_ways(band: str, a: str, b: str) -> None:
    lowest, highest = BANDS[band]
    there, back = compare_person_names(a, b), compare_person_names(b, a)
    assert there.score == back.score
    assert lowest <= there.score <= highest, there


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("ORLOVSKI, Jean-François", "jean francois orlovski"),
        ("Dr. Zofia Kwiatek, CPA", "zofia kwiatek"),
        ("Kwiatek, Zofia, PhD", "zofia kwiatek"),
        ("Dr", "dr"),
        ("Z.M. Kwiatek", "z m kwiatek"),
        ("Зофия Квятек", "зофия квятек"),
        (",", ""),
    ],
)
def test_the_parts_of_a_name(text: str, parts: str) -> None:
    assert parse_person_name(text).parts == tuple(parts.split())


def test_the_reason_says_how_a_part_was_read() -> None:
    comparison = compare_person_names("Bob Orlovski", "Robert Orlovsky")
    assert comparison.reason == (
        "“bob” matched with “robert” (form of the same given name); “orlovski” matched with “orlovsky” (1 letter differs)"
    )


def test_nothing_to_compare_scores_nothing() -> None:
    assert compare_person_names("?", "Zofia Kwiatek").score == 0
