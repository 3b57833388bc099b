"""The main file of the archive, or by itself as a person has unpacked it, and its rows with each marker of a missing value as None.

What else is in the archive is not read, and what the columns mean is not known here.
"""

import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import IO, cast

from bonafide.errors import ParseFailed
from bonafide.sources.formats.delimited_text import DelimitedDialect, TableRow, normalize_cells, read_delimited
from bonafide.sources.formats.zip_archive import is_zip, open_member, open_zip
from bonafide.sources.framework.context import ParseContext, Resource

ENCODING = "utf-8-sig"
MAX_UNPACKED_BYTES = 1 << 30
"""Nine times what version 1 unpacks to."""
BUFFER_BYTES = 1 << 20
_MAIN = re.compile(r"(?:.*/)?ODBus_v[\d.]+\.csv", re.IGNORECASE)
_MISSING = frozenset({"..", "NOT AVAILABLE"})
"""The marker of the database, and one that it has taken over from a list."""


def read_rows(resource: Resource, context: ParseContext) -> Iterator[tuple[Resource, TableRow]]:
    """Every row of the right width, with the file it is in. Raises `ParseFailed` for what is not the main file or has none."""
    with _open_main_file(resource) as (content, part), io.TextIOWrapper(content, ENCODING, newline="") as text:
        try:
            for _, row in read_delimited(text, part, context, DelimitedDialect(cells=_drop_missing_markers)):
                yield part, row
        except UnicodeDecodeError as error:
            raise ParseFailed(f"{part.name}: not {ENCODING}: {error.reason} at byte {error.start}") from error


def _drop_missing_markers(cells: list[str]) -> list[str | None]:
    return [None if cell in _MISSING else cell for cell in normalize_cells(cells)]


@contextmanager
def _open_main_file(resource: Resource) -> Iterator[tuple[IO[bytes], Resource]]:
    if not is_zip(resource):
        with resource.path.open("rb") as content:
            yield content, resource
        return
    with open_zip(resource, MAX_UNPACKED_BYTES) as archive:
        names = [name for name in archive.namelist() if _MAIN.fullmatch(name) is not None]
        if len(names) != 1:
            raise ParseFailed(f"{resource.name}: has {len(names)} files ODBus_v*.csv, where one is expected")
        with open_member(archive, names[0], resource) as member:
            # The archive's own reader looks for the ends of lines in Python, at a tenth of the speed.
            content = io.BufferedReader(cast("io.RawIOBase", member), BUFFER_BYTES)
            yield content, replace(resource, name=f"{resource.name}/{names[0]}")
