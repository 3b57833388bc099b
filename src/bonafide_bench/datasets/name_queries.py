"""Corrupted names as queries with their ground truth.

A query is kept when at most ten names hold all the words that it still stands for, and when it is not itself another business's
name. The truth is every record that bears the name, for by the name nobody could tell them apart.
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
"""Names drawn for each query that is wanted: many offer no way to be disturbed so, some are no fair question."""
NameKey = str
"""The distinctive words of a name in the order of the alphabet: names with equal keys can't be told apart by their words."""


@dataclass(frozen=True, slots=True)
class CorruptedQuery:
    """A query, how it was disturbed, and the records that are right."""

    text: str
    kind: str
    truth: frozenset[int]


@dataclass(frozen=True, slots=True)
class _Draft:
    text: str
    kind: CorruptionKind
    meant: tuple[str, ...]
    """The distinctive words that it still stands for."""
    true_keys: frozenset[NameKey]
    asked_keys: frozenset[NameKey]


def build_name_key(words: Iterable[str]) -> NameKey:
    """The key of a name with these distinctive words."""
    return " ".join(sorted(words))


def read_queries(path: Path) -> list[CorruptedQuery]:
    """Queries of a file of JSON lines `{"q", "kind", "truth": [record, …]}`."""
    with path.open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return [CorruptedQuery(row["q"], row["kind"], frozenset(row["truth"])) for row in rows]


def write_queries(path: Path, probes: Iterable[CorruptedQuery]) -> None:
    """Write such a file."""
    rows = ({"q": probe.text, "kind": probe.kind, "truth": sorted(probe.truth)} for probe in probes)
    path.write_text("".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows), encoding="utf-8")


def create_queries(names: Sequence[str], rows: Iterable[NameFileRow], count: int, chance: Random) -> list[CorruptedQuery]:
    """So many queries after these names, by the shares of the ways of disturbing, or as many as are fair.

    `rows` are the distinctive words of all names that are searched, those of `names` among them.
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
    """How many names are enough for so many queries."""
    return count * DRAWN_PER_KEPT


def _drafts(names: Sequence[str], wanted: dict[CorruptionKind, int], chance: Random) -> list[_Draft]:
    """Twice as many as wanted of each kind, if the names offer them."""
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
    """Which rows hold the words of the drafts, and whose the names are that they ask for."""

    drafts: Sequence[_Draft]
    _holders: dict[str, "array[int]"] = field(init=False)
    _owners: defaultdict[NameKey, set[int]] = field(init=False)

    def __post_init__(self) -> None:
        self._holders = {word: array("I") for draft in self.drafts for word in draft.meant}
        self._owners = defaultdict(set, {key: set() for draft in self.drafts for key in draft.true_keys | draft.asked_keys})

    def read(self, rows: Iterable[NameFileRow]) -> None:
        """Take in the distinctive words of every name."""
        holders, owners = self._holders, self._owners
        for number, (record, text) in enumerate(rows):
            words = text.split()
            for word in words:
                if (holding := holders.get(word)) is not None:
                    holding.append(number)
            if (key := build_name_key(words)) in owners:
                owners[key].add(record)

    def truth(self, draft: _Draft) -> frozenset[int] | None:
        """The records that a draft asks for; None when it is no fair question."""
        truth = self._owned(draft.true_keys)
        if not truth or not self._owned(draft.asked_keys) <= truth or self._count(draft.meant) > MAX_HOLDERS:
            return None
        return truth

    def _owned(self, keys: Iterable[NameKey]) -> frozenset[int]:
        return frozenset[int]().union(*(self._owners[key] for key in keys))

    def _count(self, words: Iterable[str]) -> int:
        """How many rows hold all the words; not more exactly than is needed."""
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
    """So many texts at random places among the first `of`, in their order."""
    places = set(chance.sample(range(of), min(count, of)))
    return [text for place, text in zip(range(of), rows, strict=False) if place in places]
