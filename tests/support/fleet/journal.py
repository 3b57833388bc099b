"""What the clients of a fleet were promised, what they were answered, and how long they had to do without."""

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from itertools import pairwise
from time import monotonic


@dataclass(frozen=True, slots=True)
class Attempt:
    """One request: when it was sent and answered on the monotonic clock; `status` is 0 where no answer came."""

    kind: str
    sent_at: float
    ended_at: float
    status: int
    node: int

    @property
    def is_refused(self) -> bool:
        """Whether nothing can be said of it but that it should be tried again."""
        return self.status == 0 or self.status >= 500


@dataclass(frozen=True, slots=True)
class Success:
    """Something that was wanted and, after however many attempts, had: from the first request on to the end."""

    kind: str
    began_at: float
    ended_at: float


@dataclass(slots=True)
class Record:
    """A business record as its only writer knows it: what was acknowledged last, and what it may be besides."""

    acknowledged: list[int] = field(default_factory=list)
    attempted: int = 0
    business_id: str = ""


@dataclass(slots=True)
class Journal:
    """All of it, written by the load and read by the tests."""

    attempts: list[Attempt] = field(default_factory=list)
    successes: list[Success] = field(default_factory=list)
    searches: dict[str, bytes] = field(default_factory=dict)
    """Every finished search that was acknowledged, with the bytes of its first answer."""
    later: set[str] = field(default_factory=set)
    """Every search that was answered with 202."""
    verifications: dict[str, bytes] = field(default_factory=dict)
    """Every verification that has ended, with its bytes."""
    accepted: dict[str, str] = field(default_factory=dict)
    """Every verification that was answered with 202, and what it is to end as."""
    noted: set[str] = field(default_factory=set)
    """Those of them that are to be noted on the first record."""
    selections: dict[str, str] = field(default_factory=dict)
    """The match that was chosen last, by search."""
    records: dict[str, Record] = field(default_factory=dict)
    """By external id."""
    prints: dict[str, str] = field(default_factory=dict)
    """The digest of each PDF, by search."""
    passes: defaultdict[int, Counter[int]] = field(default_factory=lambda: defaultdict(Counter))
    """How many requests of the key with a small limit had which status, by the end of their window."""
    probed_at: defaultdict[int, list[float]] = field(default_factory=lambda: defaultdict(list))
    """When those were sent, by the end of their window."""
    wrong: list[str] = field(default_factory=list)
    """What should never have been answered."""

    def refused_since(self, moment: float) -> list[Attempt]:
        """The requests after this moment that have to be tried again."""
        return [attempt for attempt in self.attempts if attempt.ended_at >= moment and attempt.is_refused]

    def succeeded(self, kind: str, since: float) -> float | None:
        """When what was begun after this moment first succeeded; None if nothing has yet."""
        found = [success.ended_at for success in self.successes if success.kind == kind and success.began_at >= since]
        return min(found, default=None)

    def longest_gap(self, kind: str, since: float) -> float:
        """The longest time without a success of this kind after this moment."""
        moments = [since, *(success.ended_at for success in self.successes if success.kind == kind and success.ended_at >= since)]
        moments.append(monotonic())
        return max(later - earlier for earlier, later in pairwise(moments))
