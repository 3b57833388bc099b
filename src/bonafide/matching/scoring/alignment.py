"""Align the words of two names (of businesses, people or listed parties) into pairs and unpaired words.

Each word is used once. Features compute scores from an alignment and the weights of its words.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import fsum
from typing import Generic, NamedTuple, TypeVar

from bonafide.matching.scoring.unweighed_words import ParsedWords
from bonafide.matching.scoring.word_similarity import EQUAL, JOINED, WordSimilarity
from bonafide.model.search.match import WordDifference

MAX_READ = 16
"""Unequal words of each name that are compared with each other; the cost is quadratic."""
_MAX_JOINED = 3

NameT = TypeVar("NameT", bound=ParsedWords)
WordComparator = Callable[[str, str], WordSimilarity | None]
"""How similar two words are; None if they are different words."""
Words = tuple[str, ...]


class WordPair(NamedTuple):
    """Corresponding words and their positions: one on each side, or several that are one joined word on the other side."""

    left: Words
    right: Words
    likeness: WordSimilarity
    left_at: int
    right_at: int


class WordAlignment(NamedTuple):
    """The pairs in the order of the first name, and the unpaired words of each name."""

    pairs: tuple[WordPair, ...]
    left_only: Words
    right_only: Words

    @property
    def complete(self) -> bool:
        """Whether every word of both names is paired."""
        return not self.left_only and not self.right_only

    @property
    def in_order(self) -> bool:
        """Whether the pairs have the same order in both names."""
        places = [pair.right_at for pair in self.pairs]
        return len(places) < 2 or places == sorted(places)  # noqa: PLR2004  # one is always in order

    @property
    def identical(self) -> bool:
        """Whether both names have the same words, in any order."""
        return self.complete and all(pair.likeness.difference is WordDifference.EQUAL for pair in self.pairs)


@dataclass(frozen=True, slots=True)
class AlignedNames(Generic[NameT]):
    """Two names and the alignment of their words: `query` was requested, `candidate` found.

    `weigh_word` returns the weight of a single word, 0 to 1. It is a field because a method would add a call for each word.
    """

    query: NameT
    candidate: NameT
    alignment: WordAlignment
    weigh_word: Callable[[str], float]

    def weigh_pair(self, pair: WordPair) -> float:
        """The weight of a pair: that of its lighter side."""
        return weigh_lighter_side(pair, self.weigh_word)

    def rate_pair(self, pair: WordPair) -> float:
        """The similarity of a pair, 0 to 1."""
        return pair.likeness.score

    def rate_words(self, one_sided: float, conflict: float, extra: float | None = None) -> float:
        """The weight of the words that both names have, as a share of the weight of all words.

        An unpaired word counts with the share `one_sided` of its weight (`extra` if the other name has no unpaired word), and with
        `conflict` in addition as far as both names have unpaired words.
        """
        found, weigh, rate = self.alignment, self.weigh_word, self.rate_pair
        weights = [self.weigh_pair(pair) for pair in found.pairs]
        # The similarity of equal words is 1, so that most pairs need no call.
        agreed = fsum(
            [weight if pair.likeness is EQUAL else rate(pair) * weight for pair, weight in zip(found.pairs, weights, strict=True)]
        )
        missing, added = fsum(map(weigh, found.left_only)), fsum(map(weigh, found.right_only))
        replaced = min(missing, added)
        share = one_sided if extra is None or replaced > 0 else extra
        against = share * (missing + added) + conflict * replaced
        total = fsum(weights) + against
        return agreed / total if total > 0 else 0.0


def weigh_lighter_side(pair: WordPair, weigh: Callable[[str], float]) -> float:
    """The weight of the lighter side of a pair: a misspelt "construction" is not a rare word."""
    if pair.likeness.difference is WordDifference.EQUAL:
        return weigh(pair.left[0])
    return min(fsum(map(weigh, pair.left)), fsum(map(weigh, pair.right)))


def align_names(left: Words, right: Words, compare: WordComparator) -> WordAlignment:
    """As `align_words`, or one pair of all words if the names differ only in their spaces."""
    found = align_words(left, right, compare)
    if not found.complete and "".join(left) == "".join(right):
        # Spaces inside words: "North ern Lights", "Northern Ligh ts".
        return WordAlignment((WordPair(left, right, JOINED, 0, 0),), (), ())
    return found


def align_words(left: Words, right: Words, compare: WordComparator) -> WordAlignment:
    """Pair the words of two names: equal words first, then the most similar ones. The result is symmetric."""
    if left == right:
        return WordAlignment(tuple([WordPair((word,), (word,), EQUAL, at, at) for at, word in enumerate(left)]), (), ())
    pairs, left_free, right_free = _pair_equal_words(left, right)
    if left_free and right_free:
        pairs += _pair_similar_words(_Side(left, left_free), _Side(right, right_free), compare)
        pairs.sort(key=lambda pair: pair.left_at)
    return WordAlignment(tuple(pairs), tuple([left[at] for at in left_free]), tuple([right[at] for at in right_free]))


def _pair_equal_words(left: Words, right: Words) -> tuple[list[WordPair], list[int], list[int]]:
    pairs, left_free, right_free = [], [], list(range(len(right)))
    for at, word in enumerate(left):
        # Most words are in one name only, which `in` finds out without a loop.
        other = next((free for free in right_free if right[free] == word), None) if word in right else None
        if other is None:
            left_free.append(at)
        else:
            right_free.remove(other)
            pairs.append(WordPair((word,), (word,), EQUAL, at, other))
    return pairs, left_free, right_free


def _pair_similar_words(left: "_Side", right: "_Side", compare: WordComparator) -> list[WordPair]:
    """The most similar pairs of unequal words, each word used once; the sides keep the unpaired words."""
    readings = _list_single_pairs(left, right, compare)
    if len(left.free) > 1:
        readings += [WordPair(run, (word,), JOINED, at, other_at) for at, run, other_at, word in _find_joined_words(left, right)]
    if len(right.free) > 1:
        readings += [WordPair((word,), run, JOINED, other_at, at) for at, run, other_at, word in _find_joined_words(right, left)]
    if not readings:
        return readings
    if len(readings) > 1:
        # Equal scores are ordered by text, so that the order of the names has no effect.
        readings.sort(key=lambda pair: (-pair.likeness.score, sorted((pair.left, pair.right)), pair.left_at + pair.right_at))
    chosen = []
    for pair in readings:
        if left.has(pair.left_at, len(pair.left)) and right.has(pair.right_at, len(pair.right)):
            left.take(pair.left_at, len(pair.left))
            right.take(pair.right_at, len(pair.right))
            chosen.append(pair)
    return chosen


class _Side(NamedTuple):
    """One name, and the positions of its words that are not paired yet."""

    words: Words
    free: list[int]

    def has(self, at: int, count: int) -> bool:
        """Whether these words are unpaired."""
        return at in self.free and (count == 1 or all(place in self.free for place in range(at + 1, at + count)))

    def take(self, at: int, count: int) -> None:
        """Mark these words as paired."""
        for place in range(at, at + count):
            self.free.remove(place)


def _list_single_pairs(left: _Side, right: _Side, compare: WordComparator) -> list[WordPair]:
    left_words, right_words, readings = left.words, right.words, []
    right_free = right.free[:MAX_READ]
    for at in left.free[:MAX_READ]:
        word = left_words[at]
        for other_at in right_free:
            likeness = compare(word, right_words[other_at])
            if likeness is not None:
                readings.append(WordPair((word,), (right_words[other_at],), likeness, at, other_at))
    return readings


def _find_joined_words(apart: _Side, together: _Side) -> Iterator[tuple[int, Words, int, str]]:
    """Words of one side that are one word on the other: their position, the words, the position of the joined word, that word."""
    beginnings = [at for at in apart.free[: MAX_READ - 1] if at + 1 in apart.free]
    if not beginnings:
        return
    for other_at in together.free[:MAX_READ]:
        word = together.words[other_at]
        for at in beginnings:
            if word.startswith(apart.words[at]):
                for count in range(2, _MAX_JOINED + 1):
                    run = apart.words[at : at + count]
                    if "".join(run) == word and apart.has(at, count):
                        yield at, run, other_at, word
