"""Cannabis stores of British Columbia: one entry a licence, by the store's name; the government's stores are one entry together.

It reads what the publisher's map is drawn from, and the two tables that the map offers. Who operates a store is not guessed.
"""

import codecs
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pydantic import JsonValue

from bonafide.model.entity import Address
from bonafide.model.entry import RegulatoryEntry
from bonafide.sources.formats.delimited_text import build_postal_address, normalize_whitespace, open_text, read_csv
from bonafide.sources.formats.json_objects import JsonObject, read_objects
from bonafide.sources.framework.context import ParseContext, Resource

ENCODING = "utf-8-sig"
_OPEN, _NOT_YET = "Open", "Coming Soon"
_PUBLIC = "public store"
"""What stands in place of a licence number where the government keeps the store."""
_BEGINNING_BYTES = 256
_TABLE = {"name": "Name", "license": "License", "phone": "Phone", "street": "Address", "city": "City", "postal_code": "Postal"}
_COLUMNS: Mapping[str, Mapping[str, str]] = {
    "map": {
        "name": "name",
        "license": "license",
        "phone": "phone",
        "street": "addressStreet",
        "city": "addressCity",
        "postal_code": "addressPostal",
        "id": "id",
        "latitude": "latitude",
        "longitude": "longitude",
        "is_open": "isOpen",
    },
    "map_csv": {**_TABLE, "name": "Establishment Name", "license": "Licence", "status": "Status"},
    "map_json": {**_TABLE, "status": "Status"},
}

_Cells = Mapping[str, Any]
"""A store under our names, as the file has it; a name that its layout does not have is absent."""


def parse(resources: Sequence[Resource], context: ParseContext) -> Iterator[RegulatoryEntry]:
    """The stores of all files."""
    stores: dict[str, RegulatoryEntry] = {}
    for resource in resources:
        for entry in _read_entries(resource, context):
            known = stores.get(entry.entry_id)
            if known is not None:
                context.merge()
            stores[entry.entry_id] = entry if known is None else _merge_entries(known, entry)
    yield from stores.values()


def _read_entries(resource: Resource, context: ParseContext) -> Iterator[RegulatoryEntry]:
    for line, cells in (_read_objects if _is_json(resource) else _read_rows)(resource, context):
        try:
            yield _build_entry(cells, context)
        except ValueError as error:
            context.reject(resource, line, str(error))


def _is_json(resource: Resource) -> bool:
    with resource.path.open("rb") as file:
        return file.read(_BEGINNING_BYTES).removeprefix(codecs.BOM_UTF8).lstrip().startswith(b"[")


def _read_rows(resource: Resource, context: ParseContext) -> Iterator[tuple[int, _Cells]]:
    for layout, row in read_csv(resource, context, encoding=ENCODING):
        yield row.line, {name: row.get(column) for name, column in _COLUMNS[layout].items()}


def _read_objects(resource: Resource, context: ParseContext) -> Iterator[tuple[int, _Cells]]:
    with open_text(resource, ENCODING) as text:
        stores: list[JsonObject] = list(read_objects(text, resource.name))
    layout = context.layout(list(dict.fromkeys(key for store in stores for key in store)), resource)
    for place, store in enumerate(stores, start=1):
        context.row()
        yield place, {name: store.get(key) for name, key in _COLUMNS[layout].items()}


def _build_entry(cells: _Cells, context: ParseContext) -> RegulatoryEntry:
    name, licence = _read_text(cells, "name"), _read_text(cells, "license")
    if name is None:
        raise ValueError("the store has no name")
    if licence is None:
        raise ValueError("the store has no licence number")
    is_public = licence.casefold() == _PUBLIC
    status = _read_status(cells)
    address = _build_address(cells)
    return RegulatoryEntry(
        entry_id=name.casefold() if is_public else licence,
        legal_name=name,
        registration_number=licence if not is_public else None,
        status=status,
        status_code=context.status(status),
        addresses=(address,) if address is not None else (),
        details=_build_details(cells, is_public=is_public),
    )


def _read_text(cells: _Cells, name: str) -> str | None:
    """Raises `ValueError` for what is no text."""
    value = cells.get(name)
    if value is not None and not isinstance(value, str):
        raise ValueError(f"the {name} is not text")
    return normalize_whitespace(value)


def _read_status(cells: _Cells) -> str | None:
    """The list's word, or the one that its tables have for what the map has as a switch. Raises `ValueError`."""
    if "is_open" not in cells:
        return _read_text(cells, "status")
    words = {"True": _OPEN, "False": _NOT_YET}
    word = words.get(str(cells["is_open"]))
    if word is None:
        raise ValueError("isOpen is neither true nor false")
    return word


def _build_address(cells: _Cells) -> Address | None:
    street, city, postal_code = (_read_text(cells, name) for name in ("street", "city", "postal_code"))
    if street is None and city is None:
        return None
    return build_postal_address(street=street, city=city, province="BC", postal_code=postal_code, country="CA")


def _build_details(cells: _Cells, *, is_public: bool) -> dict[str, JsonValue]:
    details: dict[str, JsonValue] = {"nameType": "trade"}
    if is_public:
        # All of them together: a telephone or a point on the map is one store's of forty.
        details |= {"publicStore": True}
    else:
        details |= {
            "phone": _read_text(cells, "phone"),
            "latitude": _read_number(cells, "latitude"),
            "longitude": _read_number(cells, "longitude"),
            "establishmentId": _read_text(cells, "id"),
        }
    return {key: value for key, value in details.items() if value is not None}


def _read_number(cells: _Cells, name: str) -> float | None:
    value = cells.get(name)
    if value is not None and (isinstance(value, bool) or not isinstance(value, int | float)):
        raise ValueError(f"the {name} is not a number")
    return float(value) if value is not None else None


def _merge_entries(first: RegulatoryEntry, other: RegulatoryEntry) -> RegulatoryEntry:
    """The first with the names and places that the other adds; open where one of them is."""
    names = [name for name in (*first.alternate_names, other.legal_name) if name != first.legal_name]
    opened = next((entry for entry in (first, other) if entry.status == _OPEN), first)
    return first.model_copy(
        update={
            "alternate_names": tuple(dict.fromkeys(names)),
            "status": opened.status,
            "status_code": opened.status_code,
            "addresses": tuple(dict.fromkeys((*first.addresses, *other.addresses))),
        }
    )
