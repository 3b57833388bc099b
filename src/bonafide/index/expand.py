"""Which words of the segment a query's words may stand for: themselves, slips of the pen, other, shortened and run-together forms.

A query's words are its *slots*; a way to read a slot (or two neighbouring ones) as a word of the segment is a *reading*. All
fuzziness is settled here, on words; what follows is exact work on ids. What a reading is worth is decided in `plan`.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain, pairwise
from typing import NamedTuple

import numpy as np

from bonafide.index.postings import Postings
from bonafide.index.spelling import Speller
from bonafide.index.tokens import is_number
from bonafide.index.vocabulary import Vocabulary
from bonafide.matching.words import equivalents

_COMPLETED_FROM, _COMPLETIONS = 4, 4
"""Letters from which a word is also taken for the start of others, and how many of these, the most frequent."""
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


class Reading(NamedTuple):
    """A word of the segment (`token`) read in one slot, or in two neighbours run together (`slots`).

    `similarity` is 0 to 1; `odds` say how likely the word is meant, before its frequency is considered. `other_half` is the other
    word where a slot is read as two.
    """

    token: int
    slots: tuple[int, ...]
    similarity: float
    odds: float
    other_half: int | None = None


class Expander:
    """Finds readings in one opened segment."""

    def __init__(self, vocabulary: Vocabulary, speller: Speller, postings: Postings) -> None:
        self._vocabulary = vocabulary
        self._speller = speller
        self._postings = postings

    def readings(self, words: Sequence[str]) -> list[Reading]:
        """All readings of a query's distinct words, those of single slots as themselves first."""
        joins, cuts, splits = ["".join(pair) for pair in pairwise(words)], list(map(_cuts, words)), list(map(_splits, words))
        others = [equivalents(word) for word in words]
        wanted = dict.fromkeys(
            chain(words, joins, chain.from_iterable(others), chain.from_iterable(cuts), *chain.from_iterable(splits))
        )
        known = self._vocabulary.find(list(wanted))
        return [
            *(Reading(known[word], (slot,), 1.0, 1.0) for slot, word in enumerate(words) if word in known),
            *(
                Reading(known[word], (slot, slot + 1), _JOINED_SIMILARITY, _JOINED_ODDS)
                for slot, word in enumerate(joins)
                if word in known
            ),
            *_equivalent(others, known),
            *_split(splits, known),
            *self._near(words, known),
            *self._completed(words, known),
            *_cut(cuts, known),
        ]

    def _near(self, words: Sequence[str], known: Mapping[str, int]) -> Iterator[Reading]:
        for slot, token, slips in self._speller.near(words, known.keys()):
            word = words[slot]
            similarity = _NEAR_NUMBER_SIMILARITY if is_number(word) else 1 - slips / (len(word) + 1)
            yield Reading(token, (slot,), similarity, _SLIP_ODDS[slips])

    def _completed(self, words: Sequence[str], known: Mapping[str, int]) -> Iterator[Reading]:
        slots = [slot for slot, word in enumerate(words) if len(word) >= _COMPLETED_FROM and not is_number(word)]
        for slot, tokens in zip(slots, self._vocabulary.starting_with([words[slot] for slot in slots]), strict=True):
            frequencies = self._postings.frequencies_of_range(tokens)
            top = np.argpartition(frequencies, -_COMPLETIONS)[-_COMPLETIONS:] if len(tokens) > _COMPLETIONS else range(len(tokens))
            for place in top:
                token = tokens[int(place)]
                if token != known.get(words[slot]):
                    yield Reading(token, (slot,), _SHORTENED_SIMILARITY, _SHORTENED_ODDS)


def _equivalent(others: Sequence[Collection[str]], known: Mapping[str, int]) -> Iterator[Reading]:
    for slot, words in enumerate(others):
        # In the alphabet's order: that of a set changes from process to process.
        for word in sorted(words):
            if word in known:
                yield Reading(known[word], (slot,), _EQUIVALENT_SIMILARITY, _EQUIVALENT_ODDS)


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


def _cut(cuts: Sequence[Sequence[str]], known: Mapping[str, int]) -> Iterator[Reading]:
    for slot, shorter in enumerate(cuts):
        for word in shorter:
            if word in known:
                yield Reading(known[word], (slot,), _SHORTENED_SIMILARITY, _SHORTENED_ODDS)


def _split(splits: Sequence[Sequence[tuple[str, str]]], known: Mapping[str, int]) -> Iterator[Reading]:
    for slot, pairs in enumerate(splits):
        for left, right in pairs:
            if left in known and right in known:
                yield Reading(known[left], (slot,), _JOINED_SIMILARITY, _JOINED_ODDS, known[right])
                yield Reading(known[right], (slot,), _JOINED_SIMILARITY, _JOINED_ODDS, known[left])
