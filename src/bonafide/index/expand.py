"""Which words of the segment a query's words may stand for: themselves, slips of the pen, other, shortened and run-together forms.

A query's words are its *slots*; a word of the segment that a slot (or two neighbouring ones) may stand for is a *sense* of it. All
fuzziness is settled here, on words; what follows is exact work on ids. What a sense is worth is decided in `planner`.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain, pairwise

import numpy as np

from bonafide.index.kernel import Kernel
from bonafide.index.postings import Postings
from bonafide.index.senses import Sense
from bonafide.index.spelling import SELDOM, Depth, allowed_edits
from bonafide.index.tokens import is_number
from bonafide.index.vocabulary import Vocabulary
from bonafide.matching.words import equivalents

_COMPLETED_FROM, _COMPLETIONS = 4, 4
"""Letters from which a word is also taken for the start of others, and how many of these, the most frequent."""
_MORE_FREQUENT = 20
"""How many times as frequent as the word itself those must be."""
_CUT_FROM, _SHORTEST_CUT = 6, 4
"""Letters from which a word may stand in the register cut short, and how many must be left of it."""
_SPLIT_FROM, _SHORTEST_PART = 5, 2
"""Letters from which a word is also taken for two run together, and how many each of them must have."""

# How often a word is meant when another is written, against when it is written itself.
_SLIP_ODDS = (1.0, 0.01, 0.0005)
_SHORTENED_ODDS = 0.003
_JOINED_ODDS = 0.02
_EQUIVALENT_ODDS = 0.02

_JOINED_SIMILARITY = 0.97
_EQUIVALENT_SIMILARITY = 0.9
_SHORTENED_SIMILARITY = 0.75
_NEAR_NUMBER_SIMILARITY = 0.6
_FRUGAL = 0.9
"""What a slip counts for when letters were only left out or swapped."""


class Expander:
    """Finds senses in one opened segment."""

    def __init__(self, vocabulary: Vocabulary, kernel: Kernel, postings: Postings) -> None:
        self._vocabulary = vocabulary
        self._kernel = kernel
        self._postings = postings

    def likely(self, words: Sequence[str]) -> list[Sense]:
        """The likely senses of a query's distinct words, those of single slots as themselves first."""
        joins, cuts, others = ["".join(pair) for pair in pairwise(words)], list(map(_cuts, words)), list(map(equivalents, words))
        wanted = dict.fromkeys(chain(words, joins, chain.from_iterable(others), chain.from_iterable(cuts)))
        known = self._vocabulary.find(list(wanted))
        frequencies = self._frequencies(words, known)
        return [
            *(Sense(known[word], (slot,), 1.0, 1.0) for slot, word in enumerate(words) if word in known),
            *(
                Sense(known[word], (slot, slot + 1), _JOINED_SIMILARITY, _JOINED_ODDS)
                for slot, word in enumerate(joins)
                if word in known
            ),
            *_equivalent(others, known),
            *self._split(words, frequencies),
            *self._near(words, [allowed_edits(*word, Depth.LIKELY) for word in zip(words, frequencies, strict=True)]),
            *self._completed(words, frequencies),
            *_cut(cuts, known),
        ]

    def deeper(self, words: Sequence[str]) -> list[Sense]:
        """More senses: slips where they are less likely."""
        frequencies = self._frequencies(words, self._vocabulary.find(words))
        edits = [allowed_edits(*word, Depth.DEEP) for word in zip(words, frequencies, strict=True)]
        likely = [allowed_edits(*word, Depth.LIKELY) for word in zip(words, frequencies, strict=True)]
        return self._near(words, [deep if deep > near else 0 for deep, near in zip(edits, likely, strict=True)])

    def _frequencies(self, words: Sequence[str], known: Mapping[str, int]) -> list[int]:
        return [self._postings.frequency(known[word]) if word in known else 0 for word in words]

    def _near(self, words: Sequence[str], edits: Sequence[int]) -> list[Sense]:
        if not any(edits):
            return []
        near = self._kernel.near(words, edits)
        numeric = list(map(is_number, words))
        senses = []
        for token, slot, slips, frugal in zip(near.tokens, near.places, near.slips, near.frugal, strict=True):
            counted = slips * _FRUGAL if frugal else slips
            similarity = _NEAR_NUMBER_SIMILARITY / counted if numeric[slot] else 1 - counted / (len(words[slot]) + 1)
            senses.append(Sense(token, (slot,), similarity, _SLIP_ODDS[slips]))
        return senses

    def _completed(self, words: Sequence[str], frequencies: Sequence[int]) -> Iterator[Sense]:
        slots = [slot for slot, word in enumerate(words) if len(word) >= _COMPLETED_FROM and not is_number(word)]
        for slot, tokens in zip(slots, self._vocabulary.starting_with([words[slot] for slot in slots]), strict=True):
            longer = self._postings.frequencies_of_range(tokens)
            places = np.flatnonzero(longer > frequencies[slot] * _MORE_FREQUENT)
            if len(places) > _COMPLETIONS:
                places = places[np.argpartition(longer[places], -_COMPLETIONS)[-_COMPLETIONS:]]
            for place in places.tolist():
                yield Sense(tokens[place], (slot,), _SHORTENED_SIMILARITY, _SHORTENED_ODDS)

    def _split(self, words: Sequence[str], frequencies: Sequence[int]) -> Iterator[Sense]:
        splits = [_splits(word) if frequency < SELDOM else [] for word, frequency in zip(words, frequencies, strict=True)]
        known = self._vocabulary.find(list(dict.fromkeys(chain.from_iterable(chain.from_iterable(splits)))))
        for slot, pairs in enumerate(splits):
            for left, right in pairs:
                if left in known and right in known:
                    yield Sense(known[left], (slot,), _JOINED_SIMILARITY, _JOINED_ODDS, known[right])
                    yield Sense(known[right], (slot,), _JOINED_SIMILARITY, _JOINED_ODDS, known[left])


def _equivalent(others: Sequence[Collection[str]], known: Mapping[str, int]) -> Iterator[Sense]:
    for slot, words in enumerate(others):
        # In the alphabet's order: that of a set changes from process to process.
        for word in sorted(words):
            if word in known:
                yield Sense(known[word], (slot,), _EQUIVALENT_SIMILARITY, _EQUIVALENT_ODDS)


def _cuts(word: str) -> list[str]:
    """The shorter forms that a register may have cut a word to."""
    if len(word) < _CUT_FROM or is_number(word):
        return []
    return [word[:length] for length in range(max(_SHORTEST_CUT, len(word) // 2), len(word) - 1)]


def _splits(word: str) -> list[tuple[str, str]]:
    """The ways to read a word as two that were run together."""
    if len(word) < _SPLIT_FROM:
        return []
    return [(word[:place], word[place:]) for place in range(_SHORTEST_PART, len(word) - _SHORTEST_PART + 1)]


def _cut(cuts: Sequence[Sequence[str]], known: Mapping[str, int]) -> Iterator[Sense]:
    for slot, shorter in enumerate(cuts):
        for word in shorter:
            if word in known:
                yield Sense(known[word], (slot,), _SHORTENED_SIMILARITY, _SHORTENED_ODDS)
