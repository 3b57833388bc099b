"""Align the parts of two names of people: as words, and with shifted spaces and slips in short parts.

A slip in a part of three or four letters is only recognised where other parts agree, because most short parts differ in one letter
from some other name.
"""

from bonafide.matching.people.name_part_similarity import create_name_part_comparator, weigh_name_part
from bonafide.matching.scoring import score_parameters
from bonafide.matching.scoring import screening_parameters as weights
from bonafide.matching.scoring.alignment import WordAlignment, WordPair, Words, align_words
from bonafide.matching.scoring.tolerance import SHORTEST_TYPO, Tolerance, compare_misspelt
from bonafide.matching.scoring.word_similarity import JOINED, WordSimilarity
from bonafide.model.search.match import WordDifference

_EXACT = frozenset({WordDifference.EQUAL, WordDifference.JOINED})
_AGREEING = _EXACT | {WordDifference.NICKNAME}
_SHORT_TYPO = WordSimilarity(weights.SHORT_TYPO, WordDifference.SLIP, 1)
_SHORTEST_SHORT_TYPO, _SHORTEST_WITH_SLIP = 3, 2
"""Letters of the longer part, and of the part that a letter is missing in."""
_EXACT_BESIDE_SHORT_TYPO = 2
_SHORTEST_JOINED_TYPO = 10
"""Letters from which parts with both a shifted space and a typo are recognised."""


def align_person_names(left: Words, right: Words, tolerance: Tolerance) -> WordAlignment:
    """Align the parts as `align_words`; where that leaves differences, once without spaces and once with a slip in a short part."""
    found = align_words(left, right, create_name_part_comparator(tolerance))
    if found.complete and all(pair.likeness.difference in _EXACT for pair in found.pairs):
        return found
    return _align_without_spaces(left, right, found, tolerance) or _pair_short_typo(left, right, found, tolerance)


def _align_without_spaces(left: Words, right: Words, found: WordAlignment, tolerance: Tolerance) -> WordAlignment | None:
    """The parts that are not equal as one pair, if they differ only in their spaces, or in one more letter; otherwise None."""
    if abs(sum(map(len, left)) - sum(map(len, right))) > 1:
        return None
    equal = tuple([pair for pair in found.pairs if pair.likeness.difference is WordDifference.EQUAL])
    left_rest = _list_free_places(left, {pair.left_at for pair in equal})
    right_rest = _list_free_places(right, {pair.right_at for pair in equal})
    if not (_is_run(left_rest) and _is_run(right_rest)) or len(left_rest) == len(right_rest) == 1:
        return None
    one, other = tuple([left[at] for at in left_rest]), tuple([right[at] for at in right_rest])
    likeness: WordSimilarity | None = JOINED
    if (together := "".join(one)) != (together_other := "".join(other)):
        if len(one) == len(other) or min(len(together), len(together_other)) < _SHORTEST_JOINED_TYPO:
            return None
        likeness = compare_misspelt(together, together_other, score_parameters.PERSON_TYPO_COST, min(tolerance.typos, 1))
    if likeness is None:
        return None
    pairs = [*equal, WordPair(one, other, likeness, left_rest[0], right_rest[0])]
    return WordAlignment(tuple(sorted(pairs, key=lambda pair: pair.left_at)), (), ())


def _pair_short_typo(left: Words, right: Words, found: WordAlignment, tolerance: Tolerance) -> WordAlignment:
    """The alignment with the two unpaired parts that differ in one letter of three or four, if two other parts agree exactly."""
    if tolerance.typos == 0 or not (_has_short_part(found.left_only) and _has_short_part(found.right_only)):
        return found
    if not has_exact_parts(found):
        return found
    taken_left = {pair.left_at + place for pair in found.pairs for place in range(len(pair.left))}
    taken_right = {pair.right_at + place for pair in found.pairs for place in range(len(pair.right))}
    options = [
        (sorted((left[at], right[other_at])), at + other_at, at, other_at)
        for at in _list_free_places(left, taken_left)
        for other_at in _list_free_places(right, taken_right)
        if is_short_typo(left[at], right[other_at])
    ]
    if not options:
        return found
    _, _, at, other_at = min(options)
    pairs = [*found.pairs, WordPair((left[at],), (right[other_at],), _SHORT_TYPO, at, other_at)]
    return WordAlignment(
        tuple(sorted(pairs, key=lambda pair: pair.left_at)),
        tuple([left[place] for place in _list_free_places(left, taken_left | {at})]),
        tuple([right[place] for place in _list_free_places(right, taken_right | {other_at})]),
    )


def _has_short_part(parts: Words) -> bool:
    return any(len(part) < SHORTEST_TYPO for part in parts)


def has_exact_parts(found: WordAlignment) -> bool:
    """Whether enough parts agree for a slip in a short one; "Abdul" counts, particles and initials do not."""
    exact = [pair for pair in found.pairs if pair.likeness.difference in _AGREEING]
    return sum(any(_is_beside_short_typo(part) for part in pair.left) for pair in exact) >= _EXACT_BESIDE_SHORT_TYPO


def _is_beside_short_typo(part: str) -> bool:
    return len(part) > 1 and weigh_name_part(part) >= score_parameters.LONE_INITIAL


def is_short_typo(one: str, other: str) -> bool:
    """Whether two parts of at most four letters differ in one, and at least one of them is no particle or title."""
    longest = max(len(one), len(other))
    if not _SHORTEST_SHORT_TYPO <= longest < SHORTEST_TYPO or min(len(one), len(other)) < _SHORTEST_WITH_SLIP:
        return False
    if max(weigh_name_part(one), weigh_name_part(other)) < 1:
        return False
    return compare_misspelt(one, other, score_parameters.PERSON_TYPO_COST, 1) is not None


def _list_free_places(words: Words, taken: set[int]) -> list[int]:
    return [place for place in range(len(words)) if place not in taken]


def _is_run(places: list[int]) -> bool:
    return bool(places) and places[-1] - places[0] == len(places) - 1
