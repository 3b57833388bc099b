"""Find the listed names of one kind that are similar enough to a name to be compared with it.

The estimate of a name approximates the score of `PERSON_NAME_FEATURES` or `LISTED_NAME_FEATURES` with their numbers, for all names
at once. It is a little too high at worst.
"""

from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from threading import local

import numpy as np
import numpy.typing as npt

from bonafide.matching.names.acronyms import list_initials
from bonafide.matching.names.listed_words import is_distinctive, weigh_listed_word
from bonafide.matching.people.name_part_similarity import weigh_name_part
from bonafide.matching.people.person_name_comparison import PERSON_NAME_FEATURES
from bonafide.matching.scoring import score_parameters
from bonafide.matching.scoring.screening_parameters import SHORT_TYPO
from bonafide.matching.scoring.tolerance import SHORTEST_TYPO, Tolerance
from bonafide.matching.scoring.word_rarity import STATIC_RARITY, WordRarity
from bonafide.matching.screening.listed_name_comparison import LISTED_NAME_FEATURES
from bonafide.matching.screening.listed_vocabulary import Integers, ListedVocabulary, WordReading, list_distinct_words
from bonafide.matching.screening.word_cache import WordCache
from bonafide.model.search.match import WordDifference

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]
_NOTHING = 1e-4
_MAX_WORDS = 24
_MAX_JOINED = 3
_LAST = "\U0010ffff"
_MOST_LONGER = 100
_CACHED_BYTES = 16 * 2**20
"""Of the postings that the names of one kind keep."""
_ENOUGH = 2
_ROUNDING = 1e-3
_AGREED_BESIDE_SHORT_TYPO = 1.3
"""The lowest weight of the other matching parts: two, of which one may be "Abdul"."""
_PARTS, _WORDS = PERSON_NAME_FEATURES.get_numbers("person_parts"), LISTED_NAME_FEATURES.get_numbers("listed_words")
_ONE_PART_LIMIT = PERSON_NAME_FEATURES.get_numbers("one_part_only")["limit"]
_ONE_WORD_LIMIT = LISTED_NAME_FEATURES.get_numbers("one_word_only")["limit"]


@dataclass(frozen=True, slots=True)
class ScoreEstimates:
    """Names that may score high enough, by their numbers in rising order, each with its estimate."""

    names: Integers
    scores: Floats


@dataclass(frozen=True, slots=True)
class _Weights:
    """The weights of words, and their sums for each name."""

    rarity: WordRarity
    words: Floats
    names: Floats


class CandidateNames:
    """All names of one kind, numbered in the given order."""

    def __init__(self, names: Sequence[Sequence[str]], foreign: Collection[str], *, of_people: bool) -> None:
        self.of_people = of_people
        self.vocabulary = ListedVocabulary(list_distinct_words(names), foreign, of_people=of_people)
        number = self.vocabulary.numbers
        distinct = [sorted({number[word] for word in words}) for words in names]
        lengths = np.array([len(words) for words in distinct], np.int64)
        self._flat = np.array([word for words in distinct for word in words], np.int32)
        self._owner = np.repeat(np.arange(len(names), dtype=np.int32), lengths)
        order = np.argsort(self._flat, kind="stable")
        self._postings = self._owner[order]
        self._starts = np.searchsorted(self._flat[order], np.arange(len(self.vocabulary) + 1))
        telling = np.array([self._is_telling(word) for word in self.vocabulary.words], np.bool_)
        self._telling = telling
        self._telling_words = self._summed(telling.astype(np.float32), len(names))
        self._whole: dict[str, list[int]] = {}
        for place, words in enumerate(names):
            self._whole.setdefault("".join(words), []).append(place)
        self._beginnings = [] if of_people else sorted(self._whole)
        self._initials: dict[str, list[int]] = {}
        for place, words in enumerate(() if of_people else names):
            for acronym in list_initials(words):
                self._initials.setdefault(acronym, []).append(place)
        self._count = len(names)
        self._weights = self._weighed(STATIC_RARITY)
        self._local = local()
        self._cache: WordCache[_WordPostings | None] = WordCache(_CACHED_BYTES, _measure_postings)

    def __len__(self) -> int:
        """How many names there are."""
        return self._count

    def search(
        self,
        words: Sequence[str],
        floor: float,
        tolerance: Tolerance,
        rarity: WordRarity = STATIC_RARITY,
        *,
        is_cut_off: bool = False,
    ) -> ScoreEstimates:
        """The names that may score at least `floor` against these words, which may be the beginning of a name that was cut off."""
        held = self._weights if self._weights.rarity is rarity else self._weighed(rarity)
        self._weights = held
        whole = [*self._whole.get("".join(words), ()), *(self._list_longer("".join(words)) if is_cut_off else ())]
        acronym = self._initials.get(words[0], ()) if len(words) == 1 and floor <= score_parameters.ACRONYM else ()
        words = words[:_MAX_WORDS]
        requested = [self._weight(word, rarity) for word in words]
        shared = list(self._list_shared_words(words, requested, tolerance))
        sums = self._sum(shared, held, self._find_sufficient(shared, words, requested, floor))
        found, estimates = np.zeros(0, np.int32), np.zeros(0, np.float32)
        if len(sums.names):
            if self.of_people and tolerance.typos > 0:
                self._add_short_typos(sums, held, words, requested)
            scores = self._estimated(sums, held, words, requested)
            kept = np.flatnonzero(scores >= floor)
            kept = kept[np.argsort(sums.names[kept])]
            found, estimates = sums.names[kept], scores[kept]
        for others, estimate in ((acronym, score_parameters.ACRONYM), (whole, 1.0)):
            if others and not set(others).issubset(found.tolist()):
                wanted = np.union1d(found, np.array(others, np.int32))
                estimates = np.where(np.isin(wanted, others), np.float32(estimate), _spread_scores(wanted, found, estimates))
                found = wanted
        return ScoreEstimates(found, estimates)

    def _get_scratch(self) -> Integers:
        """A number for each name, for the use of this thread; searches leave their values in it."""
        found: Integers | None = getattr(self._local, "scratch", None)
        if found is None:
            found = self._local.scratch = np.zeros(self._count, np.int32)
        return found

    def _list_longer(self, beginning: str) -> list[int]:
        """The names that go on where this one ends."""
        first = bisect_left(self._beginnings, beginning)
        last = bisect_left(self._beginnings, beginning + _LAST, first)
        return [place for name in self._beginnings[first : min(last, first + _MOST_LONGER)] for place in self._whole[name]]

    def _list_shared_words(
        self, words: Sequence[str], requested: Sequence[float], tolerance: Tolerance
    ) -> Iterator[tuple["_WordPostings", float]]:
        """The postings of the requested words, each with its weight; words also as two listed words, and several as one."""
        for word, weight in zip(words, requested, strict=True):
            postings = self._cache.get((word, tolerance), partial(self._collect_postings, word, tolerance))
            if postings is not None:
                yield postings, weight
            if word not in self.vocabulary.numbers:
                for pair in self.vocabulary.split(word):
                    for reading in pair:
                        share = len(self.vocabulary.words[reading.word]) / len(word)
                        yield self._read_postings([reading]), weight * share
        for first in range(len(words) - 1):
            for count in range(2, min(_MAX_JOINED, len(words) - first) + 1):
                joined = self.vocabulary.joined(words[first : first + count])
                if joined is not None:
                    yield self._read_postings([joined]), sum(requested[first : first + count])

    def _collect_postings(self, word: str, tolerance: Tolerance) -> "_WordPostings | None":
        """The names with a word that matches this one; None if there are none."""
        readings = self.vocabulary.readings(word, tolerance)
        return self._read_postings(readings) if readings else None

    def _read_postings(self, readings: Sequence[WordReading]) -> "_WordPostings":
        """The names of these readings of one word; for a name with several of them, the most similar counts."""
        numbers = np.array([reading.word for reading in readings], np.intp)
        scores = np.array([reading.score for reading in readings], np.float32)
        full = np.array([self._counts(reading) for reading in readings], np.float32)
        lists = [self._postings[self._starts[number] : self._starts[number + 1]] for number in numbers]
        if len(lists) == 1:
            return _WordPostings(lists[0], np.zeros(len(lists[0]), np.int32), numbers, scores, full)
        every = np.concatenate(lists)
        which = np.repeat(np.arange(len(lists), dtype=np.int32), [len(own) for own in lists])
        # Readings are ordered from the least to the most similar, so that the best is the last of a name.
        last = find_last_places(every, self._get_scratch())
        return _WordPostings(every[last], which[last], numbers, scores, full)

    def _find_sufficient(
        self, shared: Sequence[tuple["_WordPostings", float]], words: Sequence[str], requested: Sequence[float], floor: float
    ) -> list[bool] | None:
        """For each shared word, whether a name with no other of the words may score at least `floor`; None if no name may.

        It is exact for names of people where the limit of one part is below `floor`, otherwise a bound that ignores added words.
        """
        if not shared:
            return None
        total = sum(requested)
        if self.of_people:
            if floor <= _ONE_PART_LIMIT or any(len(word) == 1 for word in words):
                return [True] * len(shared)
            found = [weight > 1 or total - weight < _NOTHING for _, weight in shared]
            return found if len(shared) > 1 or any(found) else None
        least = floor - _ROUNDING
        found = [_bound_score(weight, total) >= least for _, weight in shared]
        if len(shared) == 1:
            return found if found[0] else None
        if _bound_score(sum(weight for _, weight in shared), total) < least:
            return None
        return found

    def _sum(
        self, shared: Sequence[tuple["_WordPostings", float]], held: _Weights, sufficient: Sequence[bool] | None
    ) -> "_WordSums":
        """The sums of the names that have one of the sufficient words, or at least two words."""
        if sufficient is None:
            return _create_empty_sums()
        selected = self._select(shared, sufficient)
        every = np.concatenate([postings.names[places] for (postings, _), places in zip(shared, selected, strict=True)])
        if not len(every):
            return _create_empty_sums()
        scratch = self._get_scratch()
        names = every[find_last_places(every, scratch)]
        scratch[names] = np.arange(len(names), dtype=np.int32)
        rows = scratch[every]
        first = np.cumsum([0, *(len(postings.numbers) for postings, _ in shared)])
        parts = zip(shared, selected, first[:-1], strict=True)
        which = np.concatenate([postings.which[places] + start for (postings, _), places, start in parts])
        scores, full = (np.concatenate(columns) for columns in zip(*((one.scores, one.full) for one, _ in shared), strict=True))
        found = held.words[np.concatenate([postings.numbers for postings, _ in shared])]
        weights = np.repeat([weight for _, weight in shared], np.diff(first))
        pair = np.maximum(found, weights) if self.of_people else np.minimum(found, weights)
        columns = (scores * pair, pair, found, full, weights)
        return _WordSums(names, *np.array([np.bincount(rows, column[which], len(names)) for column in columns], np.float64))

    def _select(
        self, shared: Sequence[tuple["_WordPostings", float]], sufficient: Sequence[bool]
    ) -> "list[npt.NDArray[np.intp] | slice]":
        """The places in each of the postings of the names that have one of the sufficient words, or at least two words."""
        if all(sufficient):
            return [slice(None)] * len(shared)
        points = self._get_scratch()
        for postings, _ in shared:
            points[postings.names] = 0
        for (postings, _), enough in zip(shared, sufficient, strict=True):
            # A name is in the postings of a word once.
            points[postings.names] += _ENOUGH if enough else 1
        return [np.flatnonzero(points[postings.names] >= _ENOUGH) for postings, _ in shared]

    def _add_short_typos(self, sums: "_WordSums", held: _Weights, words: Sequence[str], requested: Sequence[float]) -> None:
        """Add short words with a slip, for names in which other parts match and both sides have a word left."""
        total = sum(requested)
        for word, weight in zip(words, requested, strict=True):
            near = self.vocabulary.short_typos(word) if len(word) < SHORTEST_TYPO else ()
            if not near:
                continue
            marked = np.concatenate([self._postings[self._starts[one] : self._starts[one + 1]] for one in near])
            # A word is in a name once, and a name with two of the words counts once.
            at = np.unique(sums.find(marked, self._get_scratch()))
            left = (total - sums.requested[at] >= weight - _NOTHING) & (held.names[sums.names[at]] - sums.found[at] > _NOTHING)
            at = at[left & (sums.agreed[at] >= _AGREED_BESIDE_SHORT_TYPO)]
            sums.agreed[at] += SHORT_TYPO
            for column in (sums.worth, sums.found, sums.full):
                column[at] += 1
            sums.requested[at] += weight

    def _counts(self, reading: WordReading) -> bool:
        """Whether a reading is a distinctive word."""
        return bool(self._telling[reading.word]) and reading.difference is not WordDifference.INITIAL

    def _estimated(self, sums: "_WordSums", held: _Weights, words: Sequence[str], requested: Sequence[float]) -> Floats:
        initials = [self.of_people and len(word) == 1 for word in words]
        total = sum(weight for weight, initial in zip(requested, initials, strict=True) if not initial)
        missing = np.maximum(total - sums.requested, 0)
        added = np.maximum(held.names[sums.names] - sums.found, 0)
        if any(initials):
            # An initial may represent any remaining part.
            added = np.maximum(added - sum(initials), 0)
        both = np.minimum(missing, added)
        if self.of_people:
            one_sided = np.where(both < _NOTHING, _PARTS["extra"], _PARTS["one_sided"])
            against = one_sided * (missing + added) + _PARTS["conflict"] * both
        else:
            against = _WORDS["one_sided"] * (missing + added) + _WORDS["conflict"] * both
        worth = sums.worth + against
        # A name that shares only words without weight has no worth at all.
        scores = np.divide(sums.agreed, worth, out=np.zeros(len(worth)), where=worth > 0).astype(np.float32)
        complete = (missing < _NOTHING) & (added < _NOTHING)
        full = sums.full
        if self.of_people:
            enough = (full >= 2) | complete | ((full >= 1) & (any(initials) | (sums.agreed > full)))  # noqa: PLR2004
            return _cap_scores(scores, enough, _ONE_PART_LIMIT)
        lone = (self._telling_words[sums.names] - full) + (sum(map(is_distinctive, words)) - full)
        enough = complete | (full >= 2) | ((full >= 1) & (lone <= 0))  # noqa: PLR2004
        return _cap_scores(scores, enough, _ONE_WORD_LIMIT)

    def _weight(self, word: str, rarity: WordRarity) -> float:
        return weigh_name_part(word) if self.of_people else weigh_listed_word(word, rarity)

    def _is_telling(self, word: str) -> bool:
        return weigh_name_part(word) >= 1 if self.of_people else is_distinctive(word)

    def _weighed(self, rarity: WordRarity) -> _Weights:
        of_words = np.array([self._weight(word, rarity) for word in self.vocabulary.words], np.float32)
        return _Weights(rarity, of_words, self._summed(of_words, self._count))

    def _summed(self, of_words: Floats, names: int) -> Floats:
        return np.bincount(self._owner, of_words[self._flat], names).astype(np.float32)


def _cap_scores(scores: Floats, enough: npt.NDArray[np.bool_], cap: float) -> Floats:
    capped: Floats = np.where(enough, scores, np.minimum(scores, np.float32(cap)))
    return capped


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


def _create_empty_sums() -> _WordSums:
    return _WordSums(np.zeros(0, np.int32), *np.zeros((5, 0)))


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


def _measure_postings(postings: _WordPostings | None) -> int:
    """The bytes of the numbers. The names of a single reading are a part of the index and take none."""
    if postings is None:
        return 0
    arrays = (postings.names, postings.which, postings.numbers, postings.scores, postings.full)
    return sum(array.nbytes for array in arrays if array.base is None)


def _bound_score(weight: float, total: float) -> float:
    """The highest score of a name of an organization that has requested words of this weight, of `total`."""
    missing = max(total - weight, 0.0)
    return weight / (weight + _WORDS["one_sided"] * missing) if weight > 0 else 0.0


def find_last_places(numbers: Integers, scratch: Integers) -> npt.NDArray[np.intp]:
    """The place of the last occurrence of each number. `scratch` has an element for each possible number, with any value."""
    places = np.arange(len(numbers), dtype=np.int32)
    # NumPy keeps the last value that is assigned to an index.
    scratch[numbers] = places
    return np.flatnonzero(scratch[numbers] == places)


def _spread_scores(wanted: Integers, names: Integers, scores: Floats) -> Floats:
    spread = np.zeros(len(wanted), np.float32)
    spread[np.isin(wanted, names)] = scores
    return spread
