"""What holds for any text whatever."""

from hypothesis import given
from hypothesis import strategies as st

from bonafide.matching.addresses.address_comparison import compare_addresses, compare_streets
from bonafide.matching.addresses.street_parsing import parse_street
from bonafide.matching.identifiers.number_matching import (
    build_number_keys,
    compare_numbers,
    is_business_number,
    is_federal_number_valid,
    is_imo_number,
    is_lei,
    is_luhn_valid,
    is_misread,
    is_same_series,
)
from bonafide.matching.names.business_name_comparison import compare_business_names
from bonafide.matching.names.normalization import normalise, normalise_all
from bonafide.matching.people.person_name_comparison import compare_person_names
from bonafide.matching.text.folding import fold
from bonafide.model.entity import Address
from tests.support.matching.name_pairs import BUSINESSES, PEOPLE
from tests.support.sampling import examples

WORDS = sorted({word for band, a, b in [*BUSINESSES, *PEOPLE] for word in f"{a} {b}".split()})
anything = st.text(max_size=60)
wordlike = st.lists(st.sampled_from(WORDS) | st.text(max_size=8), max_size=8).map(" ".join)
names = anything | wordlike
numbers = st.text(alphabet="0123456789BCRAbc -./é٣", max_size=14) | anything


@given(st.lists(names, max_size=5))
def test_names_are_normalised_together_as_each_alone(texts: list[str]) -> None:
    assert normalise_all(texts) == [normalise(text) for text in texts]


@given(names)
def test_folding_is_idempotent(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(names)
def test_normalising_its_own_tokens_changes_nothing(text: str) -> None:
    name = normalise(text)
    again = normalise(" ".join(name.tokens))
    assert (again.tokens, again.core, again.legal_forms) == (name.tokens, name.core, name.legal_forms)


@given(names)
def test_the_core_is_empty_only_if_the_name_is(text: str) -> None:
    name = normalise(text)
    assert bool(name.core) == bool(name.tokens)
    assert all(token and not any(map(str.isspace, token)) for token in name.tokens)


@given(names)
def test_a_name_equals_itself_unless_it_is_empty(text: str) -> None:
    name = normalise(text)
    assert compare_business_names(name, name).score == (1 if name.core else 0)


@examples(300)
@given(wordlike, wordlike)
def test_business_names_compare_the_same_both_ways_and_in_range(a: str, b: str) -> None:
    there = compare_business_names(normalise(a), normalise(b))
    back = compare_business_names(normalise(b), normalise(a))
    assert there.score == back.score
    assert 0 <= there.score <= 1
    assert there.reason


@examples(300)
@given(wordlike, wordlike)
def test_a_business_name_scores_1_only_if_it_is_equal(a: str, b: str) -> None:
    one, other = normalise(a), normalise(b)
    equal = one.core == other.core and set(one.legal_forms) == set(other.legal_forms) and bool(one.core)
    assert (compare_business_names(one, other).score == 1) == equal


@examples(300)
@given(names, names)
def test_people_s_names_compare_the_same_both_ways_and_in_range(a: str, b: str) -> None:
    there, back = compare_person_names(a, b), compare_person_names(b, a)
    assert there.score == back.score
    assert 0 <= there.score <= 1


@given(names, names)
def test_streets_compare_the_same_both_ways_and_in_range(a: str, b: str) -> None:
    one, other = parse_street(a), parse_street(b)
    assert 0 <= compare_streets(one, other).score == compare_streets(other, one).score <= 1


@given(names, names)
def test_addresses_never_raise(a: str, b: str) -> None:
    one, other = Address(raw=a), Address(street=b, city=a, province=b, postal_code=a, country=b)
    comparison = compare_addresses(one, other)
    assert comparison.score is None or 0 <= comparison.score <= 1


@given(numbers, numbers)
def test_numbers_never_raise_and_are_alike_both_ways(a: str, b: str) -> None:
    assert compare_numbers(a, b) == compare_numbers(b, a)
    assert (compare_numbers(a, b) == 1) == bool(build_number_keys(a) & build_number_keys(b))
    assert is_same_series(a, b) == is_same_series(b, a)
    assert is_misread(a, b) == is_misread(b, a)
    for check in (is_luhn_valid, is_business_number, is_lei, is_imo_number, is_federal_number_valid):
        assert check(a) in {True, False}
