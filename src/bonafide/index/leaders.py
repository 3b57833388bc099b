"""The best names found so far in a search, and the score that others must reach to be among them.

Only names of admitted documents come in, so that whoever asks for twenty gets the best twenty of those that a filter admits.
"""

import numpy as np
from numpy.typing import NDArray

from bonafide.index.admission import Admission
from bonafide.index.postings import Names, NameTable
from bonafide.index.score import SCORE_FLOOR

_CONTENDERS = 4
"""Documents have few names: among so many times as many names as documents are wanted, there are mostly enough documents."""


class Leaders:
    """The names that are among the best of at least `limit` documents; `threshold` is the score of the last of these."""

    def __init__(self, names: NameTable, admission: Admission, limit: int, floor: float = SCORE_FLOOR) -> None:
        self._names = names
        self._admission = admission
        self._limit = limit
        self.threshold = max(SCORE_FLOOR, floor)
        self.found: Names = np.zeros(0, np.uint32)
        self.scores: NDArray[np.float64] = np.zeros(0)

    @property
    def best(self) -> float:
        """The highest score so far; 0 when there is none."""
        return float(self.scores[0]) if len(self.scores) > 0 else 0.0

    def admit(self, names: Names) -> Names:
        """Those of the names whose documents may be found."""
        admitted = self._admission.of(self._names.documents[names])
        return names if admitted is None else names[admitted]

    def add(self, names: Names, scores: NDArray[np.float64]) -> None:
        """Take in those of the names, each given once, that are admitted and reach the threshold; of one known the best counts."""
        enough = scores >= self.threshold
        names, scores = names[enough], scores[enough]
        admitted = self._admission.of(self._names.documents[names])
        if admitted is not None:
            names, scores = names[admitted], scores[admitted]
        if len(names) == 0:
            return
        repeats = len(self.found) > 0
        names, scores = np.concatenate((self.found, names)), np.concatenate((self.scores, scores))
        order = np.argsort(-scores, kind="stable")
        self.found, self.scores = names[order], scores[order]
        if repeats:
            self._drop_repeated()
        if len(self.found) >= self._limit:
            self._raise_threshold()

    def _drop_repeated(self) -> None:
        _, first = np.unique(self.found, return_index=True)
        if len(first) < len(self.found):
            first.sort()
            self.found, self.scores = self.found[first], self.scores[first]

    def _raise_threshold(self) -> None:
        last = self._last_wanted(self._limit * _CONTENDERS)
        if last is None:
            last = self._last_wanted(len(self.found))
        if last is not None:
            self.threshold = float(self.scores[last])
            stop = int((-self.scores).searchsorted(-self.threshold, "right"))
            self.found, self.scores = self.found[:stop], self.scores[:stop]

    def _last_wanted(self, contenders: int) -> int | None:
        """The place of the last document wanted, if it is among so many names; the best stand first."""
        _, first = np.unique(self._names.documents[self.found[:contenders]], return_index=True)
        return None if len(first) < self._limit else int(np.partition(first, self._limit - 1)[self._limit - 1])
