"""Canadian entities of the Global LEI index, from the golden copy: the CSV is downloaded, and the XML can be imported."""

import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import date
from typing import IO, Any, cast

from bonafide.errors import ParseFailed, UpstreamFailed
from bonafide.i18n.message import Message
from bonafide.model.entry import RegulatoryEntry
from bonafide.sources.formats.json_objects import parse_strict_json
from bonafide.sources.formats.zip_archive import is_zip, open_member, open_zip
from bonafide.sources.framework.context import FetchContext, ParseContext, Resource
from bonafide.sources.framework.downloads import is_https_below
from bonafide.sources.framework.load_limits import LoadLimits
from bonafide.sources.framework.metadata import ResourceMetadata
from bonafide.sources.regulators.gleif.golden_copy import BUFFER_BYTES, LeiRecord, read_document, read_table
from bonafide.sources.regulators.gleif.lei_entry import build_entry

_XML_PREFIXES = (b"<", b"\xef\xbb\xbf<")


async def fetch(context: FetchContext) -> list[Resource]:
    """Download the newest golden copy. Raises `SourceError`, also if the file does not have the published size."""
    index = context.metadata.resource("publications")
    publication = find_newest(await context.read(index.url), f"{context.metadata.key}: {index.name}")
    got = await context.download(ResourceMetadata(name="golden_copy", url=publication.url, format="zip"))
    if publication.size is not None and got.size != publication.size:
        raise UpstreamFailed(
            Message("the golden copy has {size:,} bytes instead of {expected:,}", size=got.size, expected=publication.size)
        )
    return [replace(got, as_of=publication.day if publication.day is not None else got.as_of)]


def parse(resources: Sequence[Resource], context: ParseContext) -> Iterator[RegulatoryEntry]:
    """Yield every Canadian entity once."""
    seen: set[str] = set()
    for resource in resources:
        for record in _read_records(resource, context):
            context.row()
            try:
                entry = build_entry(record.cells, context)
            except ValueError as error:
                context.reject(record.resource, record.line, error)
                continue
            if entry.entry_id in seen:
                context.reject(record.resource, record.line, Message("the LEI is not unique"))
                continue
            seen.add(entry.entry_id)
            yield entry


def _read_records(resource: Resource, context: ParseContext) -> Iterator[LeiRecord]:
    with _open_golden_copy(resource, context.metadata.limits) as (file, part):
        is_xml = file.peek(len(_XML_PREFIXES[-1])).startswith(_XML_PREFIXES)
        yield from (read_document if is_xml else read_table)(file, part, context)


@contextmanager
def _open_golden_copy(resource: Resource, limits: LoadLimits) -> Iterator[tuple[io.BufferedReader, Resource]]:
    """Open the file, or the only file inside the archive, and name it. Raises `ParseFailed`."""
    if not is_zip(resource):
        with resource.path.open("rb", buffering=0) as file:
            yield io.BufferedReader(file, BUFFER_BYTES), resource
        return
    with open_zip(resource, limits) as archive:
        names = [name for name in archive.namelist() if name.lower().endswith((".csv", ".xml"))]
        if len(names) != 1:
            raise ParseFailed(
                Message(
                    "{file}: the archive contains {count} CSV or XML files; 1 is expected", file=resource.name, count=len(names)
                )
            )
        with open_member(archive, names[0], resource) as member:
            yield _open_buffered(member), replace(resource, name=f"{resource.name}/{names[0]}")


def _open_buffered(member: IO[bytes]) -> io.BufferedReader:
    """The archive's own reader finds line ends in Python, at a tenth of the speed."""
    return io.BufferedReader(cast("io.RawIOBase", member), BUFFER_BYTES)


HOST = "gleif.org"


@dataclass(frozen=True, slots=True)
class GoldenCopyPublication:
    """The CSV file of all entities in one publication. `day` and `size` (bytes) are None if not published."""

    url: str
    day: date | None
    size: int | None


def find_newest(body: bytes, name: str) -> GoldenCopyPublication:
    """Return the newest publication. Raises `ParseFailed` for an unexpected format, or a file on another host."""
    try:
        data: Any = parse_strict_json(body)["data"]
        publication = data[0] if isinstance(data, list) else data
        file = publication["lei2"]["full_file"]["csv"]
        url, size = str(file["url"]), file.get("size")
        day = str(publication.get("publish_date") or publication["lei2"].get("publish_date") or "")
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise ParseFailed(
            Message("{file}: unexpected format: {detail}", file=name, detail=f"{type(error).__name__}: {error}")
        ) from error
    if not is_https_below(url, HOST):
        raise ParseFailed(Message("{file}: {url} is not an address at {host}", file=name, url=url, host=HOST))
    return GoldenCopyPublication(url, _parse_day(day), size if isinstance(size, int) else None)


def _parse_day(text: str) -> date | None:
    try:
        return date.fromisoformat(text[:10])
    except ValueError:
        return None
