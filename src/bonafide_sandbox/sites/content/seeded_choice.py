"""Random choices for one site that depend only on the seed, the site and the purpose.

The scalar counterpart of `generator.seeded_random`. Not suitable for secrets.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class SeededChoice:
    """The draws for one key."""

    key: str

    def unit(self, purpose: str) -> float:
        """Return a float in [0, 1)."""
        digest = blake2b(f"{self.key}/{purpose}".encode(), digest_size=6).digest()
        return int.from_bytes(digest) / (1 << 48)

    def happens(self, purpose: str, share: float) -> bool:
        """Return True with this probability."""
        return self.unit(purpose) < share

    def below(self, purpose: str, bound: int) -> int:
        """Return an integer in [0, bound)."""
        return int(self.unit(purpose) * bound)

    def pick(self, purpose: str, options: Sequence[T]) -> T:
        """Return one of the options."""
        return options[self.below(purpose, len(options))]

    def some(self, purpose: str, options: Sequence[T], count: int) -> tuple[T, ...]:
        """Return up to `count` distinct options in random order."""
        order = sorted(range(len(options)), key=lambda place: self.unit(f"{purpose} {place}"))
        return tuple(options[place] for place in order[:count])
