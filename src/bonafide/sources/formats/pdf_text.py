"""Read the text of a PDF line by line, each run of text with its position, so that a printed table can be split into columns.

Images are not read, so a scanned page is blank. The caller interprets the lines.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from pypdf import PageObject, PdfReader

from bonafide.errors import ParseFailed
from bonafide.i18n.message import Message
from bonafide.sources.formats.delimited_text import normalize_whitespace
from bonafide.sources.formats.file_problems import TOO_LARGE, UNREADABLE_FILE
from bonafide.sources.framework.context import Resource

MAX_PDF_BYTES = 64 * 1024 * 1024
"""Issues of a gazette have one to five megabytes; the reader keeps the whole file in memory."""
MAX_PAGES = 2_000
SAME_LINE = 2.5
"""Maximum difference in height, in points, between runs of one line."""


@dataclass(frozen=True, slots=True)
class PdfTextRun:
    """Text in one piece; `x` is its left edge in points."""

    x: float
    text: str


@dataclass(frozen=True, slots=True)
class PdfLine:
    """The runs at one height of a page, from left to right. `number` counts the lines of the whole file."""

    number: int
    page: int
    runs: tuple[PdfTextRun, ...]

    @property
    def text(self) -> str:
        """The text of the line, with one space between the runs."""
        return " ".join(run.text for run in self.runs)


def read_lines(resource: Resource) -> Iterator[PdfLine]:
    """The lines of all pages from top to bottom. Raises `ParseFailed` when the file is not a readable PDF, or contains no text."""
    number = 0
    for page, runs in enumerate(_read_pages(resource), start=1):
        for line in _group_lines(runs):
            number += 1
            yield PdfLine(number, page, line)
    if number == 0:
        raise ParseFailed(Message("{file}: the PDF contains no text; it may be a scan", file=resource.name))


PlacedText = tuple[float, float, str]
"""Height, left edge, text."""


def _read_pages(resource: Resource) -> Iterator[list[PlacedText]]:
    size = resource.path.stat().st_size
    if size > MAX_PDF_BYTES:
        raise ParseFailed(TOO_LARGE.fill(file=resource.name, size=size, limit=MAX_PDF_BYTES))
    try:
        with PdfReader(resource.path) as reader:
            for page in islice(reader.pages, MAX_PAGES):
                yield _read_runs(page)
            more = len(reader.pages) - MAX_PAGES
    except MemoryError:
        raise
    except Exception as error:  # the library raises many kinds of errors for a damaged file
        raise ParseFailed(UNREADABLE_FILE.fill(file=resource.name, format="PDF", error=str(error))) from error
    if more > 0:
        raise ParseFailed(Message("{file}: the PDF has more than {limit:,} pages", file=resource.name, limit=MAX_PAGES))


def _read_runs(page: PageObject) -> list[PlacedText]:
    found: list[PlacedText] = []

    def visit(text: str, ctm: list[float], matrix: list[float], _font: object, _size: float) -> None:
        # A damaged character map yields lone surrogates, which can't be encoded.
        plain = normalize_whitespace(text.encode("utf-8", "replace").decode())
        if plain is not None:
            x = matrix[4] * ctm[0] + matrix[5] * ctm[2] + ctm[4]
            y = matrix[4] * ctm[1] + matrix[5] * ctm[3] + ctm[5]
            found.append((y, x, plain))

    page.extract_text(visitor_text=visit)
    return found


def _group_lines(runs: list[PlacedText]) -> Iterator[tuple[PdfTextRun, ...]]:
    """The runs grouped by height, from the top of the page."""
    line: list[PlacedText] = []
    for run in sorted(runs, key=lambda run: -run[0]):
        if line and line[0][0] - run[0] > SAME_LINE:
            yield _sort_runs(line)
            line = []
        line.append(run)
    if line:
        yield _sort_runs(line)


def _sort_runs(line: list[PlacedText]) -> tuple[PdfTextRun, ...]:
    return tuple(PdfTextRun(x, text) for _, x, text in sorted(line, key=lambda run: run[1]))
