"""The canonical layout: one documented form in which an operator imports a file that they lawfully hold, for any register.

CSV, JSON lines and Parquet are read, streamed row by row; `docs/reference/canonical-layout.md` is its page. It fetches nothing, and
knows no register's own layout.
"""

from collections.abc import Iterator, Sequence

from pydantic import ValidationError

from bonafide.model.entry import RegistryEntry
from bonafide.sources.canonical_columns import REQUIRED, snake_case
from bonafide.sources.canonical_entry import Register, build_entry
from bonafide.sources.canonical_fields import Fields
from bonafide.sources.canonical_files import BadRecord, Format, file_format, first_csv_header, read_records
from bonafide.sources.canonical_mapping import Mapping, load_mapping
from bonafide.sources.context import ParseContext, Resource

__all__ = ["Mapping", "is_canonical", "load_mapping", "parse_canonical"]


def is_canonical(resource: Resource) -> bool:
    """Whether a file is in the canonical layout and not in a register's own: whether its header has one of the required columns.

    JSON lines and Parquet are canonical by their format, since no register's own layout is either.
    """
    if file_format(resource) is not Format.CSV:
        return True
    return any(snake_case(column) in REQUIRED for column in first_csv_header(resource))


def parse_canonical(resources: Sequence[Resource], context: ParseContext, mapping: Mapping | None) -> Iterator[RegistryEntry]:
    """One entry a row; a row that can't be read, or whose number was read before, is rejected with its reason.

    Raises `ParseFailed` for a file that is not in the layout. Of rows with the same number the first counts: so a file can be read
    in one pass and in bounded memory, and which row is the right one is not for a program to say.
    """
    mapping = mapping if mapping is not None else Mapping()
    register = Register.of(context, mapping)
    seen: set[str] = set()
    for resource in resources:
        for record in read_records(resource, mapping):
            context.row()
            if isinstance(record, BadRecord):
                context.reject(resource, record.line, record.reason)
                continue
            try:
                entry = build_entry(Fields(record.values, mapping), register)
            except ValueError as error:
                context.reject(resource, record.line, _reason(error))
                continue
            if entry.entry_id in seen:
                context.reject(resource, record.line, "the registration number was read before")
                continue
            seen.add(entry.entry_id)
            yield entry


def _reason(error: ValueError) -> str:
    if isinstance(error, ValidationError):
        return f"{error.errors()[0]['loc'][0]} is not valid"
    return str(error)
