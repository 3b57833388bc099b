"""Cannabis stores of British Columbia: one entry for each licence, by store name. All government stores are one entry.

It reads the data behind the publisher's map and the two tables that the map offers. The operator of a store is not published.
"""

import codecs
from collections.abc import Iterator, Sequence

from bonafide.i18n.message import Message
from bonafide.model.entry import RegulatoryEntry
from bonafide.sources.formats.delimited_text import TableRow, open_text, read_csv
from bonafide.sources.formats.json_objects import JsonObject, create_table_row, read_objects
from bonafide.sources.framework.context import ParseContext, Resource
from bonafide.sources.framework.table_metadata import RepeatedRows
from bonafide.sources.tables.entries import merge_entries
from bonafide.sources.tables.parser import parse_table
from bonafide.sources.tables.records import TableRecord

ENCODING = "utf-8-sig"
_OPEN = "Open"
_STATUSES = {True: _OPEN, False: "Coming Soon"}
"""The map has a boolean where the tables have a status."""
_PUBLIC = "public store"
"""The list has this in place of a licence number for stores of the government."""
_OF_ONE_STORE = ("registration_number", "phone", "latitude", "longitude", "establishmentId")
_BEGINNING_BYTES = 256


def parse(resources: Sequence[Resource], context: ParseContext) -> Iterator[RegulatoryEntry]:
    """Yield the stores of all files."""
    return parse_table(resources, context, read=_read_rows, complete=_complete, merge=_merge)


def _read_rows(resource: Resource, context: ParseContext) -> Iterator[tuple[str, TableRow]]:
    with resource.path.open("rb") as file:
        is_json = file.read(_BEGINNING_BYTES).removeprefix(codecs.BOM_UTF8).lstrip().startswith(b"[")
    if not is_json:
        yield from read_csv(resource, context, encoding=ENCODING)
        return
    with open_text(resource, ENCODING) as text:
        stores: list[JsonObject] = list(read_objects(text, resource.name))
    layout = context.layout(list(dict.fromkeys(key for store in stores for key in store)), resource)
    columns = context.metadata.layouts[layout].columns
    for position, store in enumerate(stores, start=1):
        context.row()
        yield layout, create_table_row(position, store, columns)


def _complete(record: TableRecord, _: ParseContext) -> None:
    """Replace the boolean by a status word, and remove what belongs to a single store from the entry of all public stores."""
    name, licence, values = record.text("legal_name"), record.text("registration_number"), record.values
    if name is None:
        raise ValueError(Message("the store has no name"))
    if licence is None:
        raise ValueError(Message("the store has no licence number"))
    if record.layout == "map":
        if not isinstance(values["status"], bool):
            raise ValueError(Message("{column} is neither true nor false", column="isOpen"))
        values["status"] = _STATUSES[values["status"]]
        for field in ("latitude", "longitude"):
            if isinstance(values[field], str):
                raise ValueError(Message("{column} is not a number", column=field))  # noqa: TRY004 - an error of the data, not of the code
    if licence.casefold() == _PUBLIC:
        values |= {"publicStore": True, "entry_id": name.casefold(), **dict.fromkeys(_OF_ONE_STORE)}


def _merge(first: RegulatoryEntry, other: RegulatoryEntry) -> RegulatoryEntry:
    """Add the names and addresses of the other to the first. The entry is open if either is."""
    opened = next((entry for entry in (first, other) if entry.status == _OPEN), first)
    status = {"status": opened.status, "status_code": opened.status_code}
    return merge_entries(first, other, RepeatedRows.NAMES_AND_PLACES).model_copy(update=status)
