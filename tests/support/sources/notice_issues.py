"""Issues made by a test in the publishers' own formats: pages of text, and PDF files of runs at given places."""

from collections.abc import Sequence
from pathlib import Path

from bonafide_sandbox.writers.formats.pdf import PlacedPdfText, write_pdf

LEFT = 50
STEP = 12
Cells = tuple[tuple[int, str], ...]


def pdf(path: Path, *pages: Sequence[str | Cells]) -> Path:
    """A PDF with these lines on its pages; a line is its text, or its cells with their left edges."""
    placed = []
    for lines in pages:
        cells = [((LEFT, line),) if isinstance(line, str) else line for line in lines]
        placed.append([PlacedPdfText(x, 760 - STEP * row, text) for row, line in enumerate(cells) for x, text in line])
    write_pdf(path, placed)
    return path


def periodical(path: Path, *lines: str) -> Path:
    """An issue of Alberta's Periodical."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(["<html><body>", "<PRE>", *lines, "</PRE></body></html>"]), encoding="utf-8")
    return path
