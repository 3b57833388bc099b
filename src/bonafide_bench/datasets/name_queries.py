"""Corrupted names as queries, with their ground truth.

A query is kept if at most ten names contain all its recognizable words and if it is not the name of another business. Its ground
truth is every record with the original name, because records with the same name cannot be distinguished by it.
"""

import json
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray

from bonafide.matching.entries.index_terms import build_business_terms
from bonafide_bench.datasets.corruptions import SHARES, CorruptionKind, corrupt_name
from bonafide_bench.datasets.name_files import NameFileRow

MAX_HOLDERS = 10
DRAWN_PER_KEPT = 6
"""Names drawn per query: some corruptions do not apply to a name, and some queries are ambiguous."""
NameKey = str
"""The distinctive words of a name in alphabetical order: names with equal keys cannot be distinguished by their words."""


@dataclass(frozen=True, slots=True)
class CorruptedQuery:
    """A query, its kind of corruption, and the expected records."""

    text: str
    kind: str
    truth: frozenset[int]


@dataclass(frozen=True, slots=True)
class _Draft:
    text: str
    kind: CorruptionKind
    meant: tuple[str, ...]
    """The distinctive words that are still recognizable."""
    true_keys: frozenset[NameKey]
    asked_keys: frozenset[NameKey]


def build_name_key(words: Iterable[str]) -> NameKey:
    """The key of a name with these distinctive words."""
    return " ".join(sorted(words))


def read_queries(path: Path) -> list[CorruptedQuery]:
    """Read queries from a file of JSON lines `{"q", "kind", "truth": [record, …]}`."""
    with path.open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return [CorruptedQuery(row["q"], row["kind"], frozenset(row["truth"])) for row in rows]


def write_queries(path: Path, probes: Iterable[CorruptedQuery]) -> None:
    """Write queries in the format of `read_queries`."""
    rows = ({"q": probe.text, "kind": probe.kind, "truth": sorted(probe.truth)} for probe in probes)
    path.write_text("".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows), encoding="utf-8")


def create_queries(names: Sequence[str], rows: Iterable[NameFileRow], count: int, chance: Random) -> list[CorruptedQuery]:
    """Generate up to `count` queries from these names, with the kinds of corruption in their proportions.

    `rows` are the distinctive words of all searched names, including `names`. Ambiguous queries are dropped.
    """
    wanted = {kind: max(1, round(count * share / sum(SHARES.values()))) for kind, share in SHARES.items()}
    drafts = _drafts(names, wanted, chance)
    judge = _QueryFilter(drafts)
    judge.read(rows)
    left = Counter(wanted)
    probes = []
    for draft in drafts:
        if left[draft.kind] and (truth := judge.truth(draft)) is not None:
            left[draft.kind] -= 1
            probes.append(CorruptedQuery(draft.text, draft.kind, truth))
    chance.shuffle(probes)
    return probes


def count_names_needed(count: int) -> int:
    """The number of names needed to generate this many queries."""
    return count * DRAWN_PER_KEPT


def _drafts(names: Sequence[str], wanted: dict[CorruptionKind, int], chance: Random) -> list[_Draft]:
    """Up to twice the wanted number of drafts of each kind."""
    drafts: list[_Draft] = []
    for kind, count in wanted.items():
        own: dict[str, _Draft] = {}
        for name in chance.sample(names, len(names)):
            draft = _draft(name, kind, chance)
            if draft is not None:
                own.setdefault(draft.text, draft)
            if len(own) == 2 * count + MAX_HOLDERS:
                break
        drafts += own.values()
    return drafts


def _draft(name: str, kind: CorruptionKind, chance: Random) -> _Draft | None:
    spoilt = corrupt_name(name, kind, chance)
    if spoilt is None:
        return None
    meant = tuple(dict.fromkeys(word for words in build_business_terms([spoilt.meant]).words for word in words))
    return _Draft(spoilt.text, kind, meant, _keys(name), _keys(spoilt.text)) if meant else None


def _keys(name: str) -> frozenset[NameKey]:
    return frozenset(map(build_name_key, build_business_terms([name]).words))


@dataclass(slots=True)
class _QueryFilter:
    """Index of the rows that contain the words of the drafts, to drop ambiguous drafts and find their expected records."""

    drafts: Sequence[_Draft]
    _holders: dict[str, "array[int]"] = field(init=False)
    _owners: defaultdict[NameKey, set[int]] = field(init=False)

    def __post_init__(self) -> None:
        self._holders = {word: array("I") for draft in self.drafts for word in draft.meant}
        self._owners = defaultdict(set, {key: set() for draft in self.drafts for key in draft.true_keys | draft.asked_keys})

    def read(self, rows: Iterable[NameFileRow]) -> None:
        """Index the distinctive words of every name."""
        holders, owners = self._holders, self._owners
        for number, (record, text) in enumerate(rows):
            words = text.split()
            for word in words:
                if (holding := holders.get(word)) is not None:
                    holding.append(number)
            if (key := build_name_key(words)) in owners:
                owners[key].add(record)

    def truth(self, draft: _Draft) -> frozenset[int] | None:
        """The expected records of a draft; None if it is ambiguous."""
        truth = self._owned(draft.true_keys)
        if not truth or not self._owned(draft.asked_keys) <= truth or self._count(draft.meant) > MAX_HOLDERS:
            return None
        return truth

    def _owned(self, keys: Iterable[NameKey]) -> frozenset[int]:
        return frozenset[int]().union(*(self._owners[key] for key in keys))

    def _count(self, words: Iterable[str]) -> int:
        """The number of rows that contain all the words; an upper bound if that is at most `MAX_HOLDERS`."""
        lists = sorted((_to_array(self._holders[word]) for word in words), key=len)
        common = lists[0]
        for other in lists[1:]:
            if len(common) <= MAX_HOLDERS:
                break
            common = np.intersect1d(common, other)
        return len(common)


def _to_array(numbers: "array[int]") -> NDArray[np.uint32]:
    return np.frombuffer(numbers, np.uint32) if len(numbers) else np.empty(0, np.uint32)


def sample_spread(rows: Iterator[str], count: int, of: int, chance: Random) -> list[str]:
    """Sample `count` texts from the first `of`, keeping their order."""
    places = set(chance.sample(range(of), min(count, of)))
    return [text for place, text in zip(range(of), rows, strict=False) if place in places]
