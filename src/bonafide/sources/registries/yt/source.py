"""Parse the Yukon snapshot: one row for each registry number, including those of former names.

`records` builds the entries.
"""

import html
from collections.abc import Iterator, Sequence

from bonafide.i18n.message import Message
from bonafide.matching.entries.register_codes import parse_home_jurisdiction
from bonafide.model.entry import RegistryEntry
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.sources.formats.delimited_text import TableRow, read_csv
from bonafide.sources.framework.context import ParseContext, Resource
from bonafide.sources.registries.yt.records import YukonRecord, build_entries


def parse(resources: Sequence[Resource], context: ParseContext) -> Iterator[RegistryEntry]:
    """One entry for each record that is not a former name of another. All rows are read before the first entry is yielded."""
    yield from build_entries(_read_records(resources, context), context)


def _read_records(resources: Sequence[Resource], context: ParseContext) -> Iterator[YukonRecord]:
    seen: set[str] = set()
    for resource in resources:
        for _, row in read_csv(resource, context):
            try:
                record = _parse_record(row)
            except ValueError as error:
                context.reject(resource, row.line, error)
                continue
            if record.number in seen:
                context.reject(resource, row.line, Message("an earlier row has the same registration number"))
                continue
            seen.add(record.number)
            yield record


def _parse_record(row: TableRow) -> YukonRecord:
    """Raises `ValueError` for a row without number or name."""
    former, home = _unescape(row.get("former_name")), parse_home_jurisdiction(row.get("jurisdiction"), Jurisdiction.YT)
    return YukonRecord(row.need("number"), row.need("name"), former, row.get("kind"), home, row.get("status"))


def _unescape(value: str | None) -> str | None:
    """Unescape HTML entities, which only former names have in the file."""
    return html.unescape(value) if value is not None else None
