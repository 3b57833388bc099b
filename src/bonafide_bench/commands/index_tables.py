"""Print the figures of `bonafide bench index` as tables."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from rich.markup import escape
from rich.table import Table

from bonafide.cli.output import out
from bonafide_bench.harness.core_use import describe_other_use

if TYPE_CHECKING:
    from bonafide_bench.measurements.figures import IndexEngineFigures, IndexReport, LatencyFigures, QuerySetFigures, SizeFigures

_MB, _GB = 1e6, 1e9
_NONE = "–"


def print_tables(report: "IndexReport", *, kinds: bool) -> None:
    """Print all tables; `kinds` adds recall by kind of corruption."""
    for size in report.sizes:
        out.print(f"\n[bold]{size.names:,} names[/]", highlight=False)
        _print_costs(size)
        for name in _together(engine.sets for engine in size.engines):
            _print_set(name, size.engines)
            if kinds:
                _print_kinds(name, size.engines)
        _print_worst("Hostile queries, maximum by category, ms", size.engines, lambda engine: engine.hostile)
        _print_typeahead(size.engines)
        for engine in size.engines:
            if engine.missing is not None:
                out.print(f"{engine.engine}: not measured, {escape(engine.missing)}", highlight=False, style="yellow")
    out.print(
        f"\n{report.rounds} rounds, of which the fastest time of each query counts; slow engines run once."
        f" Each engine on the least used core. {describe_other_use(report.other_use)}",
        highlight=False,
    )
    if report.growth:
        grown = ", ".join(f"{engine} ×{factor:.2f}" for engine, factor in report.growth.items())
        out.print(
            f"\nGrowth of the mean from {report.sizes[0].names:,} to {report.sizes[-1].names:,} names: {grown}", highlight=False
        )


def _print_costs(size: "SizeFigures") -> None:
    headings = ("names/s, 1 core", "2 cores", "per CPU s", "Peak GB", "Bytes/name", "Open s", "Own MB", "before", "Mapped MB")
    table = _table("Engine", headings)
    for engine in _measured(size.engines):
        builds = engine.builds or {}
        walls = [f"{size.names / builds[cores].wall_s:,.0f}" if cores in builds else _NONE for cores in (1, 2)]
        per_cpu = f"{size.names / builds[1].cpu_s:,.0f}" if 1 in builds else _NONE
        peaks = [built.peak for built in builds.values() if built.peak is not None]
        table.add_row(
            engine.engine,
            *walls,
            per_cpu,
            f"{max(peaks) / _GB:.2f}" if peaks else _NONE,
            _NONE if engine.disk_bytes is None else f"{engine.disk_bytes / size.names:.0f}",
            _NONE if engine.opened_s is None else f"{engine.opened_s:.2f}",
            *(f"{held / _MB:,.0f}" for held in _held(engine)),
        )
    out.print(table)


def _held(engine: "IndexEngineFigures") -> list[float]:
    """Private bytes of the process after and before, and mapped bytes; empty if the platform does not report them."""
    after, before = engine.resident, engine.resident_before
    return [] if after is None or before is None else [after.anonymous, before.anonymous, after.file_backed]


def _print_set(name: str, engines: Sequence["IndexEngineFigures"]) -> None:
    table = _table(f"Queries: {name}", ("Queries", "Mean ms", "p50", "p95", "p99", "Max", "× index", "R@1", "R@5", "R@20"))
    first: float | None = None
    for engine, figures in _on(name, engines):
        times, recall = figures.times, figures.recall
        first = times.mean if first is None else first
        shown = [f"{value:.2f}" for value in (times.mean, times.p50, times.p95, times.p99, times.max, times.mean / first)]
        table.add_row(engine, f"{times.count:,}", *shown, *(f"{share:.4f}" for share in recall.at.values()))
    out.print("\n", table)


def _print_kinds(name: str, engines: Sequence["IndexEngineFigures"]) -> None:
    measured = list(_on(name, engines))
    table = _table(f"R@1 and R@20: {name}", ("Queries", *(engine for engine, _ in measured)))
    for kind in measured[0][1].kinds:
        shares = [figures.kinds[kind].at if kind in figures.kinds else None for _, figures in measured]
        cells = [_NONE if at is None else f"{at[1]:.3f} {at[20]:.3f}" for at in shares]
        table.add_row(escape(kind), str(measured[0][1].kinds[kind].asked), *cells)
    out.print("\n", table)


def _print_worst(
    heading: str,
    engines: Sequence["IndexEngineFigures"],
    of: Callable[["IndexEngineFigures"], Mapping[str, "LatencyFigures"] | None],
) -> None:
    asked = [(engine.engine, found) for engine in engines if (found := of(engine))]
    if not asked:
        return
    table = _table(heading, [name for name, _ in asked])
    for category in asked[0][1]:
        table.add_row(category, *(f"{found[category].max:.2f}" for _, found in asked))
    table.add_row("[bold]worst[/]", *(f"[bold]{max(times.max for times in found.values()):.2f}[/]" for _, found in asked))
    out.print("\n", table)


def _print_typeahead(engines: Sequence["IndexEngineFigures"]) -> None:
    for engine in engines:
        if engine.typeahead:
            table = _table("Typeahead, ms", ("Queries", "p50", "p99", "Max"))
            for category, times in engine.typeahead.items():
                table.add_row(category, f"{times.count:,}", *(f"{value:.2f}" for value in (times.p50, times.p99, times.max)))
            out.print("\n", table)


def _table(first: str, others: Iterable[str]) -> Table:
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column(first)
    for heading in others:
        table.add_column(heading, justify="right")
    return table


def _measured(engines: Iterable["IndexEngineFigures"]) -> list["IndexEngineFigures"]:
    return [engine for engine in engines if engine.missing is None]


def _on(name: str, engines: Iterable["IndexEngineFigures"]) -> Iterable[tuple[str, "QuerySetFigures"]]:
    """The engines measured on this query set, with their figures."""
    return [(engine.engine, engine.sets[name]) for engine in engines if engine.sets is not None and name in engine.sets]


def _together(mappings: Iterable[Mapping[str, object] | None]) -> list[str]:
    """The distinct keys of all mappings, in order of first appearance."""
    return list(dict.fromkeys(key for mapping in mappings for key in mapping or {}))
