"""`bonafide bench pdf`: time to render a search as PDF, with a one-letter document as baseline in the same run.

The results are generated (`sample_search`). Every report is different, so that no cache is measured. Nothing is asserted.
"""

import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from time import perf_counter_ns, process_time_ns
from uuid import UUID

import typst

from bonafide.i18n.language import Language
from bonafide.model.search.result import SearchResult
from bonafide.pdf.render import FONTS, STANDARDS, render
from bonafide.services.printing.pdf_reports import DocumentIssue, build_search_sheet
from bonafide.sources.framework.discovery import discover_sources
from bonafide_bench.datasets.sample_search import AT, create_sample_search
from bonafide_bench.datasets.sample_website import create_sample_website

SIZES = ((5, 2), (50, 18))
"""(matches, regulators that list the business) of a typical search and of the largest possible one."""
_MS = 1e6
_EMPTY = b'#set document(title: "a")\na'
OnCountProgress = Callable[[int, int], None]
"""Progress callback: kinds of documents done, and their total."""


@dataclass(frozen=True, slots=True)
class PdfFigures:
    """One kind of document: wall and CPU milliseconds each, and the size of the last one in bytes."""

    document: str
    rounds: int
    median_ms: float
    p95_ms: float
    cpu_ms: float
    """The median CPU time of this process, which other load on the machine affects less than wall time."""
    size: int


def measure_pdfs(rounds: int, told: OnCountProgress) -> tuple[PdfFigures, ...]:
    """Render each kind `rounds` times, one kind after the other: the typesetter evicts its caches of earlier documents."""
    figures, makers = [], _create_renderers()
    for done, (name, make) in enumerate(makers.items()):
        make(0)  # loads fonts and templates, once per process
        figures.append(_compute_figures(name, [_measure_render(make, number) for number in range(1, rounds + 1)]))
        told(done + 1, len(makers))
    return tuple(figures)


@dataclass(frozen=True, slots=True)
class _RenderCost:
    """One document: wall and CPU nanoseconds, and its size in bytes."""

    ns: int
    cpu_ns: int
    size: int


def _measure_render(make: Callable[[int], bytes], number: int) -> _RenderCost:
    started, cpu_started = perf_counter_ns(), process_time_ns()
    size = len(make(number))
    return _RenderCost(perf_counter_ns() - started, process_time_ns() - cpu_started, size)


def _create_renderers() -> dict[str, Callable[[int], bytes]]:
    makers: dict[str, Callable[[int], bytes]] = {"one letter": lambda _: _render_one_letter()}
    for matches, listed in SIZES:
        result = create_sample_search(matches, listed=listed, website=create_sample_website())
        for language in Language:
            makers[f"search, {matches} matches, listed by {listed} regulators, {language}"] = _create_renderer(result, language)
    return makers


def _create_renderer(result: SearchResult, language: Language) -> Callable[[int], bytes]:
    sources = discover_sources()

    def make(number: int) -> bytes:
        """Render the stored result to PDF bytes, with a new id and instant so that no page is cached."""
        issue = DocumentIssue(UUID(int=number), AT + timedelta(seconds=number), language)
        return render(build_search_sheet(result, sources, issue))

    return make


def _render_one_letter() -> bytes:
    return typst.compile(_EMPTY, font_paths=FONTS, ignore_system_fonts=True, format="pdf", pdf_standards=STANDARDS)


def _compute_figures(name: str, taken: Sequence[_RenderCost]) -> PdfFigures:
    ns = [one.ns for one in taken]
    return PdfFigures(
        document=name,
        rounds=len(taken),
        median_ms=statistics.median(ns) / _MS,
        p95_ms=statistics.quantiles(ns, n=20)[-1] / _MS,
        cpu_ms=statistics.median(one.cpu_ns for one in taken) / _MS,
        size=taken[-1].size,
    )
