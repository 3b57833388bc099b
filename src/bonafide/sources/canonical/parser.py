"""Parse files in the canonical layout, the one documented form in which an operator can import data of any register.

CSV, JSON lines and Parquet are read, streamed row by row; `docs/reference/canonical-layout.md` is its page. It fetches nothing, and
knows no register's own layout.
"""

from collections.abc import Iterator, Sequence

from pydantic import ValidationError

from bonafide.model.entry import RegistryEntry
from bonafide.sources.canonical.entries import CanonicalRegister, build_entry
from bonafide.sources.canonical.fields import CanonicalFields
from bonafide.sources.canonical.files import CanonicalFormat, UnreadableCanonicalRow, detect_format, read_csv_header, read_records
from bonafide.sources.canonical.mapping import REQUIRED_COLUMNS, CanonicalMapping, load_mapping, to_snake_case
from bonafide.sources.framework.context import ParseContext, Resource

__all__ = ["CanonicalMapping", "is_canonical", "load_mapping", "parse_canonical"]


def is_canonical(resource: Resource) -> bool:
    """Whether a file is in the canonical layout and not in a register's own: whether its header has one of the required columns.

    JSON lines and Parquet are canonical by their format, since no register's own layout is either.
    """
    if detect_format(resource) is not CanonicalFormat.CSV:
        return True
    return any(to_snake_case(column) in REQUIRED_COLUMNS for column in read_csv_header(resource))


def parse_canonical(
    resources: Sequence[Resource], context: ParseContext, mapping: CanonicalMapping | None
) -> Iterator[RegistryEntry]:
    """One entry a row; a row that can't be read, or whose number was read before, is rejected with its reason.

    Raises `ParseFailed` for a file that is not in the layout. Of rows with the same number the first counts: so a file can be read
    in one pass and in bounded memory, and which row is the right one is not for a program to say.
    """
    mapping = mapping if mapping is not None else CanonicalMapping()
    register = CanonicalRegister.of(context, mapping)
    seen: set[str] = set()
    for resource in resources:
        for record in read_records(resource, mapping):
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
                context.reject(resource, record.line, "the registration number was read before")
                continue
            seen.add(entry.entry_id)
            yield entry


def _describe_error(error: ValueError) -> str:
    if isinstance(error, ValidationError):
        return f"{error.errors()[0]['loc'][0]} is not valid"
    return str(error)
