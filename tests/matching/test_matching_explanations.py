"""Explanations are true: every word of both names is in the breakdown, and no sentence contradicts it."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bonafide.i18n.message import Message
from bonafide.matching.names.business_name_comparison import compare_business_names
from bonafide.matching.names.normalization import normalise
from bonafide.matching.people.compared_people import NameBearer
from bonafide.matching.people.person_name_comparison import compare_parsed_person_names, compare_person_names
from bonafide.matching.people.person_name_parsing import parse_listed_person_name
from bonafide.matching.scoring.name_comparison import FeatureResult, NameComparison
from bonafide.matching.scoring.tolerance import Tolerance
from bonafide.matching.screening.listed_name_comparison import compare_listed_names
from bonafide.matching.screening.name_parsing import parse_organization_name
from bonafide.model.entry import EntityKind
from bonafide.model.search.match import WordDifference
from tests.support.matching.explanations import find_contradictions
from tests.support.matching.name_pairs import BUSINESSES, PEOPLE
from tests.support.sampling import examples

_BUSINESS_WORDS = """
Zephyrine Zephirine Zephyrin Orlovska Orlovsky Kwiatek Brzoza Nor thern Northern North South Toronto Ontario Iran Iranian Iraq
Plumbing Plomberie Bakery Boulangerie Baker Holdings Group Groupe National Bank Banque Centre Center J. J & et and The Les of de 12
21 2007-1 2007-2 42616 42617 9558-9321 (2010) No. 7 First One Two Inc. Ltd. Ltée Limited Partnership LP s.e.c. (Ltd.) Co. Corp
Société en commandite GmbH JSC OOO M/V MV o/a
"""
_PERSON_WORDS = """
Zofia Zophia Sofia Kwiatek Kwiatec Kviatek Orlovski Orlofski Jean Jean-François François Jeanfrançois Mohammed Muhammad Ali Aly Bob
Robert J. Z M. de la bin al-Orlovi Al Abd al Rahman Abdelrahman Abdul Nur ad Din Nureddin Dr. Mme Sheikh Jr. Junior Sr. III PhD CPA
, ( ) Orlov
"""
businesses = st.lists(st.sampled_from(_BUSINESS_WORDS.split()) | st.text(max_size=4), max_size=7).map(" ".join)
people = st.lists(st.sampled_from(_PERSON_WORDS.split()) | st.text(max_size=4), max_size=6).map(" ".join)
tolerances = st.builds(Tolerance, st.integers(0, 2), st.booleans(), st.booleans())


@examples(1500)
@given(businesses, businesses)
def test_explanations_of_business_names_are_true(a: str, b: str) -> None:
    one, other = normalise(a), normalise(b)
    assert find_contradictions(compare_business_names(one, other), one, other) == []


@examples(1500)
@given(businesses, businesses, st.sampled_from(EntityKind), tolerances)
def test_explanations_of_listed_names_are_true(a: str, b: str, kind: EntityKind, tolerance: Tolerance) -> None:
    one, other = parse_organization_name(a), parse_organization_name(b)
    assert find_contradictions(compare_listed_names(one, other, kind, tolerance=tolerance), one, other) == []


@examples(1500)
@given(people, people, tolerances, st.sampled_from(NameBearer))
def test_explanations_of_people_s_names_are_true(a: str, b: str, tolerance: Tolerance, bearer: NameBearer) -> None:
    one, other = parse_listed_person_name(a), parse_listed_person_name(b)
    assert find_contradictions(compare_parsed_person_names(one, other, tolerance, bearer), one, other) == []


@pytest.mark.parametrize(("band", "a", "b"), BUSINESSES)
def test_explanations_of_pairs_of_businesses_are_true(band: str, a: str, b: str) -> None:
    for parse, compare in ((normalise, compare_business_names), (parse_organization_name, compare_listed_names)):
        assert find_contradictions(compare(parse(a), parse(b)), parse(a), parse(b)) == [], band


@pytest.mark.parametrize(("band", "a", "b"), PEOPLE)
def test_explanations_of_pairs_of_people_are_true(band: str, a: str, b: str) -> None:
    one, other = parse_listed_person_name(a), parse_listed_person_name(b)
    assert find_contradictions(compare_person_names(a, b), one, other) == [], band


Row = tuple[str, str, str]


def rows(comparison: NameComparison) -> tuple[list[Row], list[str], list[str]]:
    """The words of a breakdown that have no weight: paired, missing, added."""
    breakdown = comparison.breakdown()
    return (
        [(it.submitted, it.found, it.difference) for it in breakdown.matched if it.weight == 0],
        [it.word for it in breakdown.missing if it.weight == 0],
        [it.word for it in breakdown.added if it.weight == 0],
    )


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("The Zephyrine Co. Ltd.", "Zephyrine Limitée", ([("ltd", "limitee", "equivalent")], ["the", "co"], [])),
        ("Société en commandite Zephyrine", "Zephyrine LP", ([("societe en commandite", "lp", "equivalent")], [], [])),
        ("Zephyrine Inc.", "Zephyrine Ltd.", ([], ["inc"], ["ltd"])),
        ("Zephyrine (Ltd.) Canada", "Zephyrine Canada Ltd", ([("ltd", "ltd", "equal")], [], [])),
    ],
)
def test_legal_forms_and_articles_are_in_the_breakdown_without_weight(
    a: str, b: str, expected: tuple[list[Row], list[str], list[str]]
) -> None:
    assert rows(compare_business_names(normalise(a), normalise(b))) == expected


def test_titles_degrees_and_generations_are_in_the_breakdown_without_weight() -> None:
    found = rows(compare_person_names("Dr. Zofia Kwiatek Jr.", "KWIATEK, Zofia, Junior, PhD"))
    assert found == ([("jr", "junior", WordDifference.EQUIVALENT)], ["dr"], ["phd"])


@pytest.mark.parametrize(
    ("a", "b", "reason"),
    [
        ("Zephyrine Series 42616", "Zephyrine Series 42617", "the other words match"),
        ("21 Zephyrine 42616", "7 Zephyrine 42617", "number 42617 instead of 42616, which is similar; number 7 instead of 21"),
        ("42616", "42617", "no other words match"),
        ("Zephyrine", "Orlovska", "no distinguishing words match"),
    ],
)
def test_a_sentence_about_words_says_no_more_than_is_true(a: str, b: str, reason: str) -> None:
    assert reason in compare_business_names(normalise(a), normalise(b)).reason


@pytest.mark.parametrize(
    ("a", "b", "reason"),
    [
        ("Zofia Kwiatek", "Berta Orlovski", "no part of the name matches"),
        ("Z. K.", "Zofia Kwiatek", "only initials match"),
        ("Kwiatek de la", "de la Orlovski", "only initials and particles match"),
        ("Zofia", "Zofia Kwiatek", "only one full part of the name matches"),
        ("Kwiateck de Orlofski", "Kwiatek de Orlovski", "only “de” matches exactly"),
        ("Kwiateck Orlofski", "Kwiatek Orlovski", "no part of the name matches exactly"),
    ],
)
def test_a_sentence_about_parts_says_no_more_than_is_true(a: str, b: str, reason: str) -> None:
    assert reason in str(compare_person_names(a, b).reason).split("; ")


def test_two_words_for_one_country_are_not_different_places() -> None:
    one, other = parse_organization_name("Zephyrine Bank of Iran"), parse_organization_name("Zephyrine Iranian Bank")
    strict = Tolerance(variants=False)
    assert "different places" not in compare_listed_names(one, other, tolerance=strict).reason
    other = parse_organization_name("Zephyrine Iraqi Bank")
    assert "different places" in compare_listed_names(one, other, tolerance=strict).reason


@pytest.mark.parametrize(
    "claim",
    ["no part of the name matches exactly", "no distinguishing words match", "same name", "only one full part of the name matches"],
)
def test_an_untrue_sentence_is_found(claim: str) -> None:
    one, other = normalise("Zephyrine Orlovska Bakery"), normalise("Zephyrine Orlovska Motors")
    comparison = compare_business_names(one, other)
    assert find_contradictions(comparison, one, other) == []
    untrue = replace(comparison, caps=(*comparison.caps, FeatureResult("claim", 0.5, Message(claim))))
    assert find_contradictions(untrue, one, other) != []


def test_a_difference_that_no_sentence_mentions_is_found() -> None:
    one, other = normalise("Zephyrine Orlovska"), normalise("Zephyrine Kwiatek")
    comparison = replace(compare_business_names(one, other), factors=(), caps=())
    assert len(find_contradictions(comparison, one, other)) == 2


def test_a_word_that_is_not_in_the_breakdown_is_found() -> None:
    one, other = normalise("Zephyrine Orlovska Inc."), normalise("Zephyrine Orlovska")
    assert find_contradictions(compare_business_names(one, one), one, other) != []
