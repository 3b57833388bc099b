"""Statistics Canada's Open Database of Businesses: one entry a row, once where rows say the same.

The main file is read, in the archive or by itself as a person has unpacked it, with each marker of a missing value as None. It
does not decide whether a name is a business's or a person's: a sole trader's own name has nothing that would tell.
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

MAX_ENTRIES = 4_000_000
"""Nine times the entries of version 1; of each some 150 bytes are kept until the end, to know it again."""
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
    """The archive, dated to when the lists were gathered: its server has the day of publication. Raises a `SourceError`."""
    got = await context.download(context.metadata.resource("archive"))
    return [replace(got, as_of=context.metadata.snapshot_as_of)]


def parse(resources: Sequence[Resource], context: ParseContext) -> Iterator[ListingEntry]:
    """The businesses of all files. Raises `ParseFailed`."""
    context.note(f"a snapshot of {context.metadata.snapshot_as_of}, not renewed: weak evidence of then, and never of today")
    # Columns that are not read are part of the row no more than its id: they make no other entry.
    said = [column for column in context.metadata.layouts["main"].columns if column != ID]
    ids, sayings = _SeenTexts(), _SeenTexts()
    for resource in resources:
        for part, row in read_rows(resource, context):
            try:
                entry = _build_entry(row, context)
            except ValueError as error:
                context.reject(part, row.line, str(error))
                continue
            if not sayings.add("\n".join([row.get(column) or "" for column in said])):
                context.merge()
            elif not ids.add(entry.entry_id):
                context.reject(part, row.line, f"the {ID} was read before")
            else:
                yield entry


class _SeenTexts:
    """Texts known again by eight bytes each: of four million, two would be taken for each other once in two million files."""

    def __init__(self) -> None:
        self._digests: set[int] = set()

    def add(self, text: str) -> bool:
        """Whether the text is new. Raises `ParseFailed` when there are more than `MAX_ENTRIES`."""
        digest = int.from_bytes(blake2b(text.encode(), digest_size=8).digest())
        if digest in self._digests:
            return False
        if len(self._digests) >= MAX_ENTRIES:
            raise ParseFailed(f"more than {MAX_ENTRIES:,} businesses")
        self._digests.add(digest)
        return True


def _build_entry(row: TableRow, context: ParseContext) -> ListingEntry:
    names = dict.fromkeys(name for name in (row.get("business_name"), row.get("alt_business_name")) if name is not None)
    usable = [name for name in names if any(map(str.isalnum, name))]
    if not usable:
        raise ValueError("no name with a letter or a digit")
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
    """The parts; where the street was not taken apart, the whole address as the list gives it stands for it."""
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
            # The database was made with a program that takes codes for numbers.
            return details | {"naicsCode": code.removesuffix(".0"), "naicsOrigin": origin}
    return details


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
