"""Render the performance page from the figures of all releases."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from bonafide_bench.performance.release_figures import PerformanceFigure, ReleaseFigures

PAGE = Path("docs/reference/performance.md")
"""The page, below the root of a checkout."""
_NONE = "–"
_INTRODUCTION = """# Performance

Durations differ between machines and from hour to hour, so compare ratios. The baseline is a constant unit of work (a JSON document
of 60 matches written and read), which runs before each benchmark and between the calls of a search. The floor is the time in which
the memory delivers a cache line of each page that an operation touches.
[Benchmarks](../howto/benchmarks.md#all-benchmarks) explains how to repeat the measurements."""


def render_performance_page(history: Sequence[ReleaseFigures]) -> str:
    """The page in Markdown: the last of at least one release with its machine, and the ratios of all, last first."""
    latest = history[-1]
    return "\n\n".join([_INTRODUCTION, *_render_release(latest), *_render_history(history)]) + "\n"


def _render_release(release: ReleaseFigures) -> list[str]:
    machine = release.machine
    facts = (
        ("Measured", release.day),
        ("Size", f"{release.size:,} businesses in the sandbox; as many names in the index alone"),
        ("Processor", f"{machine.processor}, {machine.cores} cores"),
        ("Memory", f"{machine.memory_gib:.0f} GiB; one core copies {machine.bandwidth_gib_s:.1f} GiB/s"),
        ("System", f"{machine.system}, Python {machine.python}; {machine.extensions}"),
        ("Other load", machine.other_use),
        ("Baseline", f"{machine.baseline_us:,.0f} µs"),
    )
    rows = (
        (
            figure.what,
            figure.shown,
            _format_ratio(figure.baselines),
            _NONE if figure.floor_us is None else f"{figure.floor_us:,.1f}",
            _NONE if not figure.floor_us else f"{figure.duration_us / figure.floor_us:,.1f}",
        )
        for figure in release.figures
    )
    return [
        f"## Release {release.release}",
        _render_table(("Machine", ""), facts),
        _render_table(("Operation", "Measured", "Baselines", "Floor, µs", "× floor"), rows, numbers_from=1),
    ]


def _render_history(history: Sequence[ReleaseFigures]) -> list[str]:
    """One table with a column for each release: the figures as multiples of the baseline."""
    releases = list(reversed(history))
    figures = [{figure.key: figure for figure in release.figures} for release in releases]
    known: dict[str, PerformanceFigure] = {}
    for found in figures:
        known = {**found, **known}
    sizes = ("Businesses", *(f"{release.size:,}" for release in releases))
    cores = ("Cores", *(str(release.machine.cores) for release in releases))
    rows = [(figure.what, *(_format_baselines(found.get(key)) for found in figures)) for key, figure in known.items()]
    return [
        "## History",
        "In baselines. A release that was measured at another size or on another number of cores is not comparable.",
        _render_table(("Operation", *(release.release for release in releases)), [sizes, cores, *rows], numbers_from=1),
    ]


def _format_baselines(figure: PerformanceFigure | None) -> str:
    return _NONE if figure is None else _format_ratio(figure.baselines)


def _format_ratio(ratio: float) -> str:
    return f"{ratio:,.0f}" if ratio >= 100 else f"{ratio:.3g}"  # noqa: PLR2004 - three digits


def _render_table(headings: Sequence[str], rows: Iterable[Sequence[str]], numbers_from: int | None = None) -> str:
    rule = ["---:" if numbers_from is not None and place >= numbers_from else "---" for place in range(len(headings))]
    lines = (f"| {' | '.join(cell.replace('|', '/') for cell in row)} |" for row in rows)
    return "\n".join([f"| {' | '.join(headings)} |", f"|{'|'.join(rule)}|", *lines])
