"""The figures of a release, and the file that keeps those of all releases."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

HISTORY = Path("src/bonafide_bench/performance/history.json")
"""The file of all releases, below the root of a checkout."""


@dataclass(frozen=True, slots=True)
class PerformanceFigure:
    """One figure: its value as shown, and the duration of one operation in microseconds.

    `baselines` is that duration as a multiple of the baseline in the same run. `floor_us` is the physical floor of the operation,
    None if it was not measured.
    """

    key: str
    what: str
    shown: str
    duration_us: float
    baselines: float
    floor_us: float | None = None


@dataclass(frozen=True, slots=True)
class BenchMachine:
    """The machine of a run. `other_use` is a sentence about what other processes used of its cores."""

    processor: str
    cores: int
    memory_gib: float
    system: str
    python: str
    extensions: str
    """Which parts are compiled."""
    bandwidth_gib_s: float
    baseline_us: float
    other_use: str


@dataclass(frozen=True, slots=True)
class ReleaseFigures:
    """The figures of one release on one machine. `size` is the number of businesses and names, `day` an ISO date."""

    release: str
    day: str
    size: int
    machine: BenchMachine
    figures: tuple[PerformanceFigure, ...]

    @classmethod
    def parse(cls, document: dict[str, Any]) -> "ReleaseFigures":
        """From a JSON object. Raises `KeyError` or `TypeError` for one of another form."""
        figures = tuple(PerformanceFigure(**figure) for figure in document["figures"])
        return cls(**document | {"machine": BenchMachine(**document["machine"]), "figures": figures})


def read_history(path: Path) -> list[ReleaseFigures]:
    """The releases of a file, oldest first; none if the file does not exist."""
    if not path.exists():
        return []
    return [ReleaseFigures.parse(document) for document in json.loads(path.read_text(encoding="utf-8"))]


def add_release(history: Iterable[ReleaseFigures], current: ReleaseFigures) -> list[ReleaseFigures]:
    """The releases with the current one last, in place of earlier figures of the same release."""
    return [*(earlier for earlier in history if earlier.release != current.release), current]


def write_history(path: Path, history: Sequence[ReleaseFigures]) -> None:
    """Write the releases as JSON."""
    path.write_text(json.dumps([asdict(release) for release in history], indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
