"""Parsers that fail in ways in which a damaged file makes a library fail. The reader process imports them."""

import itertools
import os
from collections.abc import Iterator, Sequence

from bonafide.model.entry import AnyEntry
from bonafide.sources.framework.context import ParseContext, Resource

ALLOCATED_BYTES = 1024**3


def parse_forever(_resources: Sequence[Resource], _context: ParseContext) -> Iterator[AnyEntry]:
    """Compute without an end."""
    for _ in itertools.count():
        pass
    yield from ()


def parse_into_memory(_resources: Sequence[Resource], _context: ParseContext) -> Iterator[AnyEntry]:
    """Allocate a gigabyte."""
    _ = bytearray(ALLOCATED_BYTES)
    yield from ()


def parse_until_abort(_resources: Sequence[Resource], _context: ParseContext) -> Iterator[AnyEntry]:
    """End the process, as a library does that can't allocate memory."""
    os.abort()
    yield from ()


def parse_with_error(_resources: Sequence[Resource], _context: ParseContext) -> Iterator[AnyEntry]:
    """Raise an unexpected error."""
    raise ZeroDivisionError
    yield from ()


def parse_empty_rows(_resources: Sequence[Resource], context: ParseContext) -> Iterator[AnyEntry]:
    """Read rows without an end that are skipped."""
    while True:
        context.row()
        context.report.rows -= 1
    yield from ()
