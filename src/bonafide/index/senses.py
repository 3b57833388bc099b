"""What a query's words may stand for: the value that the search for senses makes and the plan weighs. It decides nothing itself."""

from typing import NamedTuple


class Sense(NamedTuple):
    """A word of the segment (`token`) that one slot, or two neighbours run together (`slots`), may stand for.

    `similarity` is 0 to 1; `odds` say how likely the word is meant, before its frequency is considered. `other_half` is the other
    word where a slot is read as two.
    """

    token: int
    slots: tuple[int, ...]
    similarity: float
    odds: float
    other_half: int | None = None
