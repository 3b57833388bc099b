"""Indexes of listed words by their spelling, which propose the words that a requested word may be a misspelling of.

Each exists in Python and compiled (`native/comparison`), with equal results. `listed_vocabulary` compares the proposed words.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from typing import Protocol, TypeVar

import numpy as np
import numpy.typing as npt
from rapidfuzz.distance import OSA
from rapidfuzz.process import cdist

from bonafide.matching.scoring.tolerance import MAX_TYPOS
from bonafide.native import comparison_extension

ANY_LENGTH = 2**31 - 1
_HALF = 3
_NO_NUMBERS: npt.NDArray[np.int32] = np.zeros(0, np.int32)
K = TypeVar("K", bound=Hashable)


class OmittedLetterIndex(Protocol):
    """Words by their forms with one letter omitted: two words that differ in one letter share such a form."""

    def find(self, word: str) -> Sequence[int]:
        """The numbers of the words that share a form with this word: all that differ in one letter, and others. Some repeatedly."""


class WordHalfIndex(Protocol):
    """Words by their first and by their last three letters: two typos are seldom in both."""

    def find(self, word: str) -> Sequence[int]:
        """The numbers of the words with the beginning or the end of this one, some repeatedly."""

    def find_near(self, word: str) -> Sequence[int]:
        """Those of `find` with at most two typos."""

    def select(self, word: str, numbers: list[int]) -> Sequence[int]:
        """Those of these words that `find` returns."""


class PythonOmittedLetterIndex:
    """Words of `shortest` to `longest` letters by the hashes of their forms."""

    def __init__(self, words: Sequence[str], shortest: int, longest: int) -> None:
        self._shortest = shortest
        hashes: list[int] = []
        numbers: list[int] = []
        for number, word in enumerate(words):
            if shortest <= len(word) <= longest:
                own = _hash_forms(word)
                hashes += own
                numbers += [number] * len(own)
        keys = np.array(hashes, np.int64)
        order = np.argsort(keys, kind="stable")
        self._keys, self._numbers = keys[order], np.array(numbers, np.int32)[order]

    def find(self, word: str) -> Sequence[int]:
        """See `OmittedLetterIndex`."""
        if len(word) < self._shortest:
            return []
        requested = np.array(_hash_forms(word), np.int64)
        starts, ends = np.searchsorted(self._keys, requested), np.searchsorted(self._keys, requested, side="right")
        return [int(number) for start, end in zip(starts, ends, strict=True) if end > start for number in self._numbers[start:end]]


def _hash_forms(word: str) -> list[int]:
    return [hash(word), *{hash(word[:place] + word[place + 1 :]) for place in range(len(word))}]


class PythonWordHalfIndex:
    """Words of at least `shortest` letters, at least three, in groups."""

    def __init__(self, words: Sequence[str], shortest: int) -> None:
        self._words, self._shortest = words, max(shortest, _HALF)
        self._lengths = np.array([len(word) for word in words], np.int32)
        self._by_beginning = self._group(_get_beginning)
        self._by_end = self._group(_get_end)

    def find(self, word: str) -> Sequence[int]:
        """See `WordHalfIndex`."""
        found: list[int] = self._find(word).tolist()
        return found

    def find_near(self, word: str) -> Sequence[int]:
        """See `WordHalfIndex`."""
        numbers = self._find(word)
        near: list[int] = numbers[np.abs(self._lengths[numbers] - len(word)) <= MAX_TYPOS].tolist()
        distances = cdist([word], [self._words[number] for number in near], scorer=OSA.distance, score_cutoff=MAX_TYPOS)[0]
        return [near[place] for place in np.flatnonzero(distances <= MAX_TYPOS)]

    def select(self, word: str, numbers: list[int]) -> Sequence[int]:
        """See `WordHalfIndex`."""
        beginning, end = _get_beginning(word), _get_end(word)
        own = ((number, self._words[number]) for number in numbers if self._lengths[number] >= self._shortest)
        return [number for number, other in own if _get_beginning(other) == beginning or _get_end(other) == end]

    def _find(self, word: str) -> npt.NDArray[np.int32]:
        groups = (self._by_beginning.get(_get_beginning(word), _NO_NUMBERS), self._by_end.get(_get_end(word), _NO_NUMBERS))
        return np.concatenate(groups)

    def _group(self, get_half: Callable[[str], str]) -> dict[str, npt.NDArray[np.int32]]:
        groups = group_words(self._words, get_half, of_words=lambda word: len(word) >= self._shortest)
        return {half: np.array(numbers, np.int32) for half, numbers in groups.items()}


def group_words(words: Sequence[str], key: Callable[[str], K], *, of_words: Callable[[str], bool]) -> dict[K, list[int]]:
    """The numbers of the words that `of_words` selects, by their key."""
    groups: dict[K, list[int]] = defaultdict(list)
    for number, word in enumerate(words):
        if of_words(word):
            groups[key(word)].append(number)
    return dict(groups)


def _get_beginning(word: str) -> str:
    return word[:_HALF]


def _get_end(word: str) -> str:
    return word[-_HALF:]


def create_omitted_letter_index(words: Sequence[str], shortest: int, longest: int = ANY_LENGTH) -> OmittedLetterIndex:
    """An index of the words of `shortest` to `longest` letters."""
    if comparison_extension is None:
        return PythonOmittedLetterIndex(words, shortest, longest)
    index: OmittedLetterIndex = comparison_extension.OmittedLetterIndex(words, shortest, longest)
    return index


def create_word_half_index(words: Sequence[str], shortest: int) -> WordHalfIndex:
    """An index of the words of at least `shortest` letters."""
    if comparison_extension is None:
        return PythonWordHalfIndex(words, shortest)
    index: WordHalfIndex = comparison_extension.WordHalfIndex(words, shortest)
    return index
