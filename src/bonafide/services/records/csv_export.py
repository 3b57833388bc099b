"""List business records, and export them as CSV."""

import csv
import io
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass
from uuid import UUID

from bonafide.model.records.business_record import BusinessRecord
from bonafide.model.search.result import Pagination
from bonafide.runtime import Runtime
from bonafide.services.records.csv_columns import EXPORTED, to_cells
from bonafide.services.records.csv_lines import BYTE_ORDER_MARK
from bonafide.store.records import businesses
from bonafide.store.records.businesses import RecordFilter

BATCH_SIZE = 500
"""Records read, and sent, at a time."""


@dataclass(frozen=True, slots=True)
class CsvLayout:
    """How a file of CSV is laid out: the sign between cells, and whether it begins with a byte order mark.

    Without the mark Excel reads a file in the system's own encoding and spoils every accent.
    """

    delimiter: str = ","
    is_marked: bool = True


async def list_records(
    runtime: Runtime, organization_id: UUID, chosen: RecordFilter, limit: int, offset: int
) -> tuple[list[BusinessRecord], Pagination]:
    """A page of the organization's records, newest change first."""
    async with runtime.store.read_lagging() as connection:
        documents, total = await businesses.list_newest(connection, organization_id, chosen, limit, offset)
    has_more = offset + len(documents) < total
    records = [BusinessRecord.model_validate_json(document) for document in documents]
    return records, Pagination(total=total, limit=limit, offset=offset, has_more=has_more)


async def export_records(runtime: Runtime, organization_id: UUID, chosen: RecordFilter, layout: CsvLayout) -> AsyncIterator[bytes]:
    """The organization's records as CSV in pieces, each record once; one that changes meanwhile is there before or after."""
    delimiter = layout.delimiter
    yield format_csv([EXPORTED], delimiter, is_marked=layout.is_marked)
    last: UUID | None = None
    while True:
        async with runtime.store.read_lagging() as connection:
            found = await businesses.list_after(connection, organization_id, chosen, last, BATCH_SIZE)
        if found:
            yield format_csv((to_cells(BusinessRecord.model_validate_json(document)) for _, document in found), delimiter)
        if len(found) < BATCH_SIZE:
            return
        last = found[-1][0]


def format_csv(rows: Iterable[Iterable[str]], delimiter: str, *, is_marked: bool = False) -> bytes:
    """Rows of cells as CSV in UTF-8, with the line ends of RFC 4180. Lone surrogates become the bytes that they were read from."""
    text = io.StringIO(newline="")
    text.write(BYTE_ORDER_MARK if is_marked else "")
    csv.writer(text, delimiter=delimiter, lineterminator="\r\n").writerows(rows)
    return text.getvalue().encode(errors="surrogateescape")
