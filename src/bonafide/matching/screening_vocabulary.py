"""The distinct words of all listed names of one kind, and which of them a word that is asked for may be read as.

The readings are proposed by keys (one letter left out, sound, consonants) and judged by the very function that compares words. It
knows words only; names are found in `screening_field`.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from bonafide.matching.likeness import JOINED, Likeness
from bonafide.matching.person_words import ARTICLES, FORMS, SHORTEST_SOUND, person_likeness
from bonafide.matching.phonetics import SHORTEST_CONSONANTAL, is_consonantal, skeleton, sound_key
from bonafide.matching.screening_leeway import MOST_SLIPS, Leeway
from bonafide.matching.screening_words import GLUED, listed_likeness, stem, translations
from bonafide.matching.words import equivalents
from bonafide.model.match import WordDifference as Way

Integers = npt.NDArray[np.int32]
_SHORTEST_SPLIT = 2
_SHORTEST_DELETION = 4
_CACHED_WORDS = 2**14
_SHORTEST_TWICE, _END = 5, 3
_SHORTEST_SHORT, _MOST_BEGINNINGS = 3, 100
_LAST = "\U0010ffff"
K = TypeVar("K", bound=Hashable)


class ReadAs(NamedTuple):
    """A word of the lists for which a word asked for may stand: its number, how alike they are, and in which way."""

    word: int
    score: float
    way: Way


class Vocabulary:
    """The words of one kind of names; `of_people` says by which rules they are compared, `foreign` which have another script."""

    def __init__(self, words: Sequence[str], foreign: Collection[str], *, of_people: bool) -> None:
        self.words = words
        self._foreign = foreign
        self._of_people = of_people
        self.numbers = {word: number for number, word in enumerate(words)}
        self._judge = person_likeness if of_people else listed_likeness
        self._variants = _name_variants if of_people else _word_variants
        self._deletions = _Deletions(words)
        self._by_sound = _grouped(words, sound_key, of_words=lambda word: len(word) >= SHORTEST_SOUND)
        # Other words than names are only spelt by ear where one of them comes from another script.
        foreign_sounds = _grouped(words, sound_key, of_words=lambda word: word in foreign and len(word) >= SHORTEST_SOUND)
        self._by_native_sound = self._by_sound if of_people else foreign_sounds
        self._consonantal = _grouped(words, skeleton, of_words=lambda word: word in foreign and is_consonantal(word))
        self._by_skeleton = _grouped(words, skeleton, of_words=lambda word: len(word) >= SHORTEST_CONSONANTAL)
        self._by_stem = {} if of_people else _grouped(words, stem, of_words=lambda word: stem(word) != word)
        self._by_beginning = _grouped(words, _beginning, of_words=lambda word: len(word) >= _SHORTEST_TWICE)
        self._by_end = _grouped(words, _end, of_words=lambda word: len(word) >= _SHORTEST_TWICE)
        self.readings = lru_cache(_CACHED_WORDS)(self._readings)

    def __len__(self) -> int:
        """How many words there are."""
        return len(self.words)

    def _readings(self, word: str, leeway: Leeway) -> tuple[ReadAs, ...]:
        """All words that the word may be read as, the least alike first."""
        found = []
        for number in self._proposed(word, leeway):
            other = self.words[number]
            likeness = self._judge(word, other, leeway if other not in self._foreign else replace(leeway, foreign=True))
            if likeness is not None:
                found.append(_read_as(number, likeness))
        return tuple(sorted(found, key=lambda reading: reading.score))

    def joined(self, words: Sequence[str]) -> ReadAs | None:
        """The word that these are when they are written as one."""
        number = self.numbers.get("".join(words))
        return None if number is None else _read_as(number, JOINED)

    def split(self, word: str) -> Iterator[tuple[ReadAs, ReadAs]]:
        """The two words that this one is when it is written apart."""
        for place in range(_SHORTEST_SPLIT, len(word) - _SHORTEST_SPLIT + 1):
            first = self.numbers.get(word[:place])
            if first is not None and (second := self.numbers.get(word[place:])) is not None:
                yield _read_as(first, JOINED), _read_as(second, JOINED)

    def _shortened(self, word: str) -> Iterator[int]:
        """The words that begin with this one, and those with which it begins."""
        if len(word) >= _SHORTEST_SHORT:
            first = bisect_left(self.words, word)
            yield from range(first, min(bisect_left(self.words, word + _LAST), first + _MOST_BEGINNINGS))
        yield from (self.numbers[word[:end]] for end in range(_SHORTEST_SHORT, len(word)) if word[:end] in self.numbers)

    def _proposed(self, word: str, leeway: Leeway) -> set[int]:
        found = {number for other in (word, *self._variants(word, leeway)) if (number := self.numbers.get(other)) is not None}
        if leeway.typos > 0:
            found.update(self._deletions.near(word))
            # A word that lists hold is hardly another one with two letters wrong.
            if word not in self.numbers and leeway.slips(len(word) + 1) == MOST_SLIPS:
                found.update(self._by_beginning.get(_beginning(word), ()))
                found.update(self._by_end.get(_end(word), ()))
        if leeway.variants:
            found.update(self._by_stem.get(stem(word), ()))
            found.update(() if self._of_people else self._shortened(word))
            found.update(self._consonantal.get(skeleton(word), ()))
            found.update(self._by_skeleton.get(skeleton(word), ()) if leeway.foreign and is_consonantal(word) else ())
            sounds = self._by_sound if leeway.foreign else self._by_native_sound
            found.update(sounds.get(sound_key(word), ()) if len(word) >= SHORTEST_SOUND else ())
        return found


def _beginning(word: str) -> str:
    """What two slips leave alone unless both are in it, or one in it and the other at the end."""
    return word[:_END]


def _end(word: str) -> str:
    return word[-_END:]


def _read_as(number: int, likeness: Likeness) -> ReadAs:
    return ReadAs(number, likeness.score, likeness.way)


def _grouped(words: Sequence[str], key: Callable[[str], K], *, of_words: Callable[[str], bool]) -> dict[K, list[int]]:
    groups: dict[K, list[int]] = defaultdict(list)
    for number, word in enumerate(words):
        if of_words(word):
            groups[key(word)].append(number)
    return dict(groups)


def _name_variants(word: str, leeway: Leeway) -> Iterator[str]:
    """Forms of a given name, its initial, and the name with or without an article."""
    if leeway.variants:
        yield from FORMS.get(word, ())
        yield word[0]
        for article in ARTICLES:
            yield article + word
            yield word.removeprefix(article)


def _word_variants(word: str, leeway: Leeway) -> Iterator[str]:
    """Translations, another number, and the word with or without a legal form that is glued to it."""
    yield from (f"{word}s", word.removesuffix("s"))
    for form in GLUED:
        yield from (form + word, word + form, word.removeprefix(form), word.removesuffix(form))
    if leeway.variants:
        yield from (*equivalents(word), *translations(word), stem(word))


class _Deletions:
    """Words by what is left of them when a letter is left out: two words that differ in one letter have some of it in common."""

    def __init__(self, words: Sequence[str]) -> None:
        hashes: list[int] = []
        numbers: list[int] = []
        for number, word in enumerate(words):
            if len(word) >= _SHORTEST_DELETION:
                own = _deletions(word)
                hashes += own
                numbers += [number] * len(own)
        keys = np.array(hashes, np.int64)
        order = np.argsort(keys, kind="stable")
        self._keys, self._numbers = keys[order], np.array(numbers, np.int32)[order]

    def near(self, word: str) -> list[int]:
        """The words that share one with this word: all that differ in one letter, and others."""
        if len(word) < _SHORTEST_DELETION:
            return []
        asked = np.array(_deletions(word), np.int64)
        starts, ends = np.searchsorted(self._keys, asked), np.searchsorted(self._keys, asked, side="right")
        return [int(number) for start, end in zip(starts, ends, strict=True) if end > start for number in self._numbers[start:end]]


def _deletions(word: str) -> list[int]:
    return [hash(word), *{hash(word[:place] + word[place + 1 :]) for place in range(len(word))}]


def sorted_words(names: Iterable[Sequence[str]]) -> list[str]:
    """The distinct words of names, in order."""
    return sorted({word for words in names for word in words})
