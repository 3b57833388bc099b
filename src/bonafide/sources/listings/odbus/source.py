"""Parse Statistics Canada's Open Database of Businesses: one entry for each row, without duplicates.

The main file is read from the archive or by itself. Names of sole traders are not distinguished from names of businesses.
"""

import io
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from hashlib import blake2b
from typing import IO, cast

from pydantic import JsonValue

from bonafide.errors import ParseFailed
from bonafide.i18n.message import Message
from bonafide.model.entity import Address
from bonafide.model.entry import ListingEntry
from bonafide.sources.formats.delimited_text import (
    DelimitedDialect,
    TableRow,
    build_postal_address,
    build_street_line,
    normalize_cells,
    read_delimited,
)
from bonafide.sources.formats.zip_archive import is_zip, open_member, open_zip
from bonafide.sources.framework.context import FetchContext, ParseContext, Resource
from bonafide.sources.framework.load_limits import LoadLimits

MAX_ENTRIES = 4_000_000
"""Nine times the entries of version 1. About 150 bytes of each are kept in memory to detect duplicates."""
ID = "idx"
_DETAILS = {
    "sector": "business_sector",
    "subsector": "business_subsector",
    "description": "business_description",
    "naicsDescription": "NAICS_descr",
    "licenceNumber": "licence_number",
    "licenceType": "licence_type",
    "employees": "total_no_employees",
    "provider": "provider",
    "geoSource": "geo_source",
    "csdName": "CSDNAME",
}


async def fetch(context: FetchContext) -> list[Resource]:
    """Download the archive, dated to the collection of the lists and not to the publication. Raises a `SourceError`."""
    got = await context.download(context.metadata.resource("archive"))
    return [replace(got, as_of=context.metadata.snapshot_as_of)]


def parse(resources: Sequence[Resource], context: ParseContext) -> Iterator[ListingEntry]:
    """The businesses of all files. Raises `ParseFailed`."""
    snapshot = Message("snapshot of {date}, not updated: weak evidence, and not current", date=str(context.metadata.snapshot_as_of))
    context.note(snapshot)
    # Rows that differ only in the ID or in columns that are not read are duplicates.
    compared = [column for column in context.metadata.layouts["main"].columns if column != ID]
    ids, rows = _SeenTexts(), _SeenTexts()
    for resource in resources:
        for part, row in read_rows(resource, context):
            try:
                entry = _build_entry(row, context)
            except ValueError as error:
                context.reject(part, row.line, error)
                continue
            if not rows.add("\n".join([row.get(column) or "" for column in compared])):
                context.merge()
            elif not ids.add(entry.entry_id):
                context.reject(part, row.line, Message("an earlier row has the same {column}", column=ID))
            else:
                yield entry


class _SeenTexts:
    """A set of texts by eight-byte digests. With four million texts, the probability of a collision is one in two million."""

    def __init__(self) -> None:
        self._digests: set[int] = set()

    def add(self, text: str) -> bool:
        """Add a text and return whether it is new. Raises `ParseFailed` for more than `MAX_ENTRIES`."""
        digest = int.from_bytes(blake2b(text.encode(), digest_size=8).digest())
        if digest in self._digests:
            return False
        if len(self._digests) >= MAX_ENTRIES:
            raise ParseFailed(Message("the file has more than {limit:,} businesses", limit=MAX_ENTRIES))
        self._digests.add(digest)
        return True


def _build_entry(row: TableRow, context: ParseContext) -> ListingEntry:
    names = dict.fromkeys(name for name in (row.get("business_name"), row.get("alt_business_name")) if name is not None)
    usable = [name for name in names if any(map(str.isalnum, name))]
    if not usable:
        raise ValueError(Message("the row has no name with a letter or a digit"))
    status, address = row.get("status"), _build_address(row)
    return ListingEntry(
        entry_id=row.need(ID),
        legal_name=usable[0],
        alternate_names=tuple(usable[1:]),
        status=status,
        status_code=context.status(status),
        addresses=(address,) if address is not None else (),
        details=_build_details(row),
    )


def _build_address(row: TableRow) -> Address | None:
    """The address from its parts, with the full address as the street if the parts have none."""
    parts = [row.get(column) for column in ("street_no", "street_name", "street_type", "street_direction")]
    street = " ".join([part for part in parts if part is not None]) or None
    province = row.get("prov_terr")
    return build_postal_address(
        street=build_street_line(row.get("unit"), street) if street is not None else row.get("full_address"),
        city=row.get("city"),
        province=province,
        postal_code=row.get("postal_code"),
        country="CA" if province is not None else None,
    )


def _build_details(row: TableRow) -> dict[str, JsonValue]:
    details: dict[str, JsonValue] = {key: value for key, column in _DETAILS.items() if (value := row.get(column)) is not None}
    for origin, column in (("source", "source_NAICS_primary"), ("derived", "derived_NAICS")):
        code = row.get(column)
        if code is not None:
            # Some codes in the database were converted to floats.
            return details | {"naicsCode": code.removesuffix(".0"), "naicsOrigin": origin}
    return details


ENCODING = "utf-8-sig"
BUFFER_BYTES = 1 << 20
_MAIN = re.compile(r"(?:.*/)?ODBus_v[\d.]+\.csv", re.IGNORECASE)
_MISSING = frozenset({"..", "NOT AVAILABLE"})
"""The marker of missing values in the database, and one from a list."""


def read_rows(resource: Resource, context: ParseContext) -> Iterator[tuple[Resource, TableRow]]:
    """The rows with the right number of cells, and their file. Raises `ParseFailed` for a file that is or has no main file."""
    with (
        _open_main_file(resource, context.metadata.limits) as (content, part),
        io.TextIOWrapper(content, ENCODING, newline="") as text,
    ):
        try:
            for _, row in read_delimited(text, part, context, DelimitedDialect(cells=_drop_missing_markers)):
                yield part, row
        except UnicodeDecodeError as error:
            problem = Message(
                "{file}: not {encoding}: {reason} at byte {byte}",
                file=part.name,
                encoding=ENCODING,
                reason=error.reason,
                byte=error.start,
            )
            raise ParseFailed(problem) from error


def _drop_missing_markers(cells: list[str]) -> list[str | None]:
    return [None if cell in _MISSING else cell for cell in normalize_cells(cells)]


@contextmanager
def _open_main_file(resource: Resource, limits: LoadLimits) -> Iterator[tuple[IO[bytes], Resource]]:
    if not is_zip(resource):
        with resource.path.open("rb") as content:
            yield content, resource
        return
    with open_zip(resource, limits) as archive:
        names = [name for name in archive.namelist() if _MAIN.fullmatch(name) is not None]
        if len(names) != 1:
            raise ParseFailed(
                Message("{file}: the archive has {count} files ODBus_v*.csv; one is expected", file=resource.name, count=len(names))
            )
        with open_member(archive, names[0], resource) as member:
            # The reader of `zipfile` finds line ends in Python, which is ten times slower.
            content = io.BufferedReader(cast("io.RawIOBase", member), BUFFER_BYTES)
            yield content, replace(resource, name=f"{resource.name}/{names[0]}")
