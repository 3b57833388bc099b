"""The scores of people's names, pair by labelled pair, and names on sanctions lists."""

import pytest
from name_pairs import BANDS, PEOPLE

from bonafide.matching.listed import compare_subject, listed_name, subject
from bonafide.matching.people import person_name
from bonafide.matching.person_names import compare_person_names
from bonafide.model.entry import EntityKind


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
    assert person_name(text).parts == tuple(parts.split())


def test_the_reason_says_how_a_part_was_read() -> None:
    comparison = compare_person_names("Bob Orlovski", "Robert Orlovsky")
    assert comparison.reason == "'bob' read as 'robert' (a form of the same name); 'orlovski' read as 'orlovsky' (1 letter)"


def test_nothing_to_compare_scores_nothing() -> None:
    assert compare_person_names("?", "Zofia Kwiatek").score == 0


def test_people_on_a_list_are_compared_as_people_and_others_as_businesses() -> None:
    assert compare_subject(subject("Zofia Kwiatek"), listed_name("KWIATEK, Zofia", EntityKind.PERSON)).score == 1
    trading = listed_name("ZEPHYRINE TRADING LIMITED", EntityKind.ORGANIZATION)
    assert compare_subject(subject("Zephyrine Trading Ltd."), trading).score == 1
    assert compare_subject(subject("MV Zephyrine Orlovska"), listed_name("ZEPHYRINE ORLOVSKA", EntityKind.VESSEL)).score < 1


def test_a_single_name_is_never_enough_for_a_person_who_has_more() -> None:
    for query in ("Zofia", "Zofia LLC", "Kwiatek", "Kwiatek Inc."):
        assert compare_subject(subject(query), listed_name("Zofia Kwiatek", EntityKind.PERSON)).score < 0.7


def test_a_business_that_bears_a_person_s_name_finds_the_person() -> None:
    assert compare_subject(subject("Zofia Kwiatek Inc."), listed_name("KWIATEK, Zofia", EntityKind.PERSON)).score >= 0.95


def test_a_family_name_that_looks_like_a_legal_form_is_kept() -> None:
    assert compare_subject(subject("Zofia de Sá"), listed_name("SÁ, Zofia de", EntityKind.PERSON)).score >= 0.95
