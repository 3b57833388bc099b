"""Random choices for one site that depend only on the seed, the site and the purpose.

It is `draws` for a single row, without columns. Not for secrets.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class SeededChoice:
    """The draws of whatever `key` names."""

    key: str

    def unit(self, purpose: str) -> float:
        """A number from 0 to 1, without 1."""
        digest = blake2b(f"{self.key}/{purpose}".encode(), digest_size=6).digest()
        return int.from_bytes(digest) / (1 << 48)

    def happens(self, purpose: str, share: float) -> bool:
        """True for about this share of sites."""
        return self.unit(purpose) < share

    def below(self, purpose: str, bound: int) -> int:
        """A whole number from 0 up to, without, the bound."""
        return int(self.unit(purpose) * bound)

    def pick(self, purpose: str, options: Sequence[T]) -> T:
        """One of these."""
        return options[self.below(purpose, len(options))]

    def some(self, purpose: str, options: Sequence[T], count: int) -> tuple[T, ...]:
        """So many different ones, in an order of their own; all of them where there are no more."""
        order = sorted(range(len(options)), key=lambda place: self.unit(f"{purpose} {place}"))
        return tuple(options[place] for place in order[:count])
