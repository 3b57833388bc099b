"""Estimate the scores of the listed names that share words with a searched name, by sums over the postings of the words.

`NumpyNameEstimator` is the reference; `native/comparison/name_estimator.c` gives the same estimates in less time. An estimate
approximates the score of `PERSON_NAME_FEATURES` or `LISTED_NAME_FEATURES` with their numbers. It is a little too high at worst.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from struct import Struct
from threading import local
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from bonafide.matching.screening.listed_vocabulary import WordReading
from bonafide.model.search.match import WordDifference
from bonafide.native import comparison_extension

Integers = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]
_ENOUGH = 2
_READING = Struct("=ifi")
"""A reading for the extension: the number of the word, the similarity, and 1 for a distinctive word."""


class EstimateNumbers(NamedTuple):
    """The numbers of the features that an estimate approximates, for names of one kind.

    Weights below `nothing` count as zero. `one_sided` and `conflict` are shares of the weight of unpaired words, `extra` replaces
    `one_sided` for people where only one name has unpaired words. `limit` is the score of a name with one distinctive word.
    `short_typo` is the similarity of short words with a slip beside words of the weight `least_beside_short_typo`.
    """

    nothing: float
    one_sided: float
    conflict: float
    extra: float
    limit: float
    short_typo: float
    least_beside_short_typo: float


@dataclass(frozen=True, slots=True)
class ListedNamePostings:
    """The names of each word: `names[starts[word] : starts[word + 1]]`, each name of a word once.

    `distinctive` is true for words that distinguish names; `distinctive_words` is their number in each name.
    """

    starts: npt.NDArray[np.int64]
    names: Integers
    distinctive: npt.NDArray[np.bool_]
    distinctive_words: Floats

    def is_distinctive(self, reading: WordReading) -> bool:
        """Whether a reading is a distinctive word; an initial is none."""
        return bool(self.distinctive[reading.word]) and reading.difference is not WordDifference.INITIAL


class NameWeights(NamedTuple):
    """The weights of the listed words, and their sums for each name."""

    words: Floats
    names: Floats


class SharedWord(NamedTuple):
    """The packed readings of a searched word and its weight. `is_sufficient`: a name with no other word may score high enough."""

    readings: Any
    weight: float
    is_sufficient: bool


class SearchedName(NamedTuple):
    """What is searched, besides the shared words.

    `total` is the weight of all words, `total_of_full` of those that are no initials. `short_words` are pairs of the weight of a
    short word and the listed words that differ from it in a letter.
    """

    total: float
    total_of_full: float
    initials: int
    distinctive: int
    short_words: tuple[tuple[float, tuple[int, ...]], ...] = ()


NameEstimates = tuple[list[int], list[float]]
"""Numbers of names in rising order, and the estimate of each."""


class NameEstimator(Protocol):
    """Estimates names of one kind. Thread-safe."""

    def pack(self, readings: Sequence[WordReading]) -> Any:
        """The readings of a word, the least similar first, in the form in which they are kept and searched."""

    def measure(self, readings: Any) -> int:
        """The bytes of packed readings."""

    def estimate(self, shared: Sequence[SharedWord], searched: SearchedName, weights: NameWeights, floor: float) -> NameEstimates:
        """The names that may score at least `floor`.

        They have a sufficient word or at least two words. For a name with several readings of a word, the most similar counts.
        """


def create_name_estimator(postings: ListedNamePostings, numbers: EstimateNumbers, *, of_people: bool) -> NameEstimator:
    """The compiled estimator where there is one."""
    kind = NumpyNameEstimator if comparison_extension is None else CompiledNameEstimator
    return kind(postings, numbers, of_people=of_people)


class CompiledNameEstimator:
    """Estimates in C. Readings are packed as bytes."""

    def __init__(self, postings: ListedNamePostings, numbers: EstimateNumbers, *, of_people: bool) -> None:
        if comparison_extension is None:
            raise RuntimeError("the extension is not compiled")
        self._postings = postings
        self._compiled = comparison_extension.NameEstimator(
            postings.starts, postings.names, postings.distinctive_words, of_people=of_people, **numbers._asdict()
        )

    def pack(self, readings: Sequence[WordReading]) -> bytes:
        """See `NameEstimator`."""
        is_distinctive = self._postings.is_distinctive
        return b"".join([_READING.pack(reading.word, reading.score, is_distinctive(reading)) for reading in readings])

    def measure(self, readings: bytes) -> int:
        """See `NameEstimator`."""
        return len(readings)

    def estimate(self, shared: Sequence[SharedWord], searched: SearchedName, weights: NameWeights, floor: float) -> NameEstimates:
        """See `NameEstimator`."""
        total, of_full, initials, distinctive, short = searched
        found: NameEstimates = self._compiled.estimate(
            tuple(shared), short, weights.words, weights.names, total, of_full, initials, distinctive, floor
        )
        return found


@dataclass(frozen=True, slots=True)
class _WordPostings:
    """The listed names with a word that matches a requested one, each name once, and the position of its reading.

    Each reading has the number of its word, its similarity, and 1 for a distinctive word.
    """

    names: Integers
    which: Integers
    numbers: npt.NDArray[np.intp]
    scores: Floats
    full: Floats


@dataclass(frozen=True, slots=True)
class _WordSums:
    """Sums over the words that a requested name shares with each listed name: one row for each of `names`, in no order.

    `agreed` is the weight of the pairs of words times their similarity, `worth` the weight of the pairs, `found` and `requested`
    that of the words on either side, and `full` the number of distinctive words.
    """

    names: Integers
    agreed: Doubles
    worth: Doubles
    found: Doubles
    full: Doubles
    requested: Doubles

    def find(self, names: Integers, scratch: Integers) -> npt.NDArray[np.intp]:
        """The rows of those of these names that have one."""
        scratch[self.names] = np.arange(len(self.names), dtype=np.int32)
        rows: npt.NDArray[np.intp] = scratch[names].astype(np.intp)
        inside = np.flatnonzero(rows < len(self.names))
        same = self.names[rows[inside]] == names[inside]
        found: npt.NDArray[np.intp] = rows[inside[same]]
        return found


class NumpyNameEstimator:
    """Estimates with NumPy. Readings are packed as the merged postings of their words."""

    def __init__(self, postings: ListedNamePostings, numbers: EstimateNumbers, *, of_people: bool) -> None:
        self._postings, self._numbers, self._of_people = postings, numbers, of_people
        self._local = local()

    def pack(self, readings: Sequence[WordReading]) -> _WordPostings:
        """See `NameEstimator`."""
        numbers = np.array([reading.word for reading in readings], np.intp)
        scores = np.array([reading.score for reading in readings], np.float32)
        full = np.array([self._postings.is_distinctive(reading) for reading in readings], np.float32)
        lists = [self._get_names(number) for number in numbers]
        if len(lists) == 1:
            return _WordPostings(lists[0], np.zeros(len(lists[0]), np.int32), numbers, scores, full)
        every = np.concatenate(lists)
        which = np.repeat(np.arange(len(lists), dtype=np.int32), [len(own) for own in lists])
        # Readings are ordered from the least to the most similar, so that the best is the last of a name.
        last = find_last_places(every, self._get_scratch())
        return _WordPostings(every[last], which[last], numbers, scores, full)

    def measure(self, readings: _WordPostings) -> int:
        """See `NameEstimator`. The names of a single reading are a part of the index and take none."""
        arrays = (readings.names, readings.which, readings.numbers, readings.scores, readings.full)
        return sum(array.nbytes for array in arrays if array.base is None)

    def estimate(self, shared: Sequence[SharedWord], searched: SearchedName, weights: NameWeights, floor: float) -> NameEstimates:
        """See `NameEstimator`."""
        sums = self._sum(shared, weights) if shared else None
        if sums is None:
            return [], []
        for weight, near in searched.short_words:
            self._add_short_word(sums, weights, weight, near, searched.total)
        scores = self._compute_scores(sums, weights, searched)
        kept = np.flatnonzero(scores >= np.float32(floor))
        kept = kept[np.argsort(sums.names[kept])]
        return sums.names[kept].tolist(), scores[kept].tolist()

    def _get_names(self, word: int) -> Integers:
        return self._postings.names[self._postings.starts[word] : self._postings.starts[word + 1]]

    def _get_scratch(self) -> Integers:
        """A number for each name, for the use of this thread; searches leave their values in it."""
        found: Integers | None = getattr(self._local, "scratch", None)
        if found is None:
            found = self._local.scratch = np.zeros(len(self._postings.distinctive_words), np.int32)
        return found

    def _sum(self, shared: Sequence[SharedWord], weights: NameWeights) -> _WordSums | None:
        """The sums of the names that have one of the sufficient words, or at least two words."""
        packed: list[_WordPostings] = [word.readings for word in shared]
        selected = self._select(shared, packed)
        every = np.concatenate([one.names[places] for one, places in zip(packed, selected, strict=True)])
        if not len(every):
            return None
        scratch = self._get_scratch()
        names = every[find_last_places(every, scratch)]
        scratch[names] = np.arange(len(names), dtype=np.int32)
        rows = scratch[every]
        first = np.cumsum([0, *(len(one.numbers) for one in packed)])
        which = np.concatenate([one.which[places] + at for one, places, at in zip(packed, selected, first[:-1], strict=True)])
        scores, full = (np.concatenate(columns) for columns in zip(*((one.scores, one.full) for one in packed), strict=True))
        found = weights.words[np.concatenate([one.numbers for one in packed])]
        requested = np.repeat([word.weight for word in shared], np.diff(first))
        pair = np.maximum(found, requested) if self._of_people else np.minimum(found, requested)
        columns = (scores * pair, pair, found, full, requested)
        return _WordSums(names, *np.array([np.bincount(rows, column[which], len(names)) for column in columns], np.float64))

    def _select(self, shared: Sequence[SharedWord], packed: Sequence[_WordPostings]) -> Sequence[npt.NDArray[np.intp] | slice]:
        """The places in each of the postings of the names that have one of the sufficient words, or at least two words."""
        if all(word.is_sufficient for word in shared):
            return [slice(None)] * len(shared)
        points = self._get_scratch()
        for one in packed:
            points[one.names] = 0
        for one, word in zip(packed, shared, strict=True):
            # A name is in the postings of a word once.
            points[one.names] += _ENOUGH if word.is_sufficient else 1
        return [np.flatnonzero(points[one.names] >= _ENOUGH) for one in packed]

    def _add_short_word(self, sums: _WordSums, weights: NameWeights, weight: float, near: Sequence[int], total: float) -> None:
        """Add a short word with a slip, for names in which other parts match and both sides have a word left."""
        nothing = self._numbers.nothing
        marked = np.concatenate([self._get_names(word) for word in near])
        # A word is in a name once, and a name with two of the words counts once.
        at = np.unique(sums.find(marked, self._get_scratch()))
        left = (total - sums.requested[at] >= weight - nothing) & (weights.names[sums.names[at]] - sums.found[at] > nothing)
        at = at[left & (sums.agreed[at] >= self._numbers.least_beside_short_typo)]
        sums.agreed[at] += self._numbers.short_typo
        for column in (sums.worth, sums.found, sums.full):
            column[at] += 1
        sums.requested[at] += weight

    def _compute_scores(self, sums: _WordSums, weights: NameWeights, searched: SearchedName) -> Floats:
        numbers = self._numbers
        missing = np.maximum(searched.total_of_full - sums.requested, 0)
        added = np.maximum(weights.names[sums.names] - sums.found, 0)
        if searched.initials:
            # An initial may represent any remaining part.
            added = np.maximum(added - searched.initials, 0)
        both = np.minimum(missing, added)
        one_sided = np.where(self._of_people & (both < numbers.nothing), numbers.extra, numbers.one_sided)
        worth = sums.worth + (one_sided * (missing + added) + numbers.conflict * both)
        # A name that shares only words without weight has no worth at all.
        scores = np.divide(sums.agreed, worth, out=np.zeros(len(worth)), where=worth > 0).astype(np.float32)
        complete = (missing < numbers.nothing) & (added < numbers.nothing)
        full = sums.full
        if self._of_people:
            enough = (full >= 2) | complete | ((full >= 1) & (bool(searched.initials) | (sums.agreed > full)))  # noqa: PLR2004
        else:
            lone = (self._postings.distinctive_words[sums.names] - full) + (searched.distinctive - full)
            enough = complete | (full >= 2) | ((full >= 1) & (lone <= 0))  # noqa: PLR2004
        limited: Floats = np.where(enough, scores, np.minimum(scores, np.float32(numbers.limit)))
        return limited


def find_last_places(numbers: Integers, scratch: Integers) -> npt.NDArray[np.intp]:
    """The place of the last occurrence of each number. `scratch` has an element for each possible number, with any value."""
    places = np.arange(len(numbers), dtype=np.int32)
    # NumPy keeps the last value that is assigned to an index.
    scratch[numbers] = places
    return np.flatnonzero(scratch[numbers] == places)
