"""The performance page: its history, its tables, what other processes used, and the pages that an operation touches."""

import os
import resource
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from bonafide_bench.harness.core_use import OtherCoreUse, choose_idle_cores, read_core_times
from bonafide_bench.harness.physical_floor import PhysicalFloor, TouchedPages, measure_memory_bandwidth
from bonafide_bench.performance.performance_page import PAGE, render_performance_page
from bonafide_bench.performance.release_figures import (
    HISTORY,
    BenchMachine,
    PerformanceFigure,
    ReleaseFigures,
    add_release,
    read_history,
    write_history,
)

ROOT = Path(__file__).parents[2]
ROUNDING_S = 0.1
"""Linux counts the time of cores in hundredths of a second, which differs from the time of processes by some of them."""
MACHINE = BenchMachine("A processor", 2, 24.0, "Linux x86_64", "3.11.7", "search compiled", 10.0, 150.0, "Not reported.")
FIRST = ReleaseFigures(
    "1.0.0", "2026-11-20", 1000, MACHINE, (PerformanceFigure("old", "An old operation", "3.00 ms", 3000.0, 20.0),)
)
SECOND = ReleaseFigures(
    "1.1.0",
    "2026-12-20",
    2000,
    replace(MACHINE, other_use="Other processes used 1% of the 2 cores, the host took 0%."),
    (
        PerformanceFigure("search", "A search", "1.50 ms", 1500.0, 10.0, 100.0),
        PerformanceFigure("old", "An old operation", "30.00 ms", 30_000.0, 200.0),
    ),
)


def sum_core_times() -> tuple[float, float]:
    """Seconds of all cores: in use, and in total."""
    times = read_core_times().values()
    return sum(each.used_s for each in times), sum(each.total_s for each in times)


def read_children_time() -> float:
    """Processor seconds of the ended child processes."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def test_a_release_replaces_its_earlier_figures_and_keeps_those_of_others(tmp_path: Path) -> None:
    path = tmp_path / "history.json"
    assert read_history(path) == []
    history = add_release(add_release([], FIRST), SECOND)
    again = replace(SECOND, size=3000)
    write_history(path, add_release(history, again))
    assert read_history(path) == [FIRST, again]


def test_the_page_has_the_latest_release_and_all_ratios() -> None:
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in render_performance_page([FIRST, SECOND]).splitlines()]
    assert ["A search", "1.50 ms", "10", "100.0", "15.0"] in rows
    assert ["An old operation", "30.00 ms", "200", "–", "–"] in rows
    assert ["Operation", "1.1.0", "1.0.0"] in rows
    assert ["Businesses", "2,000", "1,000"] in rows
    assert ["A search", "10", "–"] in rows
    assert ["An old operation", "200", "20"] in rows


def test_the_committed_page_is_rendered_from_the_committed_history() -> None:
    history = read_history(ROOT / HISTORY)
    assert (ROOT / PAGE).read_text(encoding="utf-8") == render_performance_page(history), "run `bonafide bench all --write`"


def test_the_use_of_other_processes_is_not_that_of_its_own_children() -> None:
    if not read_core_times():
        pytest.skip("this system does not report the use of its cores")
    before, children_s = sum_core_times(), read_children_time()
    with OtherCoreUse() as others:
        subprocess.run([sys.executable, "-c", "sum(range(60_000_000))"], check=True)
    children_s = read_children_time() - children_s
    used_s, total_s = (end - start for start, end in zip(before, sum_core_times(), strict=True))
    assert others.use is not None
    assert others.use.cores == len(os.sched_getaffinity(0))
    assert 0 <= others.use.stolen <= 1
    assert children_s > 2 * ROUNDING_S
    assert 0 <= others.use.others * total_s <= max(0.0, used_s - children_s) + ROUNDING_S


def test_as_many_cores_are_chosen_as_wanted() -> None:
    if not (times := read_core_times()):
        pytest.skip("this system does not report the use of its cores")
    assert all(0 < each.used_s <= each.total_s for each in times.values())
    assert len(choose_idle_cores(1)) == 1
    assert choose_idle_cores(len(times)) == sorted(times)


def test_a_floor_is_a_cache_line_of_each_touched_page() -> None:
    assert PhysicalFloor(pages=1000, bandwidth=64e6).ms == pytest.approx(1.0)
    assert measure_memory_bandwidth() > 0


def test_only_the_pages_that_an_operation_touches_are_counted() -> None:
    pages, held = TouchedPages([os.getpid()]), bytearray(40_000_000)
    held[::4096] = b"x" * len(held[::4096])
    assert pages.compute_floor() is None
    with pages.count_operation():
        pass
    with pages.count_operation():
        held[::4096] = b"y" * len(held[::4096])
    if not pages.counts:
        pytest.skip("this system does not report which pages are touched")
    few, many = pages.counts
    assert many - few > 5_000
    floor = pages.compute_floor()
    assert floor is not None
    assert floor.pages == (few + many) / 2
