"""Align the words of two names: which correspond, and which only one name has.

Each word is used once. Nothing here makes a score; `name_features` does, from what is found here.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from bonafide.matching.scoring.word_similarity import EQUAL, JOINED, WordSimilarity

MAX_READ = 16
"""Words of each name that are tried against each other when they are not equal; the work grows with the square."""
_MAX_JOINED = 3

WordComparator = Callable[[str, str], WordSimilarity | None]
"""How alike two words are; None when one can't be read for the other."""
Words = tuple[str, ...]


class WordPair(NamedTuple):
    """Words that stand for each other, and where they begin: one on each side, or several that are joined on the other side."""

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
        """Whether the pairs stand in the same order in both names."""
        places = [pair.right_at for pair in self.pairs]
        return len(places) < 2 or places == sorted(places)  # noqa: PLR2004  # one is always in order


def align_words(left: Words, right: Words, likener: WordComparator) -> WordAlignment:
    """Pair the words of two names: equal words first, then the most alike. The same pairs come of both orders of the names."""
    pairs, left_free, right_free = _pair_equal_words(left, right)
    if left_free and right_free:
        pairs += _pair_similar_words(_Side(left, left_free), _Side(right, right_free), likener)
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


def _pair_similar_words(left: "_Side", right: "_Side", likener: WordComparator) -> list[WordPair]:
    """The best readings of unequal words, each word used once; the sides keep what is left."""
    readings = _list_single_pairs(left, right, likener) + _list_joined_pairs(left, right)
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

    def runs(self, beginning: str) -> Iterator[tuple[int, Words]]:
        """The free words that stand next to each other, two or three at a time, where the first begins this word."""
        for at in self.free[: MAX_READ - 1]:
            if beginning.startswith(self.words[at]):
                for count in range(2, _MAX_JOINED + 1):
                    if self.has(at, count):
                        yield at, self.words[at : at + count]

    def has(self, at: int, count: int) -> bool:
        """Whether these words are still free."""
        return at in self.free and (count == 1 or all(place in self.free for place in range(at + 1, at + count)))

    def take(self, at: int, count: int) -> None:
        """These words have their counterpart now."""
        for place in range(at, at + count):
            self.free.remove(place)


def _list_single_pairs(left: _Side, right: _Side, likener: WordComparator) -> list[WordPair]:
    left_words, right_words, readings = left.words, right.words, []
    right_free = right.free[:MAX_READ]
    for at in left.free[:MAX_READ]:
        word = left_words[at]
        for other_at in right_free:
            likeness = likener(word, right_words[other_at])
            if likeness is not None:
                readings.append(WordPair((word,), (right_words[other_at],), likeness, at, other_at))
    return readings


def _list_joined_pairs(left: _Side, right: _Side) -> list[WordPair]:
    readings = [WordPair(run, (word,), JOINED, at, other_at) for at, run, other_at, word in _find_joined_words(left, right)]
    return readings + [WordPair((word,), run, JOINED, other_at, at) for at, run, other_at, word in _find_joined_words(right, left)]


def _find_joined_words(apart: _Side, together: _Side) -> Iterator[tuple[int, Words, int, str]]:
    """Words of one side that are one word on the other: where they begin, the words, where the one stands, the one."""
    if len(apart.free) > 1:
        for other_at in together.free[:MAX_READ]:
            word = together.words[other_at]
            for at, run in apart.runs(word):
                if "".join(run) == word:
                    yield at, run, other_at, word
