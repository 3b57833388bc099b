"""Expand a query's words to variants in a segment: typos, equivalents, truncated, joined and misread forms.

The spellings to look up depend on the query only and are computed once for all segments. A query's words are its *slots*; a word
of the segment that may match a slot (or two adjacent ones) is a *variant*. All fuzzy matching happens here, on words; later steps
compare ids exactly. `query_plan` weights the variants.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, pairwise

import numpy as np
from numpy.typing import NDArray

from bonafide.index.format.hash_table import Hashes, hash_texts
from bonafide.index.format.jagged_arrays import Positions
from bonafide.index.format.postings import NamePostings
from bonafide.index.format.vocabulary import SegmentVocabulary
from bonafide.index.format.word_list import is_number
from bonafide.index.search.query_plan import TermVariant
from bonafide.index.search.spelling import RARE_BELOW, SearchDepth, SpellingMatcher, count_allowed_edits
from bonafide.matching.text.scanned_words import list_scan_corrections, read_digits_as_letters
from bonafide.matching.text.word_classes import find_equivalents

_TRUNCATED_FROM, _SHORTEST_TRUNCATION = 6, 4
"""The minimum length of a word that a register may truncate, and of the truncated word."""
_SPLIT_FROM, _SHORTEST_PART = 5, 2
"""The minimum length of a word that is also read as two joined words, and of each part."""
_CACHED_QUERIES = 256
"""The number of cached queries; a few run at a time, each on about forty segments."""


@dataclass(frozen=True, slots=True)
class WordAlternatives:
    """The words of a query, and the alternative spellings by word position; `all` are the distinct ones, with their hashes."""

    words: tuple[str, ...]
    joins: tuple[str, ...]
    """Each word joined with the next one."""
    equivalents: tuple[tuple[str, ...], ...]
    cuts: tuple[tuple[str, ...], ...]
    splits: tuple[tuple[tuple[str, str], ...], ...]
    all: tuple[str, ...]
    hashes: Hashes


@lru_cache(maxsize=_CACHED_QUERIES)
def find_alternatives(words: tuple[str, ...]) -> WordAlternatives:
    """The alternatives of a query's distinct words."""
    joins = tuple("".join(pair) for pair in pairwise(words))
    # Sorted, because the order of a set differs between processes.
    others = tuple(tuple(sorted(find_equivalents(word))) for word in words)
    cuts, splits = tuple(map(_list_truncations, words)), tuple(map(_list_splits, words))
    halves = chain.from_iterable(chain.from_iterable(splits))
    distinct = tuple(dict.fromkeys(chain(words, joins, chain.from_iterable(others), chain.from_iterable(cuts), halves)))
    return WordAlternatives(words, joins, others, cuts, splits, distinct, _make_read_only(hash_texts(distinct)))


@lru_cache(maxsize=_CACHED_QUERIES)
def hash_texts_cached(texts: tuple[str, ...]) -> Hashes:
    """The hashes of texts, for lookups in several segments."""
    return _make_read_only(hash_texts(texts))


def _make_read_only(hashes: Hashes) -> Hashes:
    hashes.flags.writeable = False
    return hashes


def _list_truncations(word: str) -> tuple[str, ...]:
    """The truncated forms of a word that a register may contain."""
    if len(word) < _TRUNCATED_FROM or is_number(word):
        return ()
    return tuple(word[:length] for length in range(max(_SHORTEST_TRUNCATION, len(word) // 2), len(word) - 1))


def _list_splits(word: str) -> tuple[tuple[str, str], ...]:
    """The ways to read a word as two joined words."""
    if len(word) < _SPLIT_FROM:
        return ()
    return tuple((word[:place], word[place:]) for place in range(_SHORTEST_PART, len(word) - _SHORTEST_PART + 1))


def enumerate_alternatives(alternatives: Sequence[Sequence[str]]) -> list[tuple[int, str]]:
    """Each alternative with the position of its word."""
    return [(place, word) for place, words in enumerate(alternatives) for word in words]


_COMPLETED_FROM, _COMPLETIONS = 4, 4
"""The minimum length of a word that is also read as a prefix, and the maximum number of completions, the most frequent ones."""
_MORE_FREQUENT = 20
"""The minimum ratio of a completion's frequency to that of the word."""

# The odds that a word is meant when a variant of it is written, relative to the exact word.
_EDIT_ODDS = (1.0, 0.01, 0.0005)
_SHORTENED_ODDS = 0.003
_JOINED_ODDS = 0.02
_EQUIVALENT_ODDS = 0.02
_SCANNED_ODDS = 0.05

_JOINED_SIMILARITY = 0.97
_EQUIVALENT_SIMILARITY = 0.9
_SCANNED_SIMILARITY = 0.95
_SHORTENED_SIMILARITY = 0.75
_NEAR_NUMBER_SIMILARITY = 0.6
_OMISSION_OR_SWAP_COST = 0.9
"""The cost of an edit if letters were only omitted or swapped."""


class QueryExpander:
    """Finds variants in one opened segment."""

    def __init__(self, vocabulary: SegmentVocabulary, speller: SpellingMatcher, postings: NamePostings) -> None:
        self._vocabulary = vocabulary
        self._speller = speller
        self._postings = postings

    def expand_likely(self, words: Sequence[str]) -> list[TermVariant]:
        """The likely variants of a query's distinct words; exact matches of single slots come first."""
        wanted = find_alternatives(tuple(words))
        known = self._vocabulary.find(wanted.all, wanted.hashes)
        frequencies = self._frequencies(words, known)
        spelled = _read_misread_words(words, frequencies)
        return [
            *(TermVariant(known[word], (slot,), 1.0, 1.0) for slot, word in enumerate(words) if word in known),
            *(
                TermVariant(known[word], (slot, slot + 1), _JOINED_SIMILARITY, _JOINED_ODDS)
                for slot, word in enumerate(wanted.joins)
                if word in known
            ),
            *_expand_known(wanted.equivalents, known, _EQUIVALENT_SIMILARITY, _EQUIVALENT_ODDS),
            *_expand_splits(wanted, known, frequencies),
            *self._expand_scanned(words, frequencies),
            *self._near(spelled, _list_allowed_edits(spelled, frequencies, SearchDepth.LIKELY)),
            *self._completed(words, frequencies),
            *_expand_known(wanted.cuts, known, _SHORTENED_SIMILARITY, _SHORTENED_ODDS),
        ]

    def expand_further(self, words: Sequence[str]) -> list[TermVariant]:
        """Further variants: typos in words where they are less likely."""
        frequencies = self._frequencies(words, self._vocabulary.find(words, hash_texts_cached(tuple(words))))
        pairs = zip(
            _list_allowed_edits(words, frequencies, SearchDepth.DEEP),
            _list_allowed_edits(words, frequencies, SearchDepth.LIKELY),
            strict=True,
        )
        return self._near(words, [deep if deep > near else 0 for deep, near in pairs])

    def _frequencies(self, words: Sequence[str], known: Mapping[str, int]) -> list[int]:
        return [self._postings.frequency(known[word]) if word in known else 0 for word in words]

    def _expand_scanned(self, words: Sequence[str], frequencies: Sequence[int]) -> Iterator[TermVariant]:
        """The words that a scanner may have read as unknown words."""
        corrections = [() if frequency else list_scan_corrections(word) for word, frequency in zip(words, frequencies, strict=True)]
        distinct = tuple(dict.fromkeys(chain.from_iterable(corrections)))
        if distinct:
            known = self._vocabulary.find(distinct, hash_texts_cached(distinct))
            yield from _expand_known(corrections, known, _SCANNED_SIMILARITY, _SCANNED_ODDS)

    def _near(self, words: Sequence[str], edits: Sequence[int]) -> list[TermVariant]:
        if not any(edits):
            return []
        near = self._speller.near(words, edits)
        numeric = list(map(is_number, words))
        senses = []
        for token, slot, slips, frugal in zip(near.tokens, near.places, near.slips, near.omission_or_swap, strict=True):
            counted = slips * _OMISSION_OR_SWAP_COST if frugal else slips
            similarity = _NEAR_NUMBER_SIMILARITY / counted if numeric[slot] else 1 - counted / (len(words[slot]) + 1)
            senses.append(TermVariant(token, (slot,), similarity, _EDIT_ODDS[slips]))
        return senses

    def _completed(self, words: Sequence[str], frequencies: Sequence[int]) -> Iterator[TermVariant]:
        slots = [slot for slot, word in enumerate(words) if len(word) >= _COMPLETED_FROM and not is_number(word)]
        for slot, tokens in zip(slots, self._vocabulary.starting_with([words[slot] for slot in slots]), strict=True):
            longer = self._postings.frequencies_of_range(tokens)
            places = _select_most_frequent(np.flatnonzero(longer > frequencies[slot] * _MORE_FREQUENT), longer)
            for place in places.tolist():
                yield TermVariant(tokens[place], (slot,), _SHORTENED_SIMILARITY, _SHORTENED_ODDS)


def _select_most_frequent(places: Positions, frequencies: NDArray[np.int64]) -> Positions:
    """The completions among ascending places, in ascending order; of equally frequent ones the first."""
    if len(places) <= _COMPLETIONS:
        return places
    own = frequencies[places]
    least = np.partition(own, -_COMPLETIONS)[-_COMPLETIONS]
    above, equal = np.flatnonzero(own > least), np.flatnonzero(own == least)
    kept: Positions = places[np.sort(np.concatenate((above, equal[: _COMPLETIONS - len(above)])))]
    return kept


def _read_misread_words(words: Sequence[str], frequencies: Sequence[int]) -> list[str]:
    """The words in which typos are searched: a letter may be misspelled in a word with misread letters."""
    return [word if frequency else read_digits_as_letters(word) for word, frequency in zip(words, frequencies, strict=True)]


def _list_allowed_edits(words: Sequence[str], frequencies: Sequence[int], depth: SearchDepth) -> list[int]:
    return [count_allowed_edits(word, frequency, depth) for word, frequency in zip(words, frequencies, strict=True)]


def _expand_known(
    alternatives: Sequence[Sequence[str]], known: Mapping[str, int], similarity: float, odds: float
) -> Iterator[TermVariant]:
    for slot, word in enumerate_alternatives(alternatives):
        if word in known:
            yield TermVariant(known[word], (slot,), similarity, odds)


def _expand_splits(wanted: WordAlternatives, known: Mapping[str, int], frequencies: Sequence[int]) -> Iterator[TermVariant]:
    for slot, (pairs, frequency) in enumerate(zip(wanted.splits, frequencies, strict=True)):
        for left, right in pairs if frequency < RARE_BELOW else ():
            if left in known and right in known:
                yield TermVariant(known[left], (slot,), _JOINED_SIMILARITY, _JOINED_ODDS, known[right])
                yield TermVariant(known[right], (slot,), _JOINED_SIMILARITY, _JOINED_ODDS, known[left])
