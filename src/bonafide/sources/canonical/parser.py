"""Parse files in the canonical layout, in which an operator can import data of any register.

CSV, JSON lines and Parquet files are streamed row by row. `docs/reference/canonical-layout.md` describes the layout.
"""

from collections.abc import Iterator, Sequence

from pydantic import ValidationError

from bonafide.i18n.message import Message
from bonafide.model.entry import RegistryEntry
from bonafide.sources.canonical.entries import CanonicalRegister, build_entry
from bonafide.sources.canonical.fields import CanonicalFields
from bonafide.sources.canonical.files import CanonicalFormat, UnreadableCanonicalRow, detect_format, read_csv_header, read_records
from bonafide.sources.canonical.mapping import REQUIRED_COLUMNS, CanonicalMapping, load_mapping, to_snake_case
from bonafide.sources.framework.context import ParseContext, Resource, get_reason

__all__ = ["CanonicalMapping", "is_canonical", "load_mapping", "parse_canonical"]


def is_canonical(resource: Resource) -> bool:
    """Whether a file is in the canonical layout: whether its header has one of the required columns.

    JSON lines and Parquet files are always canonical, because no register's own layout uses these formats.
    """
    if detect_format(resource) is not CanonicalFormat.CSV:
        return True
    return any(to_snake_case(column) in REQUIRED_COLUMNS for column in read_csv_header(resource))


def parse_canonical(
    resources: Sequence[Resource], context: ParseContext, mapping: CanonicalMapping | None
) -> Iterator[RegistryEntry]:
    """One entry for each row. Unreadable rows, and further rows with the same number, are rejected.

    Raises `ParseFailed` for a file that is not in the layout. The first of several rows with the same number is kept, so that a
    file is read in one pass and in bounded memory.
    """
    mapping = mapping if mapping is not None else CanonicalMapping()
    register = CanonicalRegister.of(context, mapping)
    seen: set[str] = set()
    for resource in resources:
        for record in read_records(resource, mapping, context.metadata.limits):
            context.row()
            if isinstance(record, UnreadableCanonicalRow):
                context.reject(resource, record.line, record.reason)
                continue
            try:
                entry = build_entry(CanonicalFields(record.values, mapping), register)
            except ValueError as error:
                context.reject(resource, record.line, _describe_error(error))
                continue
            if entry.entry_id in seen:
                context.reject(resource, record.line, Message("an earlier row has the same registration number"))
                continue
            seen.add(entry.entry_id)
            yield entry


def _describe_error(error: ValueError) -> Message:
    if isinstance(error, ValidationError):
        return Message("{column} is not valid", column=str(error.errors()[0]["loc"][0]))
    return get_reason(error)
