"""What is offered while a person types."""

from pathlib import Path

import pytest
from index_samples import built, document

from bonafide.index import Segment
from bonafide.index.typeahead import COMPLETION_BUDGET

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
def register(tmp_path_factory: pytest.TempPathFactory) -> Segment:
    return built(tmp_path_factory.mktemp("register"), map(document, NAMES))


def offered(segment: Segment, typed: str, limit: int = 10) -> list[str]:
    return [NAMES[hit.document] for hit in segment.complete(typed, limit)]


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_offered_from_its_second_letter_to_its_last(register: Segment, name: str) -> None:
    for end in range(2, len(name) + 1):
        assert name in offered(register, name[:end])


def test_nothing_is_offered_for_one_letter(register: Segment) -> None:
    assert offered(register, "s") == []
    assert offered(register, "s. ") == []


def test_short_names_are_offered_before_long_ones(register: Segment) -> None:
    assert offered(register, "sandbox bak") == [NAMES[0], NAMES[2]]


def test_the_start_of_a_name_comes_before_the_start_of_another_word(register: Segment) -> None:
    assert offered(register, "sa")[-1] == "Stevens Saint-Laurent"


def test_a_word_inside_the_name_is_enough(register: Segment) -> None:
    assert set(offered(register, "bake")) == {NAMES[0], NAMES[2], NAMES[3]}


def test_all_words_but_the_last_may_stand_anywhere(register: Segment) -> None:
    assert offered(register, "pastry sandbox north") == [NAMES[2]]
    assert offered(register, "plumbing smith so") == [NAMES[4]]
    assert offered(register, "boulangerie north") == []


def test_half_a_word_is_not_taken_for_an_abbreviation(register: Segment) -> None:
    assert offered(register, "ste") == ["Stevens Saint-Laurent"]


def test_accents_case_and_punctuation_do_not_matter(register: Segment) -> None:
    assert offered(register, "EDITIONS DE L'ER") == ["Éditions de l'Érable"]
    assert offered(register, "91234") == offered(register, "9123-4") == ["9123-4567 Québec inc."]
    assert offered(register, "smith and so") == ["Smith & Sons Plumbing Inc."]


def test_active_businesses_are_offered_before_all_others(tmp_path: Path) -> None:
    documents = [document("Acme", active=False), document("Acme Widgets of the North"), document("Old Acme", active=False)]
    assert [hit.document for hit in built(tmp_path, documents).complete("acm", 10)] == [1, 0, 2]


def test_a_document_is_offered_once(tmp_path: Path) -> None:
    assert [hit.document for hit in built(tmp_path, [document("Acme", "Acme Inc.", "The Acme")]).complete("acme", 10)] == [0]


def test_more_names_than_the_budget_are_answered_within_the_limit(tmp_path: Path) -> None:
    segment = built(tmp_path, (document(f"Acme {number}") for number in range(COMPLETION_BUDGET + 10)))
    assert len(segment.complete("ac", 7)) == 7
