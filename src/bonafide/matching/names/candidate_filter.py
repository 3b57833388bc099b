"""Exclude candidate names whose words can't score enough, before they are aligned with the requested name.

Nearly all candidates of a search share one common word with the request and are excluded here, by an upper bound of the score of
their words. A name that may have another reading (joined words, acronyms, names cut off) is never excluded: it has to be compared
(`business_name_comparison`).
"""

from itertools import pairwise
from typing import NamedTuple

from rapidfuzz.distance import OSA

from bonafide.matching.names.acronyms import FEWEST_WORDS, find_known_body
from bonafide.matching.names.name_alignment import FIELD_WIDTHS
from bonafide.matching.names.normalization import NormalName
from bonafide.matching.scoring.alignment import Words
from bonafide.matching.scoring.word_rarity import WordRarity
from bonafide.matching.scoring.word_similarity import MAX_TYPOS, ONE_TYPO_FROM, SCANNED_PAIRS, TWO_TYPOS_DOUBTFUL, fold_scanned
from bonafide.matching.text.word_classes import are_equivalent, is_listed

_TOLERANCE = 1e-9
"""Rounding error of scores: `AlignedNames.rate_words` adds the same weights in another order."""


class _WordRelation(NamedTuple):
    """A word of a candidate that is no requested word: its weight, and the requested words that it may be paired with.

    `begins`: whether one of these begins with the word, or the word with one of them.
    """

    weight: float
    related: tuple[str, ...]
    begins: bool


class CandidateFilter:
    """Decides whether the words of a candidate can score at least a floor against one requested name.

    `one_sided` and `conflict` are the numbers of the feature `words`. The relations of each word of a candidate are kept for
    the next candidates, so a filter is for one search only.
    """

    def __init__(self, requested: NormalName, rarity: WordRarity, one_sided: float, conflict: float) -> None:
        self._core = requested.core
        self._text = "".join(requested.core)
        self._weights = {word: rarity.weight(word) for word in requested.core}
        self._weigh = rarity.weight
        self._one_sided = one_sided
        self._conflict = conflict
        self._relations: dict[str, _WordRelation] = {}
        self._is_cut_off = len(requested.text) in FIELD_WIDTHS
        self._is_applicable = 0 < len(self._core) == len(self._weights) and find_known_body(requested) is None

    def excludes(self, candidate: NormalName, floor: float) -> bool:
        """Whether the words of the candidate certainly score less than `floor`."""
        core, weights, relations = candidate.core, self._weights, self._relations
        if not self._is_applicable:
            return False
        paired, added, unequal, begins = 0.0, 0.0, 0, False
        absent = dict(weights)
        related: set[str] = set()
        for word in core:
            if word in weights:
                weight = absent.pop(word, None)
                if weight is None:
                    return False  # the candidate repeats the word
                paired += weight
                continue
            unequal += 1
            relation = relations.get(word)
            if relation is None:
                relations[word] = relation = self._relate(word)
            if relation.related:
                # It counts as paired, with its whole weight.
                paired += relation.weight
                related.update(relation.related)
                begins = begins or relation.begins
            else:
                added += relation.weight
        if unequal == 0 or not absent or self._has_other_reading(candidate, absent, unequal, begins=begins):
            return False
        missing = sum([weight for word, weight in absent.items() if word not in related])
        against = self._one_sided * (missing + added) + self._conflict * min(missing, added)
        return paired < (floor - _TOLERANCE) * (paired + against)

    def _has_other_reading(self, candidate: NormalName, absent: dict[str, float], unequal: int, *, begins: bool) -> bool:
        """Whether words may be paired otherwise than one by one; `unequal` counts the words that only the candidate has."""
        core = candidate.core
        if begins and (
            self._is_cut_off
            or len(candidate.text) in FIELD_WIDTHS
            or _may_be_joined(core, self._core)
            or _may_be_joined(self._core, core)
            or "".join(core) == self._text
        ):
            return True
        # An unpaired word may be the initials of unpaired words of the other name.
        if unequal >= FEWEST_WORDS and any(FEWEST_WORDS <= len(word) <= unequal for word in absent):
            return True
        return len(absent) >= FEWEST_WORDS and any(FEWEST_WORDS <= len(word) <= len(absent) for word in core)

    def _relate(self, word: str) -> _WordRelation:
        related = tuple([own for own in self._core if may_be_paired(own, word)])
        begins = any(own.startswith(word) or word.startswith(own) for own in related)
        return _WordRelation(self._weigh(word), related, begins)


def _may_be_joined(apart: Words, together: Words) -> bool:
    """Whether two adjacent words of one name begin a word of the other name."""
    starts = [one + other for one, other in pairwise(apart)]
    return any(word.startswith(start) for word in together for start in starts)


def may_be_paired(one: str, other: str) -> bool:
    """Whether two unequal words could be paired with each other (`compare_words`). True for some that are not.

    True also for the first of several words that are one word on the other side: it begins that word.
    """
    if one.startswith(other) or other.startswith(one) or are_equivalent(one, other):
        return True
    if is_listed(one) and is_listed(other):
        return False
    lengths = len(one), len(other)
    longer = max(lengths)
    if longer < ONE_TYPO_FROM:
        return False
    typos = MAX_TYPOS if longer >= TWO_TYPOS_DOUBTFUL else 1
    if longer - min(lengths) <= typos and OSA.distance(one, other, score_cutoff=typos) <= typos:
        return True
    # Several misread pairs of letters are more than two typos.
    for pair, _ in SCANNED_PAIRS:
        if pair in one or pair in other:
            return fold_scanned(one) == fold_scanned(other)
    return False
