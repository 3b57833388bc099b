"""`bonafide bench pdf`: what it costs to print a search, beside a document of one letter from the same typesetter in the same run.

The results are made up (`printed`). Each report is a new one, so that nothing is measured that was kept. Nothing is asserted here.
"""

import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from time import perf_counter_ns, process_time_ns
from uuid import UUID

import typst

from bonafide.bench.printed import AT, made_up_search
from bonafide.bench.printed_site import made_up_site
from bonafide.model.language import Language
from bonafide.model.search.result import SearchResult
from bonafide.pdf.render import FONTS, STANDARDS, render
from bonafide.services.printing.print_models import DocumentIssue, build_search_sheet
from bonafide.sources.framework.discovery import discover_sources

SIZES = ((5, 2), (50, 18))
"""Matches, and regulators that list the business: of an ordinary search, and of one that asks for all that it may have."""
_MS = 1e6
_EMPTY = b'#set document(title: "a")\na'
Told = Callable[[int, int], None]
"""Hears how many kinds are done, of how many."""


@dataclass(frozen=True, slots=True)
class PdfFigures:
    """One kind of document: milliseconds each, on the clock and of the processor, and the bytes of the last one."""

    document: str
    rounds: int
    median_ms: float
    p95_ms: float
    cpu_ms: float
    """The median of what this process took of a processor; neighbours on the machine don't lengthen it as they do the others."""
    size: int


def measure_pdfs(rounds: int, told: Told) -> tuple[PdfFigures, ...]:
    """Print every kind so often, one kind after the other: the typesetter clears away what it kept of the last ones as it goes."""
    figures, makers = [], _makers()
    for done, (name, make) in enumerate(makers.items()):
        make(0)  # reads fonts and templates, which a process does once
        figures.append(_figures(name, [_timed(make, number) for number in range(1, rounds + 1)]))
        told(done + 1, len(makers))
    return tuple(figures)


@dataclass(frozen=True, slots=True)
class _Taken:
    """One document: nanoseconds on the clock and of the processor, and its bytes."""

    ns: int
    cpu_ns: int
    size: int


def _timed(make: Callable[[int], bytes], number: int) -> _Taken:
    started, cpu_started = perf_counter_ns(), process_time_ns()
    size = len(make(number))
    return _Taken(perf_counter_ns() - started, process_time_ns() - cpu_started, size)


def _makers() -> dict[str, Callable[[int], bytes]]:
    makers: dict[str, Callable[[int], bytes]] = {"one letter": lambda _: _one_letter()}
    for matches, listed in SIZES:
        result = made_up_search(matches, listed=listed, website=made_up_site())
        for language in Language:
            makers[f"search, {matches} matches, listed by {listed} regulators, {language}"] = _printer(result, language)
    return makers


def _printer(result: SearchResult, language: Language) -> Callable[[int], bytes]:
    sources = discover_sources()

    def make(number: int) -> bytes:
        """From the stored result to the bytes; the id and the instant are new, and so is every page."""
        issue = DocumentIssue(UUID(int=number), AT + timedelta(seconds=number), language)
        return render(build_search_sheet(result, sources, issue))

    return make


def _one_letter() -> bytes:
    return typst.compile(_EMPTY, font_paths=FONTS, ignore_system_fonts=True, format="pdf", pdf_standards=STANDARDS)


def _figures(name: str, taken: Sequence[_Taken]) -> PdfFigures:
    ns = [one.ns for one in taken]
    return PdfFigures(
        document=name,
        rounds=len(taken),
        median_ms=statistics.median(ns) / _MS,
        p95_ms=statistics.quantiles(ns, n=20)[-1] / _MS,
        cpu_ms=statistics.median(one.cpu_ns for one in taken) / _MS,
        size=taken[-1].size,
    )
