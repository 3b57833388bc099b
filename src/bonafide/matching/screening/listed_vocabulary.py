"""The distinct words of all listed names of one kind, and the search for words that match a requested word.

Candidates are found by keys (one letter omitted, sound, consonants) and scored by the function that compares words.
`candidate_names` finds names.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt
from rapidfuzz.distance import OSA
from rapidfuzz.process import cdist

from bonafide.matching.names.listed_words import (
    ATTACHED_FORMS,
    compare_listed_words,
    find_translations,
    parse_place,
    stem_adjective,
)
from bonafide.matching.people.given_names import is_known_given_name
from bonafide.matching.people.name_part_similarity import SHORTEST_SOUND, compare_name_parts, list_part_variants
from bonafide.matching.people.person_name_alignment import is_short_typo
from bonafide.matching.scoring.tolerance import MAX_TYPOS, SHORTEST_TYPO, Tolerance
from bonafide.matching.scoring.word_similarity import JOINED, SHORTEST_SCANNED, WordSimilarity, fold_scanned
from bonafide.matching.screening.word_cache import WordCache
from bonafide.matching.text.phonetics import SHORTEST_CONSONANTAL, build_consonant_skeleton, build_sound_key, is_consonantal
from bonafide.matching.text.word_classes import find_equivalents
from bonafide.model.search.match import WordDifference

Integers = npt.NDArray[np.int32]
_SHORTEST_SPLIT = 2
_SHORTEST_DELETION, _SHORTEST_SHORT_DELETION = 4, 2
_CACHED_BYTES = 4 * 2**20
"""Of the readings, and of the short words with a slip, that one vocabulary keeps."""
_READING_BYTES, _NUMBER_BYTES = 120, 8
_SHORTEST_TWICE, _END = 5, 3
_SHORTEST_SHORT, _MOST_BEGINNINGS = 3, 100
_LAST = "\U0010ffff"
_NO_NUMBERS: Integers = np.zeros(0, np.int32)
K = TypeVar("K", bound=Hashable)


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
        self._lengths = np.array([len(word) for word in words], np.int32)
        self.numbers = {word: number for number, word in enumerate(words)}
        self._judge = compare_name_parts if of_people else compare_listed_words
        self._variants = _list_name_variants if of_people else _list_word_variants
        self._deletions = _Deletions(words, _SHORTEST_DELETION)
        self._short = _Deletions(words if of_people else (), _SHORTEST_SHORT_DELETION, SHORTEST_TYPO - 1)
        self._short_typos: WordCache[tuple[int, ...]] = WordCache(_CACHED_BYTES, lambda found: _NUMBER_BYTES * len(found))
        self._by_detached = {} if of_people else _group_by_detached_word(words)
        self._by_sound = _group_words(words, build_sound_key, of_words=lambda word: len(word) >= SHORTEST_SOUND)
        # Words other than names are spelt phonetically only if one of them is from another script.
        foreign_sounds = _group_words(words, build_sound_key, of_words=lambda word: word in foreign and len(word) >= SHORTEST_SOUND)
        self._by_native_sound = self._by_sound if of_people else foreign_sounds
        self._consonantal = _group_words(
            words, build_consonant_skeleton, of_words=lambda word: word in foreign and is_consonantal(word)
        )
        self._by_skeleton = _group_words(words, build_consonant_skeleton, of_words=lambda word: len(word) >= SHORTEST_CONSONANTAL)
        self._by_stem = {} if of_people else _group_words(words, stem_adjective, of_words=lambda word: stem_adjective(word) != word)
        # People's names are typed rather than scanned.
        self._by_scanned = (
            {} if of_people else _group_words(words, fold_scanned, of_words=lambda word: len(word) >= SHORTEST_SCANNED)
        )
        self._by_beginning = _group_as_arrays(words, _get_beginning, of_words=lambda word: len(word) >= _SHORTEST_TWICE)
        self._by_end = _group_as_arrays(words, _get_end, of_words=lambda word: len(word) >= _SHORTEST_TWICE)
        self._readings: WordCache[tuple[WordReading, ...]] = WordCache(_CACHED_BYTES, lambda found: _READING_BYTES * len(found))

    def __len__(self) -> int:
        """How many words there are."""
        return len(self.words)

    def readings(self, word: str, tolerance: Tolerance) -> tuple[WordReading, ...]:
        """All listed words that match the word, the least similar first."""
        return self._readings.get((word, tolerance), partial(self._find_readings, word, tolerance))

    def _find_readings(self, word: str, tolerance: Tolerance) -> tuple[WordReading, ...]:
        found, foreign = [], replace(tolerance, foreign=True)
        for number in self._propose(word, tolerance):
            other = self.words[number]
            likeness = self._judge(word, other, tolerance if other not in self._foreign else foreign)
            if likeness is not None:
                found.append(_to_word_reading(number, likeness))
        return tuple(sorted(found, key=lambda reading: (reading.score, reading.word)))

    def short_typos(self, word: str) -> tuple[int, ...]:
        """The listed words of up to four letters that differ from this one in one, and this one if it is listed."""
        return self._short_typos.get(word, partial(self._find_short_typos, word))

    def _find_short_typos(self, word: str) -> tuple[int, ...]:
        return tuple({number for number in self._short.near(word) if is_short_typo(word, self.words[number])})

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
        yield from (self.numbers[word[:end]] for end in range(_SHORTEST_SHORT, len(word)) if word[:end] in self.numbers)

    def _propose(self, word: str, tolerance: Tolerance) -> set[int]:
        """The numbers of the words that may match this one."""
        found = {number for other in (word, *self._variants(word, tolerance)) if (number := self.numbers.get(other)) is not None}
        found.update(self._by_detached.get(word, ()))
        if tolerance.typos > 0:
            found.update(self._deletions.near(word))
            found.update(self._by_scanned.get(fold_scanned(word), ()))
            # A word that lists hold is hardly another one with two letters wrong.
            if word not in self.numbers and tolerance.count_allowed_typos(len(word) + 1) == MAX_TYPOS:
                found.update(self._propose_by_halves(word))
        if tolerance.variants:
            found.update(self._by_stem.get(stem_adjective(word), ()))
            found.update(() if self._of_people else self._list_shortened(word))
            found.update(self._consonantal.get(build_consonant_skeleton(word), ()))
            found.update(
                self._by_skeleton.get(build_consonant_skeleton(word), ()) if tolerance.foreign and is_consonantal(word) else ()
            )
            sounds = self._by_sound if tolerance.foreign else self._by_native_sound
            found.update(sounds.get(build_sound_key(word), ()) if len(word) >= SHORTEST_SOUND else ())
        return found

    def _propose_by_halves(self, word: str) -> Iterator[int]:
        """The words with the beginning or the end of this one that may match it: two typos are hardly in both.

        Many words have a common end. Of them, those with up to two typos match, and those that match in a way for which `_propose`
        has no key or a limit: other spellings of a given name or a place, equal consonants, words that go on where this one ends.
        """
        beginning, end = _get_beginning(word), _get_end(word)
        numbers = np.concatenate([self._by_beginning.get(beginning, _NO_NUMBERS), self._by_end.get(end, _NO_NUMBERS)])
        if is_known_given_name(word) if self._of_people else parse_place(word) is not None:
            yield from numbers.tolist()
            return
        near = numbers[np.abs(self._lengths[numbers] - len(word)) <= MAX_TYPOS].tolist()
        distances = cdist([word], [self.words[number] for number in near], scorer=OSA.distance, score_cutoff=MAX_TYPOS)[0]
        yield from (near[place] for place in np.flatnonzero(distances <= MAX_TYPOS))
        for number in self._by_skeleton.get(build_consonant_skeleton(word), ()):
            other = self.words[number]
            if len(other) >= _SHORTEST_TWICE and (_get_beginning(other) == beginning or _get_end(other) == end):
                yield number
        yield from () if self._of_people else self._list_longer(word)


def _get_beginning(word: str) -> str:
    """The beginning of a word, for matches with two typos that are not in it."""
    return word[:_END]


def _get_end(word: str) -> str:
    return word[-_END:]


def _to_word_reading(number: int, likeness: WordSimilarity) -> WordReading:
    return WordReading(number, likeness.score, likeness.difference)


def _group_words(words: Sequence[str], key: Callable[[str], K], *, of_words: Callable[[str], bool]) -> dict[K, list[int]]:
    groups: dict[K, list[int]] = defaultdict(list)
    for number, word in enumerate(words):
        if of_words(word):
            groups[key(word)].append(number)
    return dict(groups)


def _group_as_arrays(words: Sequence[str], key: Callable[[str], str], *, of_words: Callable[[str], bool]) -> dict[str, Integers]:
    return {name: np.array(numbers, np.int32) for name, numbers in _group_words(words, key, of_words=of_words).items()}


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


def _list_name_variants(word: str, tolerance: Tolerance) -> Iterator[str]:
    if tolerance.variants:
        yield from list_part_variants(word)


def _list_word_variants(word: str, tolerance: Tolerance) -> Iterator[str]:
    """Translations, another number, and the word without an attached legal form."""
    yield from (f"{word}s", word.removesuffix("s"))
    yield from _list_detached_words(word)
    if tolerance.variants:
        yield from (*find_equivalents(word), *find_translations(word), stem_adjective(word))


class _Deletions:
    """Words by their forms with one letter omitted: two words that differ in one letter share such a form."""

    def __init__(self, words: Sequence[str], shortest: int, longest: int | None = None) -> None:
        self._shortest = shortest
        hashes: list[int] = []
        numbers: list[int] = []
        for number, word in enumerate(words):
            if shortest <= len(word) <= (longest or len(word)):
                own = _build_deletions(word)
                hashes += own
                numbers += [number] * len(own)
        keys = np.array(hashes, np.int64)
        order = np.argsort(keys, kind="stable")
        self._keys, self._numbers = keys[order], np.array(numbers, np.int32)[order]

    def near(self, word: str) -> list[int]:
        """The words that share a form with this word: all that differ in one letter, and others."""
        if len(word) < self._shortest:
            return []
        requested = np.array(_build_deletions(word), np.int64)
        starts, ends = np.searchsorted(self._keys, requested), np.searchsorted(self._keys, requested, side="right")
        return [int(number) for start, end in zip(starts, ends, strict=True) if end > start for number in self._numbers[start:end]]


def _build_deletions(word: str) -> list[int]:
    return [hash(word), *{hash(word[:place] + word[place + 1 :]) for place in range(len(word))}]


def list_distinct_words(names: Iterable[Sequence[str]]) -> list[str]:
    """The distinct words of names, in order."""
    return sorted({word for words in names for word in words})
