"""Find the listed names of one kind that are similar enough to a name to be compared with it.

`name_estimates` estimates the scores of the names that have words in common with it, or similar ones.
"""

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

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
from bonafide.matching.screening.listed_vocabulary import ListedVocabulary, list_distinct_words
from bonafide.matching.screening.name_estimates import (
    EstimateNumbers,
    ListedNamePostings,
    NameWeights,
    SearchedName,
    SharedWord,
    create_name_estimator,
)
from bonafide.matching.screening.word_cache import WordCache

_NOTHING = 1e-4
_MAX_WORDS = 24
_MAX_JOINED = 3
_LAST = "\U0010ffff"
_MOST_LONGER = 100
_CACHED_BYTES = 16 * 2**20
"""Of the matching words that the names of one kind keep."""
_ROUNDING = 1e-3
_AGREED_BESIDE_SHORT_TYPO = 1.3
"""The lowest weight of the other matching parts: two, of which one may be "Abdul"."""
_PARTS, _WORDS = PERSON_NAME_FEATURES.get_numbers("person_parts"), LISTED_NAME_FEATURES.get_numbers("listed_words")
_ONE_PART_LIMIT = PERSON_NAME_FEATURES.get_numbers("one_part_only")["limit"]
_ONE_WORD_LIMIT = LISTED_NAME_FEATURES.get_numbers("one_word_only")["limit"]
_NUMBERS_OF_PEOPLE = EstimateNumbers(
    _NOTHING, _PARTS["one_sided"], _PARTS["conflict"], _PARTS["extra"], _ONE_PART_LIMIT, SHORT_TYPO, _AGREED_BESIDE_SHORT_TYPO
)
_NUMBERS_OF_OTHERS = EstimateNumbers(
    _NOTHING, _WORDS["one_sided"], _WORDS["conflict"], _WORDS["one_sided"], _ONE_WORD_LIMIT, SHORT_TYPO, _AGREED_BESIDE_SHORT_TYPO
)
_MatchingWords = tuple[tuple[Any, float], ...]
"""The packed readings of a word, and of the two listed words that form it, each with its share of the weight of the word."""


@dataclass(frozen=True, slots=True)
class ScoreEstimates:
    """Names that may score high enough, by their numbers in rising order, each with its estimate."""

    names: list[int]
    scores: list[float]


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
        self._count = len(names)
        self._estimator = create_name_estimator(
            self._build_postings(), _NUMBERS_OF_PEOPLE if of_people else _NUMBERS_OF_OTHERS, of_people=of_people
        )
        self._whole: dict[str, list[int]] = {}
        for place, words in enumerate(names):
            self._whole.setdefault("".join(words), []).append(place)
        self._beginnings = [] if of_people else sorted(self._whole)
        self._initials: dict[str, list[int]] = {}
        for place, words in enumerate(() if of_people else names):
            for acronym in list_initials(words):
                self._initials.setdefault(acronym, []).append(place)
        self._weights = (STATIC_RARITY, self._weigh_names(STATIC_RARITY))
        self._cache: WordCache[_MatchingWords] = WordCache(_CACHED_BYTES, partial(_measure_matching_words, self._estimator.measure))

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
        whole = [*self._whole.get("".join(words), ()), *(self._list_longer("".join(words)) if is_cut_off else ())]
        acronym = self._initials.get(words[0], ()) if len(words) == 1 and floor <= score_parameters.ACRONYM else ()
        words = words[:_MAX_WORDS]
        requested = [self._weigh(word, rarity) for word in words]
        shared = list(self._list_shared_words(words, requested, tolerance))
        sufficient = self._find_sufficient([weight for _, weight in shared], words, requested, floor)
        names: list[int] = []
        scores: list[float] = []
        if sufficient is not None:
            names, scores = self._estimator.estimate(
                [SharedWord(*word, enough) for word, enough in zip(shared, sufficient, strict=True)],
                self._describe(words, requested, tolerance),
                self._get_weights(rarity),
                floor,
            )
        for others, estimate in ((acronym, score_parameters.ACRONYM), (whole, 1.0)):
            if others and not set(others).issubset(names):
                # Estimates have single precision.
                merged = dict(zip(names, scores, strict=True)) | dict.fromkeys(others, float(np.float32(estimate)))
                names = sorted(merged)
                scores = [merged[name] for name in names]
        return ScoreEstimates(names, scores)

    def _build_postings(self) -> ListedNamePostings:
        order = np.argsort(self._flat, kind="stable")
        starts = np.searchsorted(self._flat[order], np.arange(len(self.vocabulary) + 1)).astype(np.int64)
        distinctive = np.array([self._is_distinctive(word) for word in self.vocabulary.words], np.bool_)
        return ListedNamePostings(starts, self._owner[order], distinctive, self._sum_words(distinctive.astype(np.float32)))

    def _list_longer(self, beginning: str) -> list[int]:
        """The names that go on where this one ends."""
        first = bisect_left(self._beginnings, beginning)
        last = bisect_left(self._beginnings, beginning + _LAST, first)
        return [place for name in self._beginnings[first : min(last, first + _MOST_LONGER)] for place in self._whole[name]]

    def _list_shared_words(
        self, words: Sequence[str], requested: Sequence[float], tolerance: Tolerance
    ) -> Iterator[tuple[Any, float]]:
        """The packed readings of the requested words, each with its weight; words also as two listed words, and several as one."""
        for word, weight in zip(words, requested, strict=True):
            # The hash of a tolerance takes longer than that of its fields.
            key = (word, tolerance.typos, tolerance.variants, tolerance.foreign)
            for readings, share in self._cache.get(key, partial(self._find_matching_words, word, tolerance)):
                yield readings, weight * share
        for first in range(len(words) - 1):
            for count in range(2, min(_MAX_JOINED, len(words) - first) + 1):
                joined = self.vocabulary.joined(words[first : first + count])
                if joined is not None:
                    yield self._estimator.pack([joined]), sum(requested[first : first + count])

    def _find_matching_words(self, word: str, tolerance: Tolerance) -> _MatchingWords:
        """The listed words that match this one, and those that form it if it is not listed."""
        readings = self.vocabulary.find_readings(word, tolerance)
        found = [(self._estimator.pack(readings), 1.0)] if readings else []
        if word not in self.vocabulary.numbers:
            for pair in self.vocabulary.split(word):
                for reading in pair:
                    share = len(self.vocabulary.words[reading.word]) / len(word)
                    found.append((self._estimator.pack([reading]), share))
        return tuple(found)

    def _find_sufficient(
        self, shared: Sequence[float], words: Sequence[str], requested: Sequence[float], floor: float
    ) -> list[bool] | None:
        """For each shared word, by its weight, whether a name with no other of the words may score at least `floor`.

        None if no name may. It is exact for names of people where the limit of one part is below `floor`, otherwise a bound that
        ignores added words.
        """
        if not shared:
            return None
        total = sum(requested)
        if self.of_people:
            if floor <= _ONE_PART_LIMIT or any(len(word) == 1 for word in words):
                return [True] * len(shared)
            found = [weight > 1 or total - weight < _NOTHING for weight in shared]
            return found if len(shared) > 1 or any(found) else None
        least = floor - _ROUNDING
        found = [_bound_score(weight, total) >= least for weight in shared]
        if len(shared) == 1:
            return found if found[0] else None
        if _bound_score(sum(shared), total) < least:
            return None
        return found

    def _describe(self, words: Sequence[str], requested: Sequence[float], tolerance: Tolerance) -> SearchedName:
        if not self.of_people:
            total = sum(requested)
            return SearchedName(total, total, 0, sum(map(is_distinctive, words)))
        full = [weight for word, weight in zip(words, requested, strict=True) if len(word) > 1]
        short = [
            (weight, near)
            for word, weight in zip(words, requested, strict=True)
            if tolerance.typos > 0 and len(word) < SHORTEST_TYPO and (near := self.vocabulary.short_typos(word))
        ]
        return SearchedName(sum(requested), sum(full), len(words) - len(full), 0, tuple(short))

    def _weigh(self, word: str, rarity: WordRarity) -> float:
        return weigh_name_part(word) if self.of_people else weigh_listed_word(word, rarity)

    def _is_distinctive(self, word: str) -> bool:
        return weigh_name_part(word) >= 1 if self.of_people else is_distinctive(word)

    def _get_weights(self, rarity: WordRarity) -> NameWeights:
        """The weights by this rarity, kept for the next search. Weights of people's names do not depend on it."""
        known, weights = self._weights
        if known is not rarity and not self.of_people:
            weights = self._weigh_names(rarity)
            self._weights = (rarity, weights)
        return weights

    def _weigh_names(self, rarity: WordRarity) -> NameWeights:
        of_words = np.array([self._weigh(word, rarity) for word in self.vocabulary.words], np.float32)
        return NameWeights(of_words, self._sum_words(of_words))

    def _sum_words(self, of_words: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        return np.bincount(self._owner, of_words[self._flat], self._count).astype(np.float32)


def _measure_matching_words(measure: Callable[[Any], int], found: _MatchingWords) -> int:
    return sum(measure(readings) for readings, _ in found)


def _bound_score(weight: float, total: float) -> float:
    """The highest score of a name of an organization that has requested words of this weight, of `total`."""
    missing = max(total - weight, 0.0)
    return weight / (weight + _WORDS["one_sided"] * missing) if weight > 0 else 0.0
