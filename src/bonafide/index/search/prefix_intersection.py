"""Find names that contain given words and a word with a given prefix, best first.

    lightest_tokens    the most frequent words (u4)
    lightest_names     for each of them the names with the lowest ranks, in rank order (u4, one row each)

If many names match, enough of them are among the lightest names of the rarest word. If few match, as with frequent words that
rarely occur together, the posting lists are intersected instead.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from bonafide.index.format.postings import NameIds, NamePostings, NameTable
from bonafide.index.format.segment_files import Arrays, FieldWriter
from bonafide.index.format.vocabulary import SegmentVocabulary
from bonafide.index.search.ranked_names import NO_RANK, NameRanking, OfferedNames, RankedNames

_PRECOMPUTED_NAMES = 32_768
"""The number of lightest names stored per word; also the preferred maximum of names whose words are read one by one."""
_TRIED_FIRST = (256, 4096)
"""How many of these are tried first: few are enough for a frequent beginning."""
_PRECOMPUTED_FROM = 2 * _PRECOMPUTED_NAMES
"""Words in at least so many names have their lightest names precomputed."""
TokenTuple = tuple[int, ...]


def write_lightest_names(writer: FieldWriter, postings: NamePostings, ranking: NameRanking) -> None:
    """Write the lightest names of the most frequent words."""
    tokens = np.flatnonzero(np.diff(postings.offsets) >= _PRECOMPUTED_FROM)
    lists = [postings.names[postings.offsets[token] : postings.offsets[token + 1]] for token in tokens.tolist()]
    lightest = [ranking.lightest(names, _PRECOMPUTED_NAMES) for names in lists]
    writer.save("lightest_tokens", tokens, "<u4")
    writer.save("lightest_names", np.array(lightest, np.uint32).reshape(-1, _PRECOMPUTED_NAMES), "<u4")


class PrefixIntersection:
    """Finds names of an opened segment by the words they contain; `ranked` are the postings."""

    def __init__(
        self, arrays: Arrays, vocabulary: SegmentVocabulary, postings: NamePostings, names: NameTable, ranked: RankedNames
    ) -> None:
        self._vocabulary = vocabulary
        self._postings = postings
        self._names = names
        self._ranked = ranked
        self._lightest = dict(zip(arrays["lightest_tokens"].tolist(), arrays["lightest_names"], strict=True))

    def best(self, words: Sequence[str], beginning: str, limit: int, wanted: OfferedNames) -> NameIds:
        """The best names with all the words and another one with the prefix: one per document, in rank order."""
        known = self._vocabulary.find(words)
        (fitting,) = self._vocabulary.starting_with([beginning])
        if len(known) < len(words) or len(fitting) == 0:
            return self._ranked.names[:0]
        if not words:
            offsets = self._postings.offsets
            return self._ranked.best(int(offsets[fitting.start]), int(offsets[fitting.stop]), limit, wanted)
        tokens = tuple(sorted(known.values(), key=self._postings.frequency))
        sought = _PrefixQuery(tokens, fitting, self._postings, self._names)
        best = self._ranked.names[:0]
        for names, unchecked, bound in self._iterate_candidates(sought, wanted):
            holding = sought.select(names, unchecked)
            admitted = wanted.select(holding)
            best = self._ranked.ranking.best(holding if admitted is None else holding[admitted], limit, bound)
            if len(best) >= limit:
                break
        return best

    def _iterate_candidates(self, sought: "_PrefixQuery", wanted: OfferedNames) -> Iterator[tuple[NameIds, TokenTuple, np.uint64]]:
        """Yield candidate names, the words that they may lack, and the rank below which they are complete.

        The lightest names come first, finally all candidates.
        """
        if sought.is_prefix_rarer and not sought.left_out:
            # Blocks of the postings have their minimum ranks, so the lightest names of a range are found without reading all.
            offsets, tokens = self._postings.offsets, sought.fitting
            for names, bound in self._ranked.iterate_lightest(int(offsets[tokens.start]), int(offsets[tokens.stop]), wanted):
                yield names, sought.tokens, bound
            return
        names, unchecked, others = sought.find_shortest_list()
        if len(names) >= _PRECOMPUTED_FROM:
            at_hand = self._lightest.get(sought.tokens[0]) if others else None
            lightest = self._ranked.ranking.lightest(names, _PRECOMPUTED_NAMES) if at_hand is None else at_hand
            for count in _TRIED_FIRST:
                yield lightest[:count], unchecked, NO_RANK
            if not unchecked:
                yield lightest, (), NO_RANK
            names, unchecked = sought.with_words(names, unchecked), ()
        # Reading the words of fewer names is faster than finding the lightest of them.
        if others and len(names) >= _PRECOMPUTED_FROM:
            names = self._select_in_any(names, others)
        yield names, unchecked, NO_RANK

    def _select_in_any(self, names: NameIds, lists: Sequence[NameIds]) -> NameIds:
        """The names that are in any of the lists."""
        in_any = np.zeros(len(self._names), np.bool_)
        for other in lists:
            in_any[other] = True
        return names[in_any[names]]


@dataclass(frozen=True)
class _PrefixQuery:
    """The words that a name must contain: all of `tokens`, rarest first, and another one of `fitting`."""

    tokens: TokenTuple
    fitting: range
    postings: NamePostings
    names: NameTable

    def find_shortest_list(self) -> tuple[NameIds, TokenTuple, list[NameIds]]:
        """The shortest list that contains all results, the words its names may lack, and lists of which one must contain them."""
        if self.is_prefix_rarer:
            return np.concatenate(self._lists_with_prefix), self.tokens, []
        return self.postings.find_by_token(self.tokens[0]), self.tokens[1:], self._lists_with_prefix

    @cached_property
    def left_out(self) -> list[int]:
        """The words in `tokens` that have the prefix, in ascending order; they don't count as the other word."""
        return sorted(token for token in self.tokens if token in self.fitting)

    @cached_property
    def is_prefix_rarer(self) -> bool:
        """Whether the lists of words with the prefix are shorter together than that of the rarest word."""
        return sum(map(len, self._lists_with_prefix)) < self.postings.frequency(self.tokens[0])

    @cached_property
    def _lists_with_prefix(self) -> list[NameIds]:
        """Lists of names with a word that has the prefix, without the words in `tokens`."""
        starts, stops = [self.fitting.start, *(token + 1 for token in self.left_out)], [*self.left_out, self.fitting.stop]
        return [self.postings.find_in_range(range(start, stop)) for start, stop in zip(starts, stops, strict=True)]

    def with_words(self, names: NameIds, tokens: TokenTuple) -> NameIds:
        """The names that contain the words."""
        for token in tokens:
            names = names[self.postings.has_token(token, names)]
        return names

    def select(self, names: NameIds, unchecked: TokenTuple) -> NameIds:
        """The names that satisfy the query; only the `unchecked` words still need a check."""
        names = self.with_words(names, unchecked)
        owners, words = self.names.list_words(names)
        begun = (words >= self.fitting.start) & (words < self.fitting.stop)
        for token in self.tokens:
            begun &= words != token
        return names[np.bincount(owners[begun], minlength=len(names)) > 0]
