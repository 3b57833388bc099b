"""Words as an index of industries searches by them: stems of both languages, pairs of near words, pieces; and words of our own."""

import pytest

from bonafide.i18n.language import Language
from bonafide.website.industry.site_texts import SiteText, TextPosition
from bonafide.website.industry.text_features import (
    MAX_WORD,
    PAIR_WINDOW,
    is_ngram,
    is_pair,
    list_features,
    list_pairs,
    split_words,
    stem_word,
)
from bonafide.website.industry.trade_vocabulary import EVERYDAY_SHARE, translate_text

ENGLISH, FRENCH = Language.ENGLISH, Language.FRENCH


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("bakeries", "bakery"),
        ("plumber", "plumbing"),
        ("manufacturer", "manufacturing"),
        ("cakes", "cake"),
        ("boulangeries", "boulangerie"),
        ("gateaux", "gateau"),
        ("milled", "milling"),
    ],
)
def test_forms_of_one_word_have_one_stem(one: str, other: str) -> None:
    assert stem_word(one) == stem_word(other)


@pytest.mark.parametrize(("one", "other"), [("glass", "glas"), ("bus", "bu"), ("king", "k"), ("bed", "b")])
def test_short_words_and_double_letters_stay_whole(one: str, other: str) -> None:
    assert stem_word(one) != other


def test_words_are_folded_and_small_ones_left_out() -> None:
    assert split_words("The Pâtisserie & the café: 24 heures") == ["patisserie", "cafe", "heures"]
    assert split_words("x" * (MAX_WORD + 1)) == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("bakeries without baking on the premises, retail", ["bakeries", "retail"]),
        ("oilseed (except soybean) farming", ["oilseed", "farming"]),
        ("wood stoves (other than electric), made", ["wood", "stoves", "made"]),
        ("fabrication de meubles (sauf en bois)", ["fabrication", "meubles"]),
        ("outdoor (without roof) parking", ["outdoor", "parking"]),
    ],
)
def test_what_a_thing_is_not_is_no_word_of_it(text: str, words: list[str]) -> None:
    assert split_words(text) == words


def test_words_that_stand_far_from_each_other_are_no_pair() -> None:
    stems = [f"w{n}" for n in "abcdefghij"]
    pairs = set(list_pairs(stems))
    assert f"wa w{'abcdefghij'[PAIR_WINDOW]}" in pairs
    assert f"wa w{'abcdefghij'[PAIR_WINDOW + 1]}" not in pairs


def test_a_pair_is_the_same_in_either_order() -> None:
    assert set(list_pairs(["wood", "door"])) == set(list_pairs(["door", "wood"])) == {"door wood"}
    assert list(list_pairs(["wood", "wood"])) == []


def test_features_are_of_three_sorts() -> None:
    features = list(list_features(["wood", "doors"]))
    assert [feature for feature in features if not is_pair(feature) and not is_ngram(feature)] == ["wood", "door"]
    assert [feature for feature in features if is_pair(feature)] == ["door wood"]
    assert {"#^woo", "#ood$", "#^wood"} < set(filter(is_ngram, features))


def wordings(text: SiteText, *languages: Language) -> list[tuple[tuple[str, ...], float]]:
    return [(wording.words, wording.share) for wording in translate_text(text, frozenset(languages))]


def test_everyday_words_are_asked_for_in_the_words_of_the_classification_too() -> None:
    found = wordings(SiteText(TextPosition.TITLE, "Oak Realty"), ENGLISH)
    assert found == [(("oak", "realty"), 1.0), (("real", "estate", "agents", "brokers"), EVERYDAY_SHARE)]


def test_two_words_side_by_side_have_a_meaning_of_their_own() -> None:
    shares = wordings(SiteText(TextPosition.TITLE, "Law firm downtown"), ENGLISH)
    assert (("offices", "lawyers"), EVERYDAY_SHARE) in shares


def test_a_stated_activity_is_asked_for_as_it_is() -> None:
    assert wordings(SiteText(TextPosition.ACTIVITY, "services of a realty"), ENGLISH) == [(("services", "realty"), 1.0)]


def test_links_have_words_that_say_nothing() -> None:
    assert wordings(SiteText(TextPosition.LINK, "Our services"), ENGLISH) == [((), 1.0)]


@pytest.mark.parametrize(
    ("kind", "words"),
    [("LocalBusiness", ()), ("AutoBodyShop", ("automotive", "body", "repair")), ("ComputerStore", ("computer", "store"))],
)
def test_types_of_structured_data_are_read_as_words(kind: str, words: tuple[str, ...]) -> None:
    assert wordings(SiteText(TextPosition.TYPE, kind), ENGLISH)[0][0] == words


def test_french_words_are_replaced_by_ours_only_where_no_french_table_is() -> None:
    text = SiteText(TextPosition.TITLE, "Plomberie Fleury", FRENCH)
    assert wordings(text, ENGLISH)[0][0] == ("plumbing", "contractors", "fleury")
    assert wordings(text, ENGLISH, FRENCH)[0] == (("plomberie", "fleury"), 1.0)


def test_the_site_s_own_word_is_kept_with_what_stands_for_it() -> None:
    [first, *_] = translate_text(SiteText(TextPosition.TITLE, "Pâtisserie Lune", FRENCH), frozenset({ENGLISH}))
    assert first.sourced == (("bakeries", "Pâtisserie"), ("pastries", "Pâtisserie"), ("lune", "Lune"))
