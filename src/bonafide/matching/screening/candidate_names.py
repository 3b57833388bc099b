"""Find the listed names of one kind that are similar enough to a name to be compared with it.

The estimate of a name approximates the score of `PERSON_NAME_FEATURES` or `LISTED_NAME_FEATURES` with their numbers, for all names
at once. It is a little too high at worst.
"""

from bisect import bisect_left
from collections.abc import Collection, Sequence
from dataclasses import dataclass

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
from bonafide.model.search.match import WordDifference

Floats = npt.NDArray[np.float32]
_NOTHING = 1e-4
_MAX_WORDS = 24
_MAX_JOINED = 3
_LAST = "\U0010ffff"
_MOST_LONGER = 100
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
        tally = _ScoreAccumulator(self._count)
        held = self._weights if self._weights.rarity is rarity else self._weighed(rarity)
        self._weights = held
        whole = [*self._whole.get("".join(words), ()), *(self._list_longer("".join(words)) if is_cut_off else ())]
        acronym = self._initials.get(words[0], ()) if len(words) == 1 and floor <= score_parameters.ACRONYM else ()
        words = words[:_MAX_WORDS]
        requested = [self._weight(word, rarity) for word in words]
        for word, weight in zip(words, requested, strict=True):
            self._add(tally, held, word, weight, tolerance)
        for first in range(len(words) - 1):
            for count in range(2, min(_MAX_JOINED, len(words) - first) + 1):
                joined = self.vocabulary.joined(words[first : first + count])
                if joined is not None:
                    self._put(tally, held, [joined], sum(requested[first : first + count]))
        if self.of_people and tolerance.typos > 0:
            self._add_short_typos(tally, held, words, requested)
        names = tally.touched()
        scores = self._estimated(tally, held, words, requested, names)
        kept = scores >= floor
        found, estimates = names[kept], scores[kept]
        for others, estimate in ((acronym, score_parameters.ACRONYM), (whole, 1.0)):
            if others and not np.isin(others, found).all():
                wanted = np.union1d(found, np.array(others, np.int32))
                estimates = np.where(np.isin(wanted, others), np.float32(estimate), _spread_scores(wanted, found, estimates))
                found = wanted
        return ScoreEstimates(found, estimates)

    def _list_longer(self, beginning: str) -> list[int]:
        """The names that go on where this one ends."""
        first = bisect_left(self._beginnings, beginning)
        last = bisect_left(self._beginnings, beginning + _LAST, first)
        return [place for name in self._beginnings[first : min(last, first + _MOST_LONGER)] for place in self._whole[name]]

    def _add(self, tally: "_ScoreAccumulator", held: _Weights, word: str, weight: float, tolerance: Tolerance) -> None:
        readings = self.vocabulary.readings(word, tolerance)
        if readings:
            self._put(tally, held, readings, weight)
        if word not in self.vocabulary.numbers:
            for pair in self.vocabulary.split(word):
                shares = [len(self.vocabulary.words[reading.word]) / len(word) for reading in pair]
                for reading, share in zip(pair, shares, strict=True):
                    self._put(tally, held, [reading], weight * share)

    def _add_short_typos(
        self, tally: "_ScoreAccumulator", held: _Weights, words: Sequence[str], requested: Sequence[float]
    ) -> None:
        """Add short words with a slip, for names in which other parts match and both sides have a word left."""
        total = sum(requested)
        for word, weight in zip(words, requested, strict=True):
            near = self.vocabulary.short_typos(word) if len(word) < SHORTEST_TYPO else ()
            if not near:
                continue
            marked = np.unique(np.concatenate([self._postings[self._starts[one] : self._starts[one + 1]] for one in near]))
            left = (total - tally.requested[marked] >= weight - _NOTHING) & (held.names[marked] - tally.found[marked] > _NOTHING)
            names = marked[left & (tally.agreed[marked] >= _AGREED_BESIDE_SHORT_TYPO)]
            one = np.ones(len(names), np.float32)
            tally.add(names, one * np.float32(SHORT_TYPO), one, one, one, max(weight, 0.0))

    def _put(self, tally: "_ScoreAccumulator", held: _Weights, readings: Sequence[WordReading], requested: float) -> None:
        """Add the names of these readings of one word; for a name with several of them, the most similar counts."""
        lists = [self._postings[self._starts[reading.word] : self._starts[reading.word + 1]] for reading in readings]
        if len(lists) == 1:
            names, which = lists[0], np.zeros(len(lists[0]), np.intp)
        else:
            every = np.concatenate(lists)
            every_which = np.repeat(np.arange(len(lists)), [len(own) for own in lists])
            # Readings are ordered from the least to the most similar, so that the best is written last.
            tally.scratch[every] = every_which
            names = np.unique(every)
            which = tally.scratch[names]
        numbers = [reading.word for reading in readings]
        found = held.words[numbers]
        pair = np.maximum(found, requested) if self.of_people else np.minimum(found, np.float32(requested))
        scores = np.array([reading.score for reading in readings], np.float32)
        full = np.array([self._counts(reading) for reading in readings], np.float32)
        tally.add(names, (scores * pair)[which], pair[which], found[which], full[which], requested)

    def _counts(self, reading: WordReading) -> bool:
        """Whether a reading is a distinctive word."""
        return bool(self._telling[reading.word]) and reading.difference is not WordDifference.INITIAL

    def _estimated(
        self, tally: "_ScoreAccumulator", held: _Weights, words: Sequence[str], requested: Sequence[float], names: Integers
    ) -> Floats:
        initials = [self.of_people and len(word) == 1 for word in words]
        total = sum(weight for weight, initial in zip(requested, initials, strict=True) if not initial)
        missing = np.maximum(np.float32(total) - tally.requested[names], 0)
        added = np.maximum(held.names[names] - tally.found[names], 0)
        if any(initials):
            # An initial may represent any remaining part.
            added = np.maximum(added - np.float32(sum(initials)), 0)
        both = np.minimum(missing, added)
        if self.of_people:
            one_sided = np.where(both < _NOTHING, np.float32(_PARTS["extra"]), np.float32(_PARTS["one_sided"]))
            against = one_sided * (missing + added) + _PARTS["conflict"] * both
        else:
            against = _WORDS["one_sided"] * (missing + added) + _WORDS["conflict"] * both
        scores = tally.agreed[names] / (tally.worth[names] + against)
        complete = (missing < _NOTHING) & (added < _NOTHING)
        full = tally.full[names]
        if self.of_people:
            enough = (full >= 2) | complete | ((full >= 1) & (any(initials) | (tally.agreed[names] > full)))  # noqa: PLR2004
            return _cap_scores(scores, enough, _ONE_PART_LIMIT)
        lone = (self._telling_words[names] - full) + (sum(map(is_distinctive, words)) - full)
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


class _ScoreAccumulator:
    """The matching words of one requested name and every listed name."""

    def __init__(self, names: int) -> None:
        self.agreed, self.worth, self.requested, self.found, self.full = np.zeros((5, names), np.float32)
        self.scratch = np.zeros(names, np.intp)

    def add(self, names: Integers, agreed: Floats, worth: Floats, found: Floats, full: Floats, requested: float) -> None:
        """Add one word that these names share with the requested one."""
        self.agreed[names] += agreed
        self.worth[names] += worth
        self.found[names] += found
        self.full[names] += full
        self.requested[names] += np.float32(requested)

    def touched(self) -> Integers:
        """The names with any matching word."""
        return np.flatnonzero(self.agreed > 0).astype(np.int32)


def _spread_scores(wanted: Integers, names: Integers, scores: Floats) -> Floats:
    spread = np.zeros(len(wanted), np.float32)
    spread[np.isin(wanted, names)] = scores
    return spread
