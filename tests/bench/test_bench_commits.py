"""The bench of commits measures every mode, and leaves no database behind."""

import asyncio
from pathlib import Path

from bonafide_bench.measurements.commits import CommitMode, run_commits_bench

CALLERS = (1, 4)


def test_it_measures_every_mode_and_cleans_up(tmp_path: Path) -> None:
    told: list[tuple[str, int, int | None]] = []
    report = asyncio.run(run_commits_bench(tmp_path, 10, CALLERS, lambda what, done, total: told.append((what, done, total))))
    modes = [mode.value for mode in CommitMode]
    assert [(row.mode, row.callers) for row in report.figures] == [(mode, callers) for callers in CALLERS for mode in modes]
    assert {row.times.count for row in report.figures} == {10}
    assert told[-1] == ("commits", 6, 6)
    assert list(tmp_path.iterdir()) == []
