"""Names sorted so that a prefix selects a range, with the best-ranked names of any range.

A name's rank does not depend on the prefix: active before inactive, then shorter first, then lower number. The minimum rank of each
block of names is stored by facet group, so that the best twenty of a million names, with or without a filter, are found in the
few blocks that can contain them.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bonafide.index.format.documents import DocumentFilter
from bonafide.index.format.jagged_arrays import Flags
from bonafide.index.format.postings import NameIds

Ranks = NDArray[np.uint64]
FacetGroups = NDArray[np.uint8]

BLOCK_SIZE = 128
MAX_GROUPS = 8
"""The number of facet groups in the minima; the last group contains all remaining rows of the facet table."""
_FIRST_BLOCKS, _GROWTH = 64, 16
"""The number of blocks read first, and the factor by which it grows if they contain too few admitted names."""
_SORTED_PER_DOCUMENT = 8
"""Names sorted first per requested document, because a document may have several."""
_NAMES_AT_ONCE = 2**20
_NUMBER_BITS = np.uint64(32)
_NUMBER = np.uint64(0xFFFFFFFF)
_INACTIVE = np.uint16(0x8000)
NO_RANK = np.uint64(2**64 - 1)
"""Greater than any rank."""


@dataclass(frozen=True, slots=True)
class NameRanking:
    """The ranking of names: `keys` is each name's length with a higher bit for inactive ones; `documents` its document."""

    keys: NDArray[np.uint16]
    documents: NameIds

    @classmethod
    def from_lengths(cls, lengths: NDArray[np.uint16], documents: NameIds, active: NDArray[np.uint8]) -> "NameRanking":
        """The ranking of names of these lengths; `active` has a flag for each document."""
        return cls(lengths | np.where(active[documents] == 0, _INACTIVE, np.uint16(0)), documents)

    def ranks(self, names: NameIds) -> Ranks:
        """The unique rank of each name; its lower half is the name's number."""
        return self.keys[names].astype(np.uint64) << _NUMBER_BITS | names

    def lightest(self, names: NameIds, count: int) -> NameIds:
        """The `count` names with the lowest ranks, in rank order."""
        ranks = self.ranks(names)
        kept = np.partition(ranks, count)[:count] if count < len(ranks) else ranks
        kept.sort()
        return (kept & _NUMBER).astype(np.uint32)

    def best(self, names: NameIds, limit: int, bound: np.uint64 = NO_RANK) -> NameIds:
        """The names with the lowest ranks below the bound, one per document, in rank order."""
        ranks = self.ranks(names)
        ranks = ranks[ranks < bound]
        count = _SORTED_PER_DOCUMENT * limit
        if count < len(ranks):
            best = self._first_of_documents(np.partition(ranks, count)[:count])
            if len(best) >= limit:
                return best[:limit]
        return self._first_of_documents(ranks)[:limit]

    def _first_of_documents(self, ranks: Ranks) -> NameIds:
        names = (np.sort(ranks) & _NUMBER).astype(np.uint32)
        _, first = np.unique(self.documents[names], return_index=True)
        return names[np.sort(first)]


def group_facets(facets: NDArray[np.uint16]) -> FacetGroups:
    """The group of each row of the facet table."""
    return np.minimum(facets, MAX_GROUPS - 1).astype(np.uint8)


def compute_block_minima(names: NameIds, ranking: NameRanking, groups: FacetGroups) -> Ranks:
    """The minimum rank in each block of names, one row per group; `groups` is the group of each name, by number."""
    columns = int(groups.max(initial=0)) + 1
    minima = np.full(-(-len(names) // BLOCK_SIZE) * columns, NO_RANK)
    for start in range(0, len(names), _NAMES_AT_ONCE):
        part = names[start : start + _NAMES_AT_ONCE]
        blocks = np.arange(start, start + len(part)) // BLOCK_SIZE
        np.minimum.at(minima, blocks * columns + groups[part], ranking.ranks(part))
    return np.ascontiguousarray(minima.reshape(-1, columns).T)


class OfferedNames:
    """The names that may be suggested: those of admitted documents."""

    def __init__(self, admission: DocumentFilter, documents: NameIds) -> None:
        self._admission = admission
        self._documents = documents
        allowed = admission.allowed
        self._groups = None if allowed is None else np.unique(group_facets(np.flatnonzero(allowed).astype(np.uint16)))

    @property
    def is_empty(self) -> bool:
        """Whether the filter admits no document of the segment."""
        return self._groups is not None and len(self._groups) == 0

    def select(self, names: NameIds) -> Flags | None:
        """Flags for the names that may be suggested; None if all may."""
        return self._admission.select(self._documents[names])

    def find_least_ranks(self, minima: Ranks) -> Ranks:
        """A lower bound of the ranks of admitted names in each block."""
        rows = minima if self._groups is None else minima[self._groups]
        least: Ranks = rows.min(axis=0, initial=NO_RANK) if len(rows) != 1 else rows[0]
        return least


@dataclass(frozen=True, slots=True)
class RankedNames:
    """Sorted names, with the minimum ranks of each block."""

    names: NameIds
    minima: Ranks
    ranking: NameRanking

    def best(self, start: int, stop: int, limit: int, wanted: OfferedNames) -> NameIds:
        """The best admitted names of a range, one per document, in rank order."""
        best = self.names[:0]
        for names, bound in self.iterate_lightest(start, stop, wanted):
            admitted = wanted.select(names)
            best = self.ranking.best(names if admitted is None else names[admitted], limit, bound)
            if len(best) >= limit:
                break
        return best

    def iterate_lightest(self, start: int, stop: int, wanted: OfferedNames) -> Iterator[tuple[NameIds, np.uint64]]:
        """Yield growing subsets of the names of a range, with the rank below which each is complete."""
        first, last = -(-start // BLOCK_SIZE), stop // BLOCK_SIZE
        if last - first > _FIRST_BLOCKS:
            least = wanted.find_least_ranks(self.minima[:, first:last])
            edges = self.names[start : first * BLOCK_SIZE], self.names[last * BLOCK_SIZE : stop]
            count, bound = _FIRST_BLOCKS, np.uint64(0)
            while count < len(least) and bound < NO_RANK:
                order = np.argpartition(least, count)
                blocks = (first + order[:count, None]) * BLOCK_SIZE + np.arange(BLOCK_SIZE)
                bound = least[order[count]]
                yield np.concatenate((self.names[blocks.ravel()], *edges)), bound
                count *= _GROWTH
            if bound == NO_RANK:
                return
        yield self.names[start:stop], NO_RANK
