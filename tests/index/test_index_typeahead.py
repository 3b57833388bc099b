"""What is offered while a person types."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bonafide.index import ANY_FACETS, FacetFilter, Facets, IndexDocument, IndexSegment
from bonafide.index.search.ranked_names import BLOCK_SIZE
from bonafide.index.search.short_prefixes import MIN_MATCHING_NAMES, NAMES_PER_PREFIX
from bonafide.matching.entries.index_terms import build_business_terms, to_typed_form
from tests.support.index.registers import built, document, made_up_names
from tests.support.sampling import examples

NAMES = [
    "Sandbox Bakery Inc.",
    "Sandbox Boulangerie Ltée",
    "Sandbox Bakery and Pastry of Northern Ontario Limited",
    "Harbour Bakery Ltd.",
    "Smith & Sons Plumbing Inc.",
    "9123-4567 Québec inc.",
    "Éditions de l'Érable",
    "Stevens Saint-Laurent",
]


@pytest.fixture(scope="module")
def register(tmp_path_factory: pytest.TempPathFactory) -> IndexSegment:
    return built(tmp_path_factory.mktemp("register"), map(document, NAMES))


def offered(segment: IndexSegment, typed: str, limit: int = 10) -> list[str]:
    return [NAMES[hit.document] for hit in segment.complete(typed, limit)]


def documents(segment: IndexSegment, typed: str, limit: int = 10, where: FacetFilter = ANY_FACETS) -> list[int]:
    return [hit.document for hit in segment.complete(typed, limit, where)]


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_offered_from_its_second_letter_to_its_last(register: IndexSegment, name: str) -> None:
    for end in range(2, len(name) + 1):
        assert name in offered(register, name[:end])


def test_nothing_is_offered_for_one_letter(register: IndexSegment) -> None:
    assert offered(register, "s") == []
    assert offered(register, "s. ") == []


def test_short_names_are_offered_before_long_ones(register: IndexSegment) -> None:
    assert offered(register, "sandbox bak") == [NAMES[0], NAMES[2]]


def test_the_start_of_a_name_comes_before_the_start_of_another_word(register: IndexSegment) -> None:
    assert offered(register, "sa")[-1] == "Stevens Saint-Laurent"


def test_a_word_inside_the_name_is_enough(register: IndexSegment) -> None:
    assert set(offered(register, "bake")) == {NAMES[0], NAMES[2], NAMES[3]}


def test_all_words_but_the_last_may_stand_anywhere(register: IndexSegment) -> None:
    assert offered(register, "pastry sandbox north") == [NAMES[2]]
    assert offered(register, "plumbing smith so") == [NAMES[4]]
    assert offered(register, "boulangerie north") == []


def test_a_legal_form_at_the_end_takes_nothing_away(register: IndexSegment) -> None:
    for end in ("", " l", " lt", " ltd"):
        assert offered(register, f"bakery harbour{end}") == [NAMES[3]]
    assert offered(register, "bakery harbour inc") == []


def test_half_a_word_is_not_taken_for_an_abbreviation(register: IndexSegment) -> None:
    assert offered(register, "ste") == ["Stevens Saint-Laurent"]


def test_accents_case_and_punctuation_do_not_matter(register: IndexSegment) -> None:
    assert offered(register, "EDITIONS DE L'ER") == ["Éditions de l'Érable"]
    assert offered(register, "91234") == offered(register, "9123-4") == ["9123-4567 Québec inc."]
    assert offered(register, "smith and so") == ["Smith & Sons Plumbing Inc."]
    assert offered(register, "saint-laurent stev") == offered(register, "st-laurent stev") == ["Stevens Saint-Laurent"]


def test_active_businesses_are_offered_before_all_others(tmp_path: Path) -> None:
    register = built(
        tmp_path, [document("Acme", active=False), document("Acme Widgets of the North"), document("Old Acme", active=False)]
    )
    assert documents(register, "acm") == [1, 0, 2]


def test_a_document_is_offered_once(tmp_path: Path) -> None:
    assert documents(built(tmp_path, [document("Acme", "Acme Inc.", "The Acme")]), "acme") == [0]


def test_an_index_without_names_offers_nothing(tmp_path: Path) -> None:
    assert documents(built(tmp_path, [IndexDocument(key="1", payload=b"", people=("Marie Tremblay",))]), "marie") == []


# ------------------------------------------------------------------------------------------------------------ many names


@pytest.fixture(scope="module")
def crowd(tmp_path_factory: pytest.TempPathFactory) -> IndexSegment:
    """More names than an answer is kept for; document 0 is the longest, one in a hundred is dissolved, the last one lost."""
    count = MIN_MATCHING_NAMES + 3 * BLOCK_SIZE
    names = [f"Company Colours {'o' * 30}", *(f"Company {number}" for number in range(1, count))]
    statuses = [("lost" if number == count - 1 else "dissolved" if number % 100 == 0 else "active") for number in range(count)]
    return built(
        tmp_path_factory.mktemp("crowd"),
        (
            IndexDocument(key=name, payload=b"", names=(name,), active=status == "active", facets=Facets(status=status))
            for name, status in zip(names, statuses, strict=True)
        ),
    )


def test_of_all_that_fit_the_best_are_offered(crowd: IndexSegment) -> None:
    assert documents(crowd, "co", 9) == documents(crowd, "compa", 9) == list(range(1, 10))
    assert documents(crowd, "company c") == [0]


def test_a_limit_beyond_the_answers_made_beforehand_is_kept(crowd: IndexSegment) -> None:
    assert len(documents(crowd, "co", NAMES_PER_PREFIX + 1)) == NAMES_PER_PREFIX + 1
    assert documents(crowd, "co", NAMES_PER_PREFIX + 1)[:NAMES_PER_PREFIX] == documents(crowd, "co", NAMES_PER_PREFIX)


@pytest.mark.parametrize("typed", ["co", "com", "company"])
def test_a_filter_leaves_all_that_it_admits(crowd: IndexSegment, typed: str) -> None:
    assert documents(crowd, typed, 3, FacetFilter(statuses=frozenset({"dissolved"}))) == [100, 200, 300]
    assert documents(crowd, typed, 3, FacetFilter(statuses=frozenset({"lost"}))) == [len(crowd) - 1]
    assert documents(crowd, typed, 3, FacetFilter(statuses=frozenset({"no such status"}))) == []


def test_a_document_that_was_replaced_is_not_offered(crowd: IndexSegment) -> None:
    dead = np.ones(len(crowd), np.bool_)
    dead[[7, 5000]] = False
    assert [hit.document for hit in crowd.complete("co", 10, dead=dead)] == [7, 5000]


def test_frequent_words_that_seldom_meet_are_found_together(tmp_path: Path) -> None:
    names = [f"{word} {number}" for number in range(20_000) for word in ("Alpha", "Beta")]
    segment = built(tmp_path, map(document, [*names, "Beta Gamma Alpha", "Alpha Beta Gammon"]))
    assert documents(segment, "alpha beta") == [len(names) + 1, len(names)]
    assert documents(segment, "alpha beta g") == [len(names) + 1, len(names)]
    assert documents(segment, "beta alpha gammo") == [len(names) + 1]


# ------------------------------------------------------------------------------------------------- against a plain search


def _fits(name: str, typed: str) -> int | None:
    """2 when a name starts as typed, 1 when it holds the words typed and one that starts with the last, else None."""
    if to_typed_form(name).startswith(typed):
        return 2
    before, _, last = typed.rpartition(" ")
    return 1 if _holds(name, _words(before), last) else None


def _words(text: str) -> tuple[str, ...]:
    return next(iter(build_business_terms([text]).words), ())


def _holds(name: str, needed: Sequence[str], last: str) -> bool:
    words = _words(name)
    return set(needed) <= set(words) and any(word.startswith(last) for word in words if word not in needed)


def _holds_apart(name: str, typed: str) -> int | None:
    """1 when a name holds the words typed, the last of them anywhere in its text, else None."""
    before, _, last = typed.rpartition(" ")
    needed = _words(before)
    held = needed and _holds(name, needed[:-1], needed[-1])
    return 1 if held and f" {last}" in f" {to_typed_form(name)}" else None


def plainly(
    register: Iterable[IndexDocument], typed: str, fits: Callable[[str, str], int | None] = _fits
) -> list[tuple[bool, int, int]]:
    """How good each fitting document is, the best first: active, fitting at the start, with how long a name."""
    found = []
    for entry in register:
        ways = [(-way, len(to_typed_form(name).encode())) for name in entry.names if (way := fits(name, typed)) is not None]
        found += [(not entry.active, *min(ways))] if ways else []
    return sorted(found)


_WORDS = st.sampled_from(["alpha", "alp", "beta", "bet", "gamma", "12", "123", "île", "or"])
_TEXTS = st.lists(_WORDS, min_size=1, max_size=4).map(" ".join)
_DOCUMENTS = st.builds(
    IndexDocument,
    key=st.just(""),
    payload=st.just(b""),
    names=st.lists(_TEXTS, min_size=1, max_size=3).map(tuple),
    active=st.booleans(),
    facets=st.builds(Facets, status=st.sampled_from(["a", "b"])),
)


@pytest.mark.slow
@examples(30)
@given(register=st.lists(_DOCUMENTS, min_size=1, max_size=30), text=_TEXTS, end=st.integers(2, 20), where=st.sampled_from([
    FacetFilter(), FacetFilter(statuses=frozenset({"a"})), FacetFilter(statuses=frozenset({"c"})),
]))  # fmt: skip
def test_it_offers_what_a_plain_search_finds(
    tmp_path_factory: pytest.TempPathFactory, register: list[IndexDocument], text: str, end: int, where: FacetFilter
) -> None:
    segment, typed = built(tmp_path_factory.mktemp("plain"), register), to_typed_form(text[:end])
    expected = plainly([entry for entry in register if where.admits(entry.facets)], typed) if len(typed) > 1 else []
    hits = segment.complete(text[:end], 100, where)
    found = [register[hit.document] for hit in hits]
    assert all(where.admits(entry.facets) for entry in found)
    assert len({hit.document for hit in hits}) == len(hits)
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert segment.complete(text[:end], 5, where) == hits[:5]
    if expected:
        assert [plainly([entry], typed)[0] for entry in found] == expected
    else:
        # As a text "12 12" is one number, as words it is twelve typed twice.
        assert all(any(plainly([entry], form, _holds_apart) for form in (typed, text[:end])) for entry in found)


@pytest.fixture(scope="module")
def made_up(tmp_path_factory: pytest.TempPathFactory) -> IndexSegment:
    return built(tmp_path_factory.mktemp("made_up"), map(document, made_up_names(500)))


@examples(200)
@given(text=st.text(max_size=300))
def test_any_text_is_answered(made_up: IndexSegment, text: str) -> None:
    hits = made_up.complete(text, 5)
    assert all(0 <= hit.score <= 1 for hit in hits)
    assert not hits or len(to_typed_form(text)) > 1


def test_every_name_is_offered_for_all_of_its_text(made_up: IndexSegment) -> None:
    names: Iterable[str] = made_up_names(500)
    for number, name in enumerate(names):
        assert documents(made_up, name)[0] == number
