"""Inflected forms: regular plurals and feminine forms have the lemma of their word, and other words keep their own."""

import pytest

from bonafide.matching.names.best_name_match import compare_name_texts
from bonafide.matching.text.inflection import find_lemma
from bonafide.matching.text.word_classes import are_equivalent, find_equivalents

FORMS = (
    ("national", "nationale", "nationales", "nationaux"),
    ("canadien", "canadiens", "canadienne", "canadiennes"),
    ("forestier", "forestiere", "forestiers", "forestieres"),
    ("industriel", "industrielle", "industriels", "industrielles"),
    ("sportif", "sportive", "sportives"),
    ("constructeur", "constructrice", "constructeurs"),
    ("bateau", "bateaux"),
    ("bakery", "bakeries"),
    ("industry", "industrie", "industries"),
    ("carte", "cartes"),
)


@pytest.mark.parametrize("forms", FORMS)
def test_the_forms_of_a_word_have_one_lemma(forms: tuple[str, ...]) -> None:
    assert len({find_lemma(word) for word in forms}) == 1


@pytest.mark.parametrize("words", [("cart", "carte"), ("glass", "glas"), ("bois", "boi"), ("bus", "bu"), ("prix", "pri")])
def test_other_words_have_other_lemmas(words: tuple[str, str]) -> None:
    assert find_lemma(words[0]) != find_lemma(words[1])


@pytest.mark.parametrize(
    ("one", "other"), [("card", "cartes"), ("cards", "carte"), ("forest", "forestiers"), ("national", "nationaux")]
)
def test_an_unlisted_form_is_translated_as_the_listed_one(one: str, other: str) -> None:
    assert are_equivalent(one, other)
    assert are_equivalent(other, one)


def test_the_names_of_public_bodies_are_equivalent_in_the_listed_forms_only() -> None:
    assert are_equivalent("service", "department")
    assert not are_equivalent("services", "departments")


def test_a_form_is_found_by_the_words_that_an_index_may_have() -> None:
    assert {"carte", "cartes"} <= find_equivalents("card")
    assert "cards" not in find_equivalents("card"), "a plural is compared as such"


def test_a_bilingual_name_in_another_form_is_the_same_name() -> None:
    assert compare_name_texts("Prairie Card Services Inc.", "Services de cartes Prairie inc.").score >= 0.85
