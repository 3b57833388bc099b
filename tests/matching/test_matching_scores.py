"""What holds for the score of any two names: its range, both directions, what may move it, and in which direction rarity does."""

from collections.abc import Sequence

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from bonafide.matching.entries.query import Query
from bonafide.matching.entries.ranking import rank_entries
from bonafide.matching.names.best_name_match import compare_name_texts
from bonafide.matching.names.business_name_comparison import BUSINESS_NAME_FEATURES, compare_business_names
from bonafide.matching.names.normalization import normalise
from bonafide.matching.scoring import score_parameters
from bonafide.matching.scoring.word_rarity import STATIC_RARITY, WordRarity, get_static_weight, is_measured
from bonafide.matching.text.word_classes import WordClass, classify_word
from bonafide.model.entity import Address, RegistrationNumber
from bonafide.model.entry import RegistryEntry
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.search.match import NameBreakdown, WordDifference
from tests.support.matching.explanations import find_contradictions
from tests.support.sampling import examples

COINED = ["Zephyrine", "Orlovska", "Kwiatek", "Brzoza", "Lipowa", "Dorval", "Vonnegrad", "Prastdono", "Zefirine", "Orlovsky"]
LISTED = ["Maple", "Northern", "Toronto", "Québec", "Plumbing", "Bakery", "Boulangerie", "Holdings", "Gestion", "Services", "Group"]
OTHER = ["J.", "North", "South", "12", "1234567", "(2010)", "and", "&", "Les", "o/a"]
FORMS = ["", "Inc.", "Ltd.", "Ltée", "LLP", "Corporation"]
REGISTER = 1_000_000

bodies = st.lists(st.sampled_from([*COINED, *LISTED, *OTHER]), min_size=1, max_size=6)
names = st.builds(lambda body, form: " ".join([*body, form]).strip(), bodies, st.sampled_from(FORMS))
GENERIC = ["Toronto", "Calgary", "Plumbing", "Dental", "Trucking", "Services", "Group", "Holdings"]
generic = st.lists(st.sampled_from(GENERIC), min_size=1, max_size=5, unique=True).map(" ".join)
counts = st.dictionaries(st.sampled_from([word.lower() for word in COINED]), st.integers(0, REGISTER // 50))
rarities = counts.map(lambda found: WordRarity(REGISTER, found))


def score(a: str, b: str, rarity: WordRarity = STATIC_RARITY) -> float:
    return compare_business_names(normalise(a), normalise(b), rarity).score


@examples(300)
@given(names, names, rarities)
def test_the_score_is_in_range_and_the_same_both_ways(a: str, b: str, rarity: WordRarity) -> None:
    assert 0 <= score(a, b, rarity) <= 1
    assert score(a, b, rarity) == score(b, a, rarity)
    assert compare_name_texts(a, b, rarity).score == compare_name_texts(b, a, rarity).score


@given(names, rarities)
def test_a_name_is_certainly_itself_however_common_its_words_are(name: str, rarity: WordRarity) -> None:
    assume(normalise(name).core)
    assert score(name, name, rarity) == 1
    assert compare_name_texts(name, name, rarity).score == 1


@examples(300)
@given(names, names, rarities)
def test_no_unequal_name_scores_1(a: str, b: str, rarity: WordRarity) -> None:
    one, other = normalise(a), normalise(b)
    assume((one.core, set(one.legal_forms)) != (other.core, set(other.legal_forms)))
    assert score(a, b, rarity) < 1


@given(names, names)
def test_case_and_accents_never_matter(a: str, b: str) -> None:
    assert score(a, b) == score(a.upper(), b) == score(a.lower(), b) == score(a.replace("é", "e"), b)


@given(st.permutations(COINED[:5]), st.permutations(COINED[:5]))
def test_the_order_of_words_matters_as_much_as_stated(one: Sequence[str], other: Sequence[str]) -> None:
    assert score(" ".join(one), " ".join(other)) >= BUSINESS_NAME_FEATURES.get_numbers("word_order")["score"]


@given(bodies, bodies, st.sampled_from(FORMS), st.sampled_from(FORMS), rarities)
def test_the_legal_form_matters_as_much_as_stated(
    one: Sequence[str], other: Sequence[str], form: str, another: str, rarity: WordRarity
) -> None:
    a, b = " ".join(one), " ".join(other)
    # "& Inc." is no name with a form, and "Les Holdings" with "LLP" hides none that stood there before.
    assume(all(_only_adds_a_form(name, added) for name, added in ((a, form), (b, another))))
    plain, formed = score(a, b, rarity), score(f"{a} {form}", f"{b} {another}", rarity)
    other_kind = BUSINESS_NAME_FEATURES.get_numbers("legal_form")["other_kind"]
    other_entity = BUSINESS_NAME_FEATURES.get_numbers("other_entity")["limit"]
    # A score is rounded, and so may be off by half a unit each.
    assert (
        min(plain * other_kind, other_entity) - 2 * 10**-score_parameters.DECIMALS
        <= formed
        <= plain + 10**-score_parameters.DECIMALS
    )


def _only_adds_a_form(name: str, form: str) -> bool:
    plain, formed = normalise(name), normalise(f"{name} {form}")
    return plain.legal_forms == () and plain.core == formed.core


@given(generic, generic)
def test_generic_words_are_never_enough(a: str, b: str) -> None:
    differing = set(normalise(a).core) ^ set(normalise(b).core)
    assume(any(classify_word(word) in {WordClass.TRADE, WordClass.PLACE} for word in differing))
    assert score(a, b) < score_parameters.PARTIAL


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Zephyrine Orlovska Kwiatek Bakery 12", "Zephyrine Orlovska Kwiatek Bakery 13"),
        ("North Zephyrine Orlovska Kwiatek", "South Zephyrine Orlovska Kwiatek"),
        ("First Zephyrine Orlovska Kwiatek", "Second Zephyrine Orlovska Kwiatek"),
        ("Zephyrine Orlovska Kwiatek II LP", "Zephyrine Orlovska Kwiatek III LP"),
        ("Zephyrine Orlovska Kwiatek (2010) Ltd.", "Zephyrine Orlovska Kwiatek (2015) Ltd."),
        ("Zephyrine Orlovska Kwiatek (2010) Ltd.", "Zephyrine Orlovska Kwiatek Ltd."),
        ("Zephyrine Orlovska Kwiatek Plumbing", "Zephyrine Orlovska Kwiatek Dental"),
        ("Zephyrine Orlovska Kwiatek Toronto", "Zephyrine Orlovska Kwiatek Calgary"),
    ],
)
def test_another_number_direction_ordinal_year_trade_or_place_is_another_name_however_much_agrees(a: str, b: str) -> None:
    assert score(a, b) < score_parameters.PARTIAL


# --------------------------------------------------------------------------------------------------------------- rarity


@examples(400)
@given(names, names, rarities, st.sampled_from(COINED), st.floats(0, 1))
@example("Zephyrine Bakery", "Zephyrine Motors", WordRarity(REGISTER, {"zephyrine": 5_000}), "Zephyrine", 0.1)
def test_a_shared_word_that_grows_rarer_never_lowers_and_an_unshared_one_never_raises(
    a: str, b: str, rarity: WordRarity, word: str, share: float
) -> None:
    word = word.lower()
    rarer = WordRarity(REGISTER, {**rarity.frequencies, word: int(rarity.frequencies.get(word, 0) * share)})
    before, after = compare_business_names(normalise(a), normalise(b), rarity), score(a, b, rarer)
    breakdown = before.breakdown()
    if _is_shared(word, breakdown):
        assert after >= before.score
    elif _is_unshared(word, breakdown):
        assert after <= before.score


def _is_shared(word: str, breakdown: NameBreakdown) -> bool:
    pairs = [pair for pair in breakdown.matched if word in {*pair.submitted.split(), *pair.found.split()}]
    alone = {lone.word for lone in (*breakdown.missing, *breakdown.added)}
    return bool(pairs) and word not in alone and all(pair.difference is WordDifference.EQUAL for pair in pairs)


def _is_unshared(word: str, breakdown: NameBreakdown) -> bool:
    alone = {lone.word for lone in (*breakdown.missing, *breakdown.added)}
    paired = {part for pair in breakdown.matched for text in (pair.submitted, pair.found) for part in text.split()}
    return word in alone and word not in paired


@given(names, names, rarities, st.floats(0.9, 1.1))
def test_a_score_hardly_moves_when_the_registers_grow_by_a_tenth(a: str, b: str, rarity: WordRarity, growth: float) -> None:
    grown = WordRarity(REGISTER + REGISTER // 10, {word: int(count * growth) for word, count in rarity.frequencies.items()})
    assert abs(score(a, b, grown) - score(a, b, rarity)) <= 0.03


def test_a_frequent_word_weighs_less_than_a_coined_one_and_a_listed_one_what_the_table_says() -> None:
    rarity = WordRarity(REGISTER, {"tremblay": 4_000, "zephyrine": 1, "plumbing": 3, "toronto": 0, "holdings": 90_000})
    assert score_parameters.COMMON_UNLISTED <= rarity.weight("tremblay") < rarity.weight("zephyrine") == 1
    for word in ("plumbing", "toronto", "holdings", "1234567", "j"):
        assert not is_measured(word)
        assert rarity.weight(word) == get_static_weight(word)


def test_with_nothing_loaded_and_in_a_register_too_small_to_judge_words_weigh_what_the_table_says() -> None:
    for rarity in (STATIC_RARITY, WordRarity(0, {}), WordRarity(50, {"zephyrine": 4}), WordRarity(1_000, {})):
        assert rarity.weight("zephyrine") == get_static_weight("zephyrine")


def test_weights_fall_with_the_logarithm_of_the_share_and_never_below_the_least() -> None:
    weights = [
        WordRarity(REGISTER, {"zephyrine": count}).weight("zephyrine") for count in (10, 100, 1_000, 10_000, 100_000, REGISTER)
    ]
    assert weights == sorted(weights, reverse=True)
    assert weights[0] == 1
    assert weights[-1] == score_parameters.COMMON_UNLISTED


def test_a_slip_that_makes_another_common_word_was_no_slip() -> None:
    common = WordRarity(REGISTER, {"orlovska": 3_000, "orlovsky": 3_000})
    assert score("Orlovska Plumbing", "Orlovsky Plumbing") >= 0.85
    assert score("Orlovska Plumbing", "Orlovsky Plumbing", WordRarity(REGISTER, {"orlovska": 3_000})) >= 0.85
    assert score("Orlovska Plumbing", "Orlovsky Plumbing", common) < score_parameters.PARTIAL


# ------------------------------------------------------------------------------------------------------------- evidence

HOME = Address(street="12 rue Orlov", city="Orlov", province="QC", postal_code="G1R 1A1")
ELSEWHERE = Address(street="900 Main St", city="Kwiatek", province="ON", postal_code="M5V 2T6")


@given(names, names, st.sampled_from([None, HOME]), st.sampled_from([None, "1000017"]))
def test_a_field_that_disagrees_never_raises_the_score(a: str, b: str, address: Address | None, number: str | None) -> None:
    found = RegistryEntry(
        entry_id="1",
        jurisdiction=Jurisdiction.ON,
        legal_name=b,
        addresses=(ELSEWHERE,),
        registration_numbers=(RegistrationNumber(label="Corporation Number", value="2345678"),),
    )
    assume(normalise(a).core)
    (plain,) = rank_entries(Query(name=a), [found], floor=0, limit=None)
    (told,) = rank_entries(Query(name=a, address=address, registration_number=number), [found], floor=0, limit=None)
    assert told.score <= plain.score


@given(names, names, rarities)
def test_the_breakdown_accounts_for_every_word_and_for_the_score(a: str, b: str, rarity: WordRarity) -> None:
    comparison = compare_business_names(normalise(a), normalise(b), rarity)
    breakdown = comparison.breakdown()
    submitted = [word for pair in breakdown.matched if pair.weight > 0 for word in pair.submitted.split()]
    submitted += [lone.word for lone in breakdown.missing if lone.weight > 0]
    assert sorted(submitted) == sorted(normalise(a).core) or not normalise(b).core
    assert find_contradictions(comparison, normalise(a), normalise(b)) == []
    product = 1.0
    for step in breakdown.factors:
        product *= step.score
    assert (
        comparison.score == pytest.approx(min([product, *(step.score for step in breakdown.caps)]), abs=3e-4)
        or not breakdown.matched
    )
