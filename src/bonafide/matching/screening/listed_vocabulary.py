"""The distinct words of all listed names of one kind, and the search for words that match a requested word.

Candidates are found by keys (one letter omitted, sound, consonants) and scored by the function that compares words.
`candidate_names` finds names.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from bonafide.matching.names.listed_words import (
    ATTACHED_FORMS,
    create_word_comparator,
    find_translations,
    parse_place,
    stem_adjective,
)
from bonafide.matching.people.given_names import is_known_given_name
from bonafide.matching.people.name_part_similarity import SHORTEST_SOUND, create_name_part_comparator, list_part_variants
from bonafide.matching.people.person_name_alignment import is_short_typo
from bonafide.matching.scoring.tolerance import MAX_TYPOS, SHORTEST_TYPO, Tolerance
from bonafide.matching.scoring.word_similarity import JOINED, SHORTEST_SCANNED, WordSimilarity, fold_scanned
from bonafide.matching.screening.spelling_indexes import create_omitted_letter_index, create_word_half_index, group_words
from bonafide.matching.screening.word_cache import WordCache
from bonafide.matching.text.phonetics import SHORTEST_CONSONANTAL, build_consonant_skeleton, build_sound_key, is_consonantal
from bonafide.matching.text.scanned_words import list_scan_corrections
from bonafide.matching.text.word_classes import find_equivalents
from bonafide.model.search.match import WordDifference

_SHORTEST_SPLIT = 2
_SHORTEST_DELETION, _SHORTEST_SHORT_DELETION = 4, 2
_CACHED_BYTES = 4 * 2**20
"""Of the short words with a slip that one vocabulary keeps."""
_NUMBER_BYTES = 8
_SHORTEST_TWICE = 5
_SHORTEST_SHORT, _MOST_BEGINNINGS = 3, 100
_LAST = "\U0010ffff"


class WordReading(NamedTuple):
    """A listed word that matches a requested word: its number, their similarity and their difference."""

    word: int
    score: float
    difference: WordDifference


class ListedVocabulary:
    """The words of one kind of names. `foreign` lists those in another script."""

    def __init__(self, words: Sequence[str], foreign: Collection[str], *, of_people: bool) -> None:
        self.words = words
        self._foreign = foreign
        self._of_people = of_people
        self.numbers = {word: number for number, word in enumerate(words)}
        self._create_comparator = create_name_part_comparator if of_people else create_word_comparator
        self._variants = _list_name_variants if of_people else _list_word_variants
        self._deletions = create_omitted_letter_index(words, _SHORTEST_DELETION)
        self._short = create_omitted_letter_index(words if of_people else (), _SHORTEST_SHORT_DELETION, SHORTEST_TYPO - 1)
        self._short_typos: WordCache[tuple[int, ...]] = WordCache(_CACHED_BYTES, lambda found: _NUMBER_BYTES * len(found))
        self._by_detached = {} if of_people else _group_by_detached_word(words)
        self._by_sound = group_words(words, build_sound_key, of_words=lambda word: len(word) >= SHORTEST_SOUND)
        # Words other than names are spelt phonetically only if one of them is from another script.
        foreign_sounds = group_words(words, build_sound_key, of_words=lambda word: word in foreign and len(word) >= SHORTEST_SOUND)
        self._by_native_sound = self._by_sound if of_people else foreign_sounds
        self._consonantal = group_words(
            words, build_consonant_skeleton, of_words=lambda word: word in foreign and is_consonantal(word)
        )
        self._by_skeleton = group_words(words, build_consonant_skeleton, of_words=lambda word: len(word) >= SHORTEST_CONSONANTAL)
        self._by_stem = {} if of_people else group_words(words, stem_adjective, of_words=lambda word: stem_adjective(word) != word)
        # Corrections are looked up for parts of people's names, which would need an entry for nearly each word here.
        self._by_scanned = (
            {} if of_people else group_words(words, fold_scanned, of_words=lambda word: len(word) >= SHORTEST_SCANNED)
        )
        self._halves = create_word_half_index(words, _SHORTEST_TWICE)

    def __len__(self) -> int:
        """How many words there are."""
        return len(self.words)

    def find_readings(self, word: str, tolerance: Tolerance) -> list[WordReading]:
        """All listed words that match the word, the least similar first."""
        compare = self._create_comparator(tolerance)
        compare_foreign = self._create_comparator(Tolerance(tolerance.typos, tolerance.variants, foreign=True))
        found = []
        for number in self._propose(word, tolerance):
            other = self.words[number]
            likeness = (compare if other not in self._foreign else compare_foreign)(word, other)
            if likeness is not None:
                found.append(_to_word_reading(number, likeness))
        found.sort(key=lambda reading: (reading.score, reading.word))
        return found

    def short_typos(self, word: str) -> tuple[int, ...]:
        """The listed words of up to four letters that differ from this one in one, and this one if it is listed."""
        return self._short_typos.get(word, partial(self._find_short_typos, word))

    def _find_short_typos(self, word: str) -> tuple[int, ...]:
        return tuple({number for number in self._short.find(word) if is_short_typo(word, self.words[number])})

    def joined(self, words: Sequence[str]) -> WordReading | None:
        """The listed word that these words form without spaces."""
        number = self.numbers.get("".join(words))
        return None if number is None else _to_word_reading(number, JOINED)

    def split(self, word: str) -> Iterator[tuple[WordReading, WordReading]]:
        """The two listed words that form this one."""
        for place in range(_SHORTEST_SPLIT, len(word) - _SHORTEST_SPLIT + 1):
            first = self.numbers.get(word[:place])
            if first is not None and (second := self.numbers.get(word[place:])) is not None:
                yield _to_word_reading(first, JOINED), _to_word_reading(second, JOINED)

    def _list_longer(self, word: str) -> range:
        """The words that begin with this one."""
        first = bisect_left(self.words, word)
        return range(first, bisect_left(self.words, word + _LAST, first))

    def _list_shortened(self, word: str) -> Iterator[int]:
        """The words that begin with this one, and those with which it begins."""
        if len(word) >= _SHORTEST_SHORT:
            yield from self._list_longer(word)[:_MOST_BEGINNINGS]
        numbers = self.numbers
        for end in range(_SHORTEST_SHORT, len(word)):
            if word[:end] in numbers:
                yield numbers[word[:end]]

    def _propose(self, word: str, tolerance: Tolerance) -> set[int]:
        """The numbers of the words that may match this one."""
        numbers = self.numbers
        found = {numbers[other] for other in self._variants(word, tolerance) if other in numbers}
        if word in numbers:
            found.add(numbers[word])
        if tolerance.typos > 0:
            found.update(self._deletions.find(word))
            # A word that lists hold is hardly another one with two letters wrong.
            if word not in numbers and tolerance.count_allowed_typos(len(word) + 1) == MAX_TYPOS:
                found.update(self._propose_by_halves(word))
            if self._of_people and word not in numbers:
                found.update(numbers[read] for read in list_scan_corrections(word) if read in numbers)
        if tolerance.variants:
            if self._consonantal:
                found.update(self._consonantal.get(build_consonant_skeleton(word), ()))
            if tolerance.foreign and is_consonantal(word):
                found.update(self._by_skeleton.get(build_consonant_skeleton(word), ()))
            sounds = self._by_sound if tolerance.foreign else self._by_native_sound
            if sounds and len(word) >= SHORTEST_SOUND:
                found.update(sounds.get(build_sound_key(word), ()))
        if not self._of_people:
            found.update(self._propose_for_others(word, tolerance))
        return found

    def _propose_for_others(self, word: str, tolerance: Tolerance) -> Iterator[int]:
        """The words that may match in ways in which parts of people's names do not."""
        yield from self._by_detached.get(word, ())
        if tolerance.typos > 0:
            yield from self._by_scanned.get(fold_scanned(word), ())
        if tolerance.variants:
            yield from self._by_stem.get(stem_adjective(word), ())
            yield from self._list_shortened(word)

    def _propose_by_halves(self, word: str) -> Iterator[int]:
        """The words with the beginning or the end of this one that may match it: two typos are hardly in both.

        Many words have a common end. Of them, those with up to two typos match, and those that match in a way for which `_propose`
        has no key or a limit: other spellings of a given name or a place, equal consonants, words that go on where this one ends.
        """
        if is_known_given_name(word) if self._of_people else parse_place(word) is not None:
            yield from self._halves.find(word)
            return
        yield from self._halves.find_near(word)
        yield from self._halves.select(word, self._by_skeleton.get(build_consonant_skeleton(word), []))
        yield from () if self._of_people else self._list_longer(word)


def _to_word_reading(number: int, likeness: WordSimilarity) -> WordReading:
    return WordReading(number, likeness.score, likeness.difference)


def _group_by_detached_word(words: Sequence[str]) -> dict[str, list[int]]:
    """The words that begin or end with a legal form, by the rest of the word."""
    groups: dict[str, list[int]] = defaultdict(list)
    for number, word in enumerate(words):
        for rest in _list_detached_words(word):
            groups[rest].append(number)
    return dict(groups)


def _list_detached_words(word: str) -> Iterator[str]:
    """The word without each legal form with which it begins or ends."""
    if word.startswith(ATTACHED_FORMS):
        yield from (word.removeprefix(form) for form in ATTACHED_FORMS if word.startswith(form))
    if word.endswith(ATTACHED_FORMS):
        yield from (word.removesuffix(form) for form in ATTACHED_FORMS if word.endswith(form))


def _list_name_variants(word: str, tolerance: Tolerance) -> Sequence[str]:
    return list_part_variants(word) if tolerance.variants else ()


def _list_word_variants(word: str, tolerance: Tolerance) -> Sequence[str]:
    """Translations, another number, and the word without an attached legal form."""
    found = [f"{word}s", word.removesuffix("s"), *_list_detached_words(word)]
    if tolerance.variants:
        found += (*find_equivalents(word), *find_translations(word), stem_adjective(word))
    return found


def list_distinct_words(names: Iterable[Sequence[str]]) -> list[str]:
    """The distinct words of names, in order."""
    return sorted({word for words in names for word in words})
