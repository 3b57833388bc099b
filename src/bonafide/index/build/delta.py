"""Compare a load with the one before it, document by document: unchanged, new, changed and removed.

Two documents are equal if their keys and contents are equal. Both are compared by 64-bit hashes: among three million documents, the
probability that a changed one is taken for unchanged is below 10**-12. Duplicate documents are counted, so that a key
that occurs twice loses none of them. Only hashes are held in memory,
about 50 bytes a document at the peak. `writer` decides whether a delta is written.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from bonafide.index.format.documents import IndexDocument, hash_contents, hash_keys
from bonafide.index.format.hash_table import Hashes, mix_bits
from bonafide.index.format.jagged_arrays import Flags

_BATCH = 4096


class DeltaTooLarge(Exception):
    """Too many documents are new for a delta."""


@dataclass(frozen=True, slots=True)
class StoredDocuments:
    """The documents of a current segment: hashes of their keys and contents, and which are deleted."""

    keys: Hashes
    digests: Hashes
    dead: Flags | None

    def __len__(self) -> int:
        return len(self.keys)


@dataclass(frozen=True, slots=True)
class DocumentChanges:
    """The numbers of new, changed and removed documents."""

    added: int
    changed: int
    removed: int

    def __bool__(self) -> bool:
        return self != DocumentChanges(0, 0, 0)


class LoadComparison:
    """One pass over a load. The first `kept` earlier segments are kept; live documents of the others are rewritten.

    `room` is the maximum number of documents to write; None for no limit.
    """

    def __init__(self, earlier: Sequence[StoredDocuments], kept: int, room: int | None) -> None:
        self._earlier = earlier
        self._room = room
        self._kept_documents = sum(map(len, earlier[:kept]))
        self._keys = _concatenate_hashes([segment.keys for segment in earlier])
        live = np.flatnonzero(~np.concatenate([np.zeros(0, np.bool_), *map(_get_dead_flags, earlier)])).astype(np.uint32)
        prints = _compute_fingerprints(self._keys, _concatenate_hashes([segment.digests for segment in earlier]))[live]
        order = np.argsort(prints, kind="stable")
        self._prints, self._documents = prints[order], live[order]
        self._claimed = bytearray(len(order))
        self._repeats: Counter[int] = Counter()
        self._new_keys: list[Hashes] = []
        self.written = 0

    def iterate_unstored(self, documents: Iterable[IndexDocument]) -> Iterator[IndexDocument]:
        """Yield the documents to write. Raises `DeltaTooLarge` if they exceed `room`."""
        iterator = iter(documents)
        while batch := list(islice(iterator, _BATCH)):
            for document in self._select_unstored(batch):
                self.written += 1
                if self._room is not None and self.written > self._room:
                    raise DeltaTooLarge
                yield document

    def _select_unstored(self, batch: list[IndexDocument]) -> list[IndexDocument]:
        keys = hash_keys(batch)
        if len(self._prints) == 0:
            # No document is stored, so that the contents need no hashes.
            self._new_keys.append(keys)
            return batch
        prints = _compute_fingerprints(keys, hash_contents(batch))
        starts, stops = self._prints.searchsorted(prints), self._prints.searchsorted(prints, "right")
        stored = list(map(self._claim, starts.tolist(), stops.tolist()))
        self._new_keys.append(keys[[place is None for place in stored]])
        return [document for document, place in zip(batch, stored, strict=True) if place is None or place >= self._kept_documents]

    def _claim(self, start: int, stop: int) -> int | None:
        """The number of the next unclaimed document with this fingerprint; None if there is none."""
        if stop - start > 1:
            self._repeats[start] += 1
            start += self._repeats[start] - 1
        if start >= stop or self._claimed[start]:
            return None
        self._claimed[start] = True
        return int(self._documents[start])

    def changes(self) -> DocumentChanges:
        """The changes, after the pass. A key that is both new and removed belongs to a changed document."""
        gone, gone_counts = np.unique(self._keys[self._unclaimed()], return_counts=True)
        new, new_counts = np.unique(_concatenate_hashes(self._new_keys), return_counts=True)
        _, at_gone, at_new = np.intersect1d(gone, new, assume_unique=True, return_indices=True)
        changed = int(np.minimum(gone_counts[at_gone], new_counts[at_new]).sum())
        return DocumentChanges(int(new_counts.sum()) - changed, changed, int(gone_counts.sum()) - changed)

    def dead(self) -> list[Flags]:
        """The deleted documents of each earlier segment, after the pass."""
        flags = np.concatenate([np.zeros(0, np.bool_), *map(_get_dead_flags, self._earlier)])
        flags[self._unclaimed()] = True
        ends = np.cumsum([len(segment) for segment in self._earlier])
        return np.split(flags, ends)[:-1]

    def _unclaimed(self) -> NDArray[np.uint32]:
        unclaimed: NDArray[np.uint32] = self._documents[np.frombuffer(self._claimed, np.uint8) == 0]
        return unclaimed


def _get_dead_flags(earlier: StoredDocuments) -> Flags:
    return earlier.dead if earlier.dead is not None else np.zeros(len(earlier), np.bool_)


def _concatenate_hashes(parts: Sequence[Hashes]) -> Hashes:
    return np.concatenate([np.zeros(0, np.uint64), *parts])


def _compute_fingerprints(keys: Hashes, contents: Hashes) -> Hashes:
    return mix_bits(keys) + contents
