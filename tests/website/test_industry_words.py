"""Words as an index of industries searches by them: stems of both languages, pairs of near words, pieces; and words of our own."""

import pytest

from bonafide.model.language import Language
from bonafide.website.industry.site_words import Place, SiteText
from bonafide.website.industry.trade_words import EVERYDAY_SHARE, wordings_of
from bonafide.website.industry.words import MAX_WORD, PAIR_WINDOW, features_of, is_gram, is_pair, pairs_of, stem, words_of

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
    assert stem(one) == stem(other)


@pytest.mark.parametrize(("one", "other"), [("glass", "glas"), ("bus", "bu"), ("king", "k"), ("bed", "b")])
def test_short_words_and_double_letters_stay_whole(one: str, other: str) -> None:
    assert stem(one) != other


def test_words_are_folded_and_small_ones_left_out() -> None:
    assert words_of("The Pâtisserie & the café: 24 heures") == ["patisserie", "cafe", "heures"]
    assert words_of("x" * (MAX_WORD + 1)) == []


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
    assert words_of(text) == words


def test_words_that_stand_far_from_each_other_are_no_pair() -> None:
    stems = [f"w{n}" for n in "abcdefghij"]
    pairs = set(pairs_of(stems))
    assert f"wa w{'abcdefghij'[PAIR_WINDOW]}" in pairs
    assert f"wa w{'abcdefghij'[PAIR_WINDOW + 1]}" not in pairs


def test_a_pair_is_the_same_in_either_order() -> None:
    assert set(pairs_of(["wood", "door"])) == set(pairs_of(["door", "wood"])) == {"door wood"}
    assert list(pairs_of(["wood", "wood"])) == []


def test_features_are_of_three_sorts() -> None:
    features = list(features_of(["wood", "doors"]))
    assert [feature for feature in features if not is_pair(feature) and not is_gram(feature)] == ["wood", "door"]
    assert [feature for feature in features if is_pair(feature)] == ["door wood"]
    assert {"#^woo", "#ood$", "#^wood"} < set(filter(is_gram, features))


def wordings(text: SiteText, *languages: Language) -> list[tuple[tuple[str, ...], float]]:
    return [(wording.words, wording.share) for wording in wordings_of(text, frozenset(languages))]


def test_everyday_words_are_asked_for_in_the_words_of_the_classification_too() -> None:
    found = wordings(SiteText(Place.TITLE, "Oak Realty"), ENGLISH)
    assert found == [(("oak", "realty"), 1.0), (("real", "estate", "agents", "brokers"), EVERYDAY_SHARE)]


def test_two_words_side_by_side_have_a_meaning_of_their_own() -> None:
    shares = wordings(SiteText(Place.TITLE, "Law firm downtown"), ENGLISH)
    assert (("offices", "lawyers"), EVERYDAY_SHARE) in shares


def test_a_stated_activity_is_asked_for_as_it_is() -> None:
    assert wordings(SiteText(Place.ACTIVITY, "services of a realty"), ENGLISH) == [(("services", "realty"), 1.0)]


def test_links_have_words_that_say_nothing() -> None:
    assert wordings(SiteText(Place.LINK, "Our services"), ENGLISH) == [((), 1.0)]


@pytest.mark.parametrize(
    ("kind", "words"),
    [("LocalBusiness", ()), ("AutoBodyShop", ("automotive", "body", "repair")), ("ComputerStore", ("computer", "store"))],
)
def test_types_of_structured_data_are_read_as_words(kind: str, words: tuple[str, ...]) -> None:
    assert wordings(SiteText(Place.TYPE, kind), ENGLISH)[0][0] == words


def test_french_words_are_replaced_by_ours_only_where_no_french_table_is() -> None:
    text = SiteText(Place.TITLE, "Plomberie Fleury", FRENCH)
    assert wordings(text, ENGLISH)[0][0] == ("plumbing", "contractors", "fleury")
    assert wordings(text, ENGLISH, FRENCH)[0] == (("plomberie", "fleury"), 1.0)


def test_the_site_s_own_word_is_kept_with_what_stands_for_it() -> None:
    [first, *_] = wordings_of(SiteText(Place.TITLE, "Pâtisserie Lune", FRENCH), frozenset({ENGLISH}))
    assert first.spoken == (("bakeries", "Pâtisserie"), ("pastries", "Pâtisserie"), ("lune", "Lune"))
