"""Open the files of the list and of the returns, from an archive or not, identify each by its header and read its rows.

The list is published in Latin-1, the returns in Latin-1 or UTF-8, so each file's encoding is detected. Cells are not interpreted.
"""

import codecs
import csv
import io
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from functools import partial
from itertools import chain
from typing import IO

from bonafide.errors import ParseFailed
from bonafide.i18n.message import Message
from bonafide.sources.formats.delimited_text import DelimitedDialect, normalize_whitespace, read_delimited
from bonafide.sources.formats.zip_archive import is_zip, open_member, open_zip
from bonafide.sources.framework.context import ParseContext, Resource
from bonafide.sources.framework.load_limits import LoadLimits

BUFFER_BYTES = 1 << 20
MAX_HEADER_CHARACTERS = 10_000
_LIST = re.compile(r"(^|/)charities_results[^/]*\.txt$", re.IGNORECASE)
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_YEAR = re.compile(r"(?<!\d)20\d\d(?!\d)")
_TABS, _COMMAS = DelimitedDialect(delimiter="\t", quoted=False), DelimitedDialect()

_LIST_COLUMNS = {
    "number": "BN/Registration number:",
    "name": "Organization name:",
    "status": "Status:",
    "donee_type": "Type of qualified donee:",
    "since": "Effective date of status:",
    "sanction": "Sanction",
    "designation": "Designation:",
    "charity_type": "Charity type:",
    "category": "Category:",
    "street": "Address:",
    "city": "City:",
    "province": "Province, territory, outside of Canada:",
    "country": "Country:",
    "postal_code": "Postal code/Zip code:",
}
_RETURN_COLUMNS = {
    "number": "BN",
    "name": "Legal Name",
    "account_name": "Account Name",
    "designation": "Designation",
    "category": "Category",
    "sub_category": "Sub Category",
    "street": "Address Line 1",
    "street_2": "Address Line 2",
    "city": "City",
    "province": "Province",
    "country": "Country",
    "postal_code": "Postal Code",
}
_COLUMNS: Mapping[str, Mapping[str, str]] = {
    "list": _LIST_COLUMNS,
    "list_until_2022": {
        name: {"name": "Charity name:", "status": "Charity status:"}.get(name, column)
        for name, column in _LIST_COLUMNS.items()
        if name not in {"donee_type", "charity_type"}
    },
    "identification": _RETURN_COLUMNS,
    "identification_hyphenated": _RETURN_COLUMNS | {"sub_category": "Sub-Category"},
    "websites": {"number": "BN/NE", "website": "Contact URL"},
}
"""Field name to column for each layout, without the fields that a layout lacks."""


@dataclass(frozen=True, slots=True)
class CharityFile:
    """A file that was identified by its header."""

    resource: Resource
    layout: str
    member: str | None
    """The file inside the archive; None if the file is not an archive."""
    encoding: str
    dialect: DelimitedDialect

    @property
    def day(self) -> date | None:
        """The date in the name of a list (`Charities_results_2026-11-01-13-43-32.txt`)."""
        found = _DAY.search(self.member if self.member is not None else self.resource.path.name)
        return date.fromisoformat(found[0]) if found is not None else None

    @property
    def year(self) -> str | None:
        """The year of the returns, which only the file name has."""
        found = _YEAR.search(self.resource.name)
        return found[0] if found is not None else None

    def rows(self, context: ParseContext) -> Iterator[tuple[int, dict[str, str | None]]]:
        """Yield each row as its line number and its cells by field name."""
        columns = _COLUMNS[self.layout]
        with _open_text(self.resource, self.member, self.encoding, context.metadata.limits) as text:
            for _, row in read_delimited(text, self.resource, context, self.dialect):
                yield row.line, {name: row.get(column) for name, column in columns.items()}


def open_file(resource: Resource, context: ParseContext) -> CharityFile:
    """Identify the file by its header. Raises `ParseFailed`."""
    limits = context.metadata.limits
    member = _find_member(resource, limits) if is_zip(resource) else None
    with _open_bytes(resource, member, limits) as content:
        encoding = _detect_encoding(content, resource)
    with _open_text(resource, member, encoding, limits) as text:
        first = text.readline(MAX_HEADER_CHARACTERS)
    # The list is delimited by tabs, the returns by commas.
    dialect = _TABS if "\t" in first else _COMMAS
    header = next(csv.reader([first], delimiter=dialect.delimiter), [])
    layout = context.layout([name for column in header if (name := normalize_whitespace(column)) is not None], resource)
    return CharityFile(resource, layout, member, encoding, dialect)


def _find_member(resource: Resource, limits: LoadLimits) -> str:
    with open_zip(resource, limits) as archive:
        names = [name for name in archive.namelist() if _LIST.search(name) is not None]
    if len(names) != 1:
        pattern = "Charities_results_*.txt"
        raise ParseFailed(
            Message(
                "{file}: the archive contains {count} {pattern} files; 1 is expected",
                file=resource.name,
                count=len(names),
                pattern=pattern,
            )
        )
    return names[0]


@contextmanager
def _open_bytes(resource: Resource, member: str | None, limits: LoadLimits) -> Iterator[IO[bytes]]:
    if member is None:
        with resource.path.open("rb") as content:
            yield content
        return
    with open_zip(resource, limits) as archive, open_member(archive, member, resource) as content:
        yield content


@contextmanager
def _open_text(resource: Resource, member: str | None, encoding: str, limits: LoadLimits) -> Iterator[io.TextIOWrapper]:
    with _open_bytes(resource, member, limits) as content, io.TextIOWrapper(content, encoding, newline="") as text:
        yield text


def _detect_encoding(content: IO[bytes], resource: Resource) -> str:
    """Return UTF-8 if the whole file is valid, else Latin-1, in which every byte is valid. Raises `ParseFailed` for binary data."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    encoding = "utf-8-sig"
    # The empty chunk at the end makes the decoder report an incomplete character.
    for chunk in chain(iter(partial(content.read, BUFFER_BYTES), b""), [b""]):
        if b"\0" in chunk:
            raise ParseFailed(Message("{file}: not a text file; it contains null bytes", file=resource.name))
        if encoding != "utf-8-sig":
            continue
        try:
            decoder.decode(chunk, final=chunk == b"")
        except UnicodeDecodeError:
            encoding = "iso-8859-1"
    return encoding
