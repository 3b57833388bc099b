"""The console that commands print to, and the streams that they read and write."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from rich.console import Console, OverflowMethod
from rich.table import Table

from bonafide.cli.options import choose_score_colour
from bonafide.cli.translation import localize
from bonafide.matching.scoring.score_parameters import truncate_score

STANDARD_STREAM = Path("-")
PIPED_WIDTH = 160
"""The width of lines that go to a file or a pipe, which have no terminal width."""
out = Console(width=None if sys.stdout.isatty() else PIPED_WIDTH, emoji=False)
err = Console(stderr=True, emoji=False)


def format_score(score: float) -> str:
    """A score in rich's markup, coloured by its quality, with two decimals."""
    return f"[{choose_score_colour(score)}]{truncate_score(score):.2f}[/]"


def print_table(
    headings: Sequence[str], rows: Iterable[Sequence[str]], overflow: OverflowMethod = "ellipsis", *, unbroken: str | None = None
) -> None:
    """A table without lines; the cells of the column `unbroken` are never wrapped."""
    table = Table(box=None, header_style="bold", pad_edge=False)
    for heading in headings:
        table.add_column(localize(heading), no_wrap=heading == unbroken, overflow=overflow)
    for row in rows:
        table.add_row(*row)
    out.print(table)


@contextmanager
def open_source(source: Path) -> Iterator[BinaryIO]:
    """The file, or standard input."""
    if source == STANDARD_STREAM:
        yield sys.stdin.buffer
        return
    with source.open("rb") as stream:
        yield stream


@contextmanager
def replace_destination(destination: Path) -> Iterator[BinaryIO]:
    """The file, which changes only when all of it has been written; or standard output, a pipe or a device."""
    if destination == STANDARD_STREAM or (destination.exists() and not destination.is_file()):
        with open_destination(destination) as stream:
            yield stream
        return
    draft = destination.with_name(f"{destination.name}.new")
    try:
        with draft.open("wb") as stream:
            yield stream
        draft.replace(destination)
    finally:
        draft.unlink(missing_ok=True)


@contextmanager
def open_destination(destination: Path) -> Iterator[BinaryIO]:
    """The file, or standard output."""
    if destination == STANDARD_STREAM:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    with destination.open("wb") as stream:
        yield stream
