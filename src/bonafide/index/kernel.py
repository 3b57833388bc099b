"""The hot loops of a search behind one narrow seam, so that a compiled kernel can take their place without another line changing.

A kernel works on numbers: ids of words, numbers of names, weights. What a word may stand for, what it is worth and how names are
shown is settled above it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from bonafide.index.admission import Admission
from bonafide.index.deletions import Deletions
from bonafide.index.files import Arrays
from bonafide.index.gather import Gatherer
from bonafide.index.leaders import Leaders
from bonafide.index.plan import Plan
from bonafide.index.postings import Names, NameTable, Postings
from bonafide.index.score import SCORE_FLOOR
from bonafide.index.spelling import Near, Speller
from bonafide.index.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True)
class Scored:
    """Names with their rough scores, in no order."""

    names: Names
    scores: NDArray[np.float64]

    @property
    def best(self) -> float:
        """The highest score; 0 when there is none."""
        return float(self.scores.max()) if len(self.scores) > 0 else 0.0


class Kernel(Protocol):
    """What is asked of an opened field's arrays, thousands of times a second. Any number of threads may ask at once."""

    def near(self, words: Sequence[str], edits: Sequence[int]) -> Near:
        """The words within so many slips of each of these."""

    def best(
        self, plan: Plan, admission: Admission, limit: int, earlier: Scored | None = None, *, floor: float = SCORE_FLOOR
    ) -> Scored:
        """The best names of at least so many admitted documents, if so many score `floor`, and others that score as well.

        `earlier` is what a plan found whose slots weigh the same but stand for fewer words: names that hold only frequent words
        are not sought again.
        """


class NumpyKernel:
    """A kernel in NumPy, over mapped arrays."""

    def __init__(self, arrays: Arrays) -> None:
        self._names = NameTable.read(arrays)
        self._postings = Postings.read(arrays)
        self._speller = Speller(Vocabulary.read(arrays), Deletions(arrays))

    def near(self, words: Sequence[str], edits: Sequence[int]) -> Near:
        """The words within so many slips of each of these."""
        return self._speller.near(words, edits)

    def best(
        self, plan: Plan, admission: Admission, limit: int, earlier: Scored | None = None, *, floor: float = SCORE_FLOOR
    ) -> Scored:
        """The best names of at least so many admitted documents, if so many score `floor`, and others that score as well."""
        leaders = Leaders(self._names, admission, limit, floor)
        if earlier is not None:
            leaders.add(earlier.names, earlier.scores)
        Gatherer(plan, self._postings, self._names, leaders).run(frequent=earlier is None)
        return Scored(leaders.found, leaders.scores)
