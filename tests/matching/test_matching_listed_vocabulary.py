"""The words of lists: a cheaper proposal of similar words loses none of them, and a replaced vocabulary is freed."""

from random import Random
from weakref import ref

import pytest

from bonafide.matching.names.listed_words import compare_listed_words
from bonafide.matching.people.name_part_similarity import compare_name_parts
from bonafide.matching.scoring.tolerance import MAX_TYPOS, Tolerance
from bonafide.matching.screening.listed_vocabulary import ListedVocabulary

SYLLABLES = ("ka", "kha", "sto", "pher", "chris", "mo", "ham", "med", "ov", "ski", "zh", "ts", "al", "rhm", "stan", "ina", "jsc")
PLACES = ("kazakhstan", "kazakstan", "kazakhstani", "netherlands", "iranian")
GIVEN = ("christopher", "kristopher", "christofer", "alexandre", "alexandra", "aleksandra")
TOLERANCES = [Tolerance(typos, variants, foreign) for typos in (1, 2) for variants in (True, False) for foreign in (True, False)]


def make_words(count: int, seed: int) -> list[str]:
    chance = Random(seed)  # noqa: S311 - a sample, not a secret
    return ["".join(chance.choices(SYLLABLES, k=chance.randint(1, 5))) for _ in range(count)]


LISTED = sorted({*make_words(1500, 1), *PLACES[::2], *GIVEN[::2]})


@pytest.mark.usefixtures("no_collection")
def test_words_that_were_searched_are_freed_with_their_last_reference() -> None:
    words = ListedVocabulary(LISTED, (), of_people=True)
    assert words.find_readings("christofer", Tolerance())
    words.short_typos("mo")
    kept = ref(words)
    del words
    assert kept() is None


@pytest.mark.parametrize("tolerance", TOLERANCES, ids=str)
@pytest.mark.parametrize("of_people", [True, False])
def test_every_similar_word_with_the_same_beginning_or_end_is_found(*, of_people: bool, tolerance: Tolerance) -> None:
    foreign = set(LISTED[::3])
    compare = compare_name_parts if of_people else compare_listed_words
    vocabulary = ListedVocabulary(LISTED, foreign, of_people=of_people)
    compared = 0
    for word in {*make_words(120, 2), *PLACES, *GIVEN} - set(LISTED):
        if tolerance.count_allowed_typos(len(word) + 1) < MAX_TYPOS:
            continue
        found = {LISTED[reading.word]: reading.score for reading in vocabulary.find_readings(word, tolerance)}
        for other in LISTED:
            if len(other) >= 5 and (other[:3] == word[:3] or other[-3:] == word[-3:]):
                either = Tolerance(tolerance.typos, tolerance.variants, tolerance.foreign or other in foreign)
                similarity = compare(word, other, either)
                assert found.get(other) == (similarity.score if similarity is not None else None), (word, other)
                compared += similarity is not None
    assert compared > 0
