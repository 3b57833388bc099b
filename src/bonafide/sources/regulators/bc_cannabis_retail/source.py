"""Cannabis stores of British Columbia: one entry a licence, by the store's name; the government's stores are one entry together.

It reads what the publisher's map is drawn from, and the two tables that the map offers. Who operates a store is not guessed.
"""

import codecs
from collections.abc import Iterator, Sequence

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
_SWITCHES = {True: _OPEN, False: "Coming Soon"}
"""The map has a switch where the tables have a status."""
_PUBLIC = "public store"
"""What the list has in place of a licence number where the government keeps the store."""
_OF_ONE_STORE = ("registration_number", "phone", "latitude", "longitude", "establishmentId")
_BEGINNING_BYTES = 256


def parse(resources: Sequence[Resource], context: ParseContext) -> Iterator[RegulatoryEntry]:
    """The stores of all files."""
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
    for place, store in enumerate(stores, start=1):
        context.row()
        yield layout, create_table_row(place, store, columns)


def _complete(record: TableRecord, _: ParseContext) -> None:
    """Put a word in place of the switch, and take what is one store's from the entry of all public stores."""
    name, licence, values = record.text("legal_name"), record.text("registration_number"), record.values
    if name is None:
        raise ValueError("the store has no name")
    if licence is None:
        raise ValueError("the store has no licence number")
    if record.layout == "map":
        if not isinstance(values["status"], bool):
            raise ValueError("isOpen is neither true nor false")
        values["status"] = _SWITCHES[values["status"]]
        for field in ("latitude", "longitude"):
            if isinstance(values[field], str):
                raise ValueError(f"the {field} is not a number")  # noqa: TRY004 - the data's mistake, not the code's
    if licence.casefold() == _PUBLIC:
        values |= {"publicStore": True, "entry_id": name.casefold(), **dict.fromkeys(_OF_ONE_STORE)}


def _merge(first: RegulatoryEntry, other: RegulatoryEntry) -> RegulatoryEntry:
    """The first with the names and places that the other adds; open where one of them is."""
    opened = next((entry for entry in (first, other) if entry.status == _OPEN), first)
    status = {"status": opened.status, "status_code": opened.status_code}
    return merge_entries(first, other, RepeatedRows.NAMES_AND_PLACES).model_copy(update=status)
