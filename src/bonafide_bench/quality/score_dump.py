"""Write scored pairs as JSON lines, and compare the scores of a run with those of an earlier one.

The comparison lists the pairs that crossed 0.7 or 0.85, the largest change first, so that a reviewer reads those that matter.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from bonafide.model.entry import EntityKind
from bonafide_bench.quality.pair_scores import ScoredNamePair
from bonafide_bench.real_names.name_pairs import NamePair, SetPart

CROSSED = (0.7, 0.85)


@dataclass(frozen=True, slots=True)
class CrossedScore:
    """A pair whose score crossed a threshold, its scores before and after, and whether the change is right for its label."""

    set_key: str
    part: SetPart
    pair: NamePair
    before: float
    after: float

    @property
    def is_right(self) -> bool:
        """Whether the score of the same party rose, or that of different parties fell."""
        return (self.after > self.before) is self.pair.same


@dataclass(frozen=True, slots=True)
class DumpComparison:
    """Two dumps: the pairs of both, those of only one, the changed scores, and what crossed a threshold."""

    compared: int
    only_before: int
    only_after: int
    changed: int
    crossed: tuple[CrossedScore, ...]

    def list_changes(self, *, right: bool) -> list[CrossedScore]:
        """The right or the wrong changes, the largest first."""
        return [change for change in self.crossed if change.is_right is right]


def write_dump(path: Path, scored: Iterable[ScoredNamePair]) -> None:
    """Write one JSON object for each pair. The file has real names: keep it out of the repository."""
    with path.open("w", encoding="utf-8") as lines:
        for item in scored:
            row = {
                "set": item.set_key,
                "part": item.part,
                "kind": item.pair.entity_kind,
                "submitted": item.pair.submitted,
                "names": item.pair.names,
                "same": item.pair.same,
                "score": item.score,
            }
            lines.write(json.dumps(row, ensure_ascii=False) + "\n")


def read_dump(path: Path) -> list[ScoredNamePair]:
    """Read a dump. Raises `ValueError` with the line's number for a line that is not a scored pair."""
    scored = []
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, start=1):
            try:
                row = json.loads(line)
                kind = None if row["kind"] is None else EntityKind(row["kind"])
                pair = NamePair(row["submitted"], tuple(row["names"]), row["same"], kind)
                scored.append(ScoredNamePair(row["set"], SetPart(row["part"]), pair, float(row["score"])))
            except (KeyError, TypeError, ValueError) as error:
                raise ValueError(f"{path}, line {number}: not a scored pair ({error!r})") from error
    return scored


def compare_dumps(before: Sequence[ScoredNamePair], after: Sequence[ScoredNamePair]) -> DumpComparison:
    """Compare the scores of equal pairs of the same set."""
    earlier = {(item.set_key, item.part, item.pair): item.score for item in before}
    later = {(item.set_key, item.part, item.pair): item.score for item in after}
    changes = [
        CrossedScore(set_key, part, pair, earlier[set_key, part, pair], score)
        for (set_key, part, pair), score in later.items()
        if (set_key, part, pair) in earlier and earlier[set_key, part, pair] != score
    ]
    crossed = [change for change in changes if any((change.before >= cut) is not (change.after >= cut) for cut in CROSSED)]
    crossed.sort(key=lambda change: (-abs(change.after - change.before), change.pair.submitted))
    both = len(earlier.keys() & later.keys())
    return DumpComparison(both, len(earlier) - both, len(later) - both, len(changes), tuple(crossed))
