"""Align the words of two names, of businesses, people or listed parties: which correspond, and which only one name has.

Each word is used once. Features make scores from an alignment and from what its words weigh.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import fsum
from typing import Generic, NamedTuple, TypeVar

from bonafide.matching.scoring.word_similarity import EQUAL, JOINED, WordSimilarity
from bonafide.model.search.match import WordDifference

MAX_READ = 16
"""Words of each name that are tried against each other when they are not equal; the work grows with the square."""
_MAX_JOINED = 3

NameT = TypeVar("NameT")
WordComparator = Callable[[str, str], WordSimilarity | None]
"""How similar two words are; None when one can't be read for the other."""
Words = tuple[str, ...]


class WordPair(NamedTuple):
    """Words that correspond, and where they begin: one on each side, or several that are joined on the other side."""

    left: Words
    right: Words
    likeness: WordSimilarity
    left_at: int
    right_at: int


class WordAlignment(NamedTuple):
    """The pairs in the order of the first name, and the words that only one name has."""

    pairs: tuple[WordPair, ...]
    left_only: Words
    right_only: Words

    @property
    def complete(self) -> bool:
        """Whether every word of both names has its counterpart."""
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

    `weigh_word` gives the weight of a single word, 0 to 1. It is a field, because a method would cost each word a call.
    """

    query: NameT
    candidate: NameT
    alignment: WordAlignment
    weigh_word: Callable[[str], float]

    def weigh_pair(self, pair: WordPair) -> float:
        """What agreement in a pair is worth: the weight of its lighter side."""
        return weigh_lighter_side(pair, self.weigh_word)

    def rate_pair(self, pair: WordPair) -> float:
        """How similar the words of a pair count as, 0 to 1."""
        return pair.likeness.score

    def rate_words(self, one_sided: float, conflict: float, extra: float | None = None) -> float:
        """The weight of the words that both names have, as a share of the weight of all words.

        A word that only one name has counts with the share `one_sided` of its weight (`extra`, where the other name has nothing
        in its place), and with `conflict` more as far as both names have such words.
        """
        found, weigh = self.alignment, self.weigh_word
        weights = [self.weigh_pair(pair) for pair in found.pairs]
        agreed = fsum([self.rate_pair(pair) * weight for pair, weight in zip(found.pairs, weights, strict=True)])
        missing, added = fsum(map(weigh, found.left_only)), fsum(map(weigh, found.right_only))
        replaced = min(missing, added)
        share = one_sided if extra is None or replaced > 0 else extra
        against = share * (missing + added) + conflict * replaced
        total = fsum(weights) + against
        return agreed / total if total > 0 else 0.0


def weigh_lighter_side(pair: WordPair, weigh: Callable[[str], float]) -> float:
    """The weight of the lighter side of a pair, because a misspelt "construction" is no rare word."""
    if pair.likeness.difference is WordDifference.EQUAL:
        return weigh(pair.left[0])
    return min(fsum(map(weigh, pair.left)), fsum(map(weigh, pair.right)))


def align_names(left: Words, right: Words, compare: WordComparator) -> WordAlignment:
    """As `align_words`, or one pair of all words where the names differ only in the places of their spaces."""
    found = align_words(left, right, compare)
    if not found.complete and "".join(left) == "".join(right):
        # The breaks fall in the middle of words: "North ern Lights", "Northern Ligh ts".
        return WordAlignment((WordPair(left, right, JOINED, 0, 0),), (), ())
    return found


def align_words(left: Words, right: Words, compare: WordComparator) -> WordAlignment:
    """Pair the words of two names: equal words first, then the most similar. Both orders of the names give the same pairs."""
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
        for other in right_free:
            if right[other] == word:
                right_free.remove(other)
                pairs.append(WordPair((word,), (word,), EQUAL, at, other))
                break
        else:
            left_free.append(at)
    return pairs, left_free, right_free


def _pair_similar_words(left: "_Side", right: "_Side", compare: WordComparator) -> list[WordPair]:
    """The best readings of unequal words, each word used once; the sides keep what is left."""
    readings = _list_single_pairs(left, right, compare) + _list_joined_pairs(left, right)
    if len(readings) > 1:
        # The texts decide between equal scores, so that the order in which the names were given can't.
        readings.sort(key=lambda pair: (-pair.likeness.score, sorted((pair.left, pair.right)), pair.left_at + pair.right_at))
    chosen = []
    for pair in readings:
        if left.has(pair.left_at, len(pair.left)) and right.has(pair.right_at, len(pair.right)):
            left.take(pair.left_at, len(pair.left))
            right.take(pair.right_at, len(pair.right))
            chosen.append(pair)
    return chosen


class _Side(NamedTuple):
    """One name, and the places of those of its words that have no counterpart yet."""

    words: Words
    free: list[int]

    def has(self, at: int, count: int) -> bool:
        """Whether these words are still free."""
        return at in self.free and (count == 1 or all(place in self.free for place in range(at + 1, at + count)))

    def take(self, at: int, count: int) -> None:
        """These words have their counterpart now."""
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


def _list_joined_pairs(left: _Side, right: _Side) -> list[WordPair]:
    readings = [WordPair(run, (word,), JOINED, at, other_at) for at, run, other_at, word in _find_joined_words(left, right)]
    return readings + [WordPair((word,), run, JOINED, other_at, at) for at, run, other_at, word in _find_joined_words(right, left)]


def _find_joined_words(apart: _Side, together: _Side) -> Iterator[tuple[int, Words, int, str]]:
    """Words of one side that are one word on the other: where they begin, the words, where the one word is, the word."""
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
