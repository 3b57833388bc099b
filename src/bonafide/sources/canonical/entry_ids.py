"""The entry IDs of a load, to reject further rows with the same number, in eight bytes each."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

_Hashes = NDArray[np.int64]
_MERGED_BELOW = 4
"""A run is merged with the next one if it is at most this many times as long, so that there are few runs."""


class EntryIds:
    """The IDs that have occurred, as sorted runs of their 64-bit hashes.

    Among ten million IDs, the probability that two different ones have the same hash is below one in 300,000. The hashes of
    Python have a random key in each process, so that nobody can choose such IDs.
    """

    def __init__(self) -> None:
        self._runs: list[_Hashes] = []

    def add(self, ids: Sequence[str]) -> list[bool]:
        """Add IDs; whether each of them is new, also among the given ones."""
        hashes = np.fromiter(map(hash, ids), np.int64, len(ids))
        fresh = np.zeros(len(hashes), np.bool_)
        fresh[np.unique(hashes, return_index=True)[1]] = True
        for run in self._runs:
            places = run.searchsorted(hashes)
            places[places == len(run)] = 0
            fresh &= run[places] != hashes
        if fresh.any():
            self._add_run(np.sort(hashes[fresh]))
        return fresh.tolist()

    def _add_run(self, run: _Hashes) -> None:
        while self._runs and len(self._runs[-1]) <= _MERGED_BELOW * len(run):
            run = np.sort(np.concatenate((self._runs.pop(), run)), kind="stable")
        self._runs.append(run)
