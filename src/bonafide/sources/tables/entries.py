"""Build the entry of a record, and merge the entries of rows that have the same ID."""

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from functools import partial
from string import Formatter
from typing import Any

from pydantic import JsonValue

from bonafide.model.entity import Address
from bonafide.model.entry import RegulatoryEntry
from bonafide.sources.formats.delimited_text import build_postal_address, build_street_line
from bonafide.sources.framework.context import ParseContext
from bonafide.sources.framework.table_metadata import ADDRESS_FIELDS, RepeatedRows, TableMetadata
from bonafide.sources.tables.records import TableRecord, parse_day, to_line

_TRUTHS = {"yes": True, "y": True, "no": False, "n": False}


class EntryBuilder:
    """Builds the entries of one load."""

    def __init__(self, context: ParseContext, table: TableMetadata) -> None:
        self._context = context
        self._table = table
        self._pattern = re.compile(table.street_pattern) if table.street_pattern is not None else None
        self._id_fields = [field for _, field, _, _ in Formatter().parse(table.entry_id or "") if field is not None]
        self._placed = tuple(field for field in ADDRESS_FIELDS if field not in table.defaults)
        readers: dict[str, Callable[[str, Any], JsonValue]] = {
            "string": _read_text,
            "date": partial(_read_day, formats=table.date_formats),
            "number": _read_number,
            "boolean": self._read_truth,
            "strings": self._read_list,
        }
        constants = table.defaults.keys() - {field for name in context.metadata.layouts for field in table.get_columns(name)}
        details = [(detail.key, readers[detail.type]) for detail in context.metadata.details]
        self._constants = {key: read(key, table.defaults[key]) for key, read in details if key in constants}
        self._details = [(key, read) for key, read in details if key not in constants]

    def build(self, record: TableRecord) -> RegulatoryEntry:
        """The entry. Raises `ValueError` that says what can't be read."""
        values = record.values
        names = (*_to_list(values["legal_name"]), *_to_list(values.get("alternate_names")))
        name, status, number = to_line(names[0]), record.text("status"), record.text("registration_number")
        code, url = values.get("status_code"), self._context.metadata.entry_url
        return RegulatoryEntry(
            entry_id=values.get("entry_id") or self._build_id(number, name, values),
            source_url=url.format(number=number) if url is not None and number is not None else None,
            legal_name=name,
            alternate_names=tuple(dict.fromkeys([other for other in names[1:] if other != name])) if len(names) > 1 else (),
            registration_number=number,
            join_numbers=values.get("join_numbers", ()),
            status=status,
            status_code=code if code is not None else self._context.status(status),
            addresses=values["addresses"] if "addresses" in values else self._build_addresses(values),
            details=self._build_details(values),
        )

    def _build_id(self, number: str | None, name: str, values: dict[str, Any]) -> str:
        if number is not None and not self._table.is_number_shared:
            return number
        if self._table.entry_id is None:
            raise ValueError("registration_number is empty")
        named = values | {"legal_name": name}
        parts = {field: str(named.get(field)).casefold() for field in self._id_fields}
        return self._table.entry_id.format_map(parts | {"registration_number": number})

    def _build_addresses(self, values: dict[str, Any]) -> tuple[Address, ...]:
        street, unit, city, province, postal_code, country = map(values.get, ADDRESS_FIELDS)
        if street is None and all(values.get(field) is None for field in self._placed):
            return ()
        if street is not None and not isinstance(street, str):
            street = ", ".join(street)
        if self._pattern is not None:
            street, unit = self._split_street(street, unit)
        line = build_street_line(unit, street)
        if self._table.is_address_verbatim:
            raw = ", ".join(part for part in (line, city, province, postal_code) if part is not None)
            return (Address(street=line, city=city, province=province, postal_code=postal_code, country=country, raw=raw),)
        address = build_postal_address(street=line, city=city, province=province, postal_code=postal_code, country=country)
        return (address,) if address is not None else ()

    def _split_street(self, street: str | None, unit: str | None) -> tuple[str | None, str | None]:
        found = self._pattern.fullmatch(street) if self._pattern is not None and street is not None else None
        if found is None:
            return street, unit
        parts = found.groupdict()
        return " ".join(part for part in (parts.get("house"), parts["street"]) if part is not None), parts.get("unit")

    def _build_details(self, values: dict[str, Any]) -> dict[str, JsonValue]:
        details = self._constants.copy()
        for key, read in self._details:
            value = values.get(key)
            if value is not None and (found := read(key, value)) is not None:
                details[key] = found
        return details

    def _read_truth(self, key: str, value: Any) -> bool | None:
        return value if isinstance(value, bool) else _TRUTHS.get(self._context.term(_read_text(key, value)).casefold())

    def _read_list(self, _: str, value: Any) -> list[JsonValue] | None:
        separator = self._table.list_separator
        items = value if separator is None or isinstance(value, list) else (part.strip(" ,") for part in value.split(separator))
        return [item for item in dict.fromkeys(_to_list(items)) if item] or None


def _to_list(value: Any) -> Sequence[Any]:
    if value is None:
        return ()
    return (value,) if isinstance(value, str) else tuple(value)


def _read_text(key: str, value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(f"the {key} is not text")  # noqa: TRY004 - the data's mistake, not the code's
    return to_line(value)


def _read_number(key: str, value: Any) -> float:
    try:
        return float(value)
    except (ValueError, TypeError):
        raise ValueError(f"the {key} is not a number") from None


def _read_day(_: str, value: Any, formats: Sequence[str]) -> str | None:
    return value.isoformat() if isinstance(value, date) else parse_day(value, formats).isoformat()


# ------------------------------------------------------------------------------------------------------------ further rows


def merge_entries(
    first: RegulatoryEntry, other: RegulatoryEntry, rule: RepeatedRows, *, names_differ: bool = True
) -> RegulatoryEntry:
    """The first entry with what another row of it adds, by the rule. `names_differ` is False where the name is part of the ID."""
    names = (*first.alternate_names, *((other.legal_name,) if names_differ else ()), *other.alternate_names)
    return first.model_copy(
        update={
            "alternate_names": tuple(name for name in dict.fromkeys(names) if name != first.legal_name),
            "join_numbers": tuple(dict.fromkeys((*first.join_numbers, *other.join_numbers))),
            "addresses": tuple(dict.fromkeys((*first.addresses, *other.addresses))),
            "details": dict(_merge_details(first.details, other.details, rule)),
        }
    )


def _merge_details(first: dict[str, JsonValue], other: dict[str, JsonValue], rule: RepeatedRows) -> Iterator[tuple[str, JsonValue]]:
    yield from first.items()
    if rule is RepeatedRows.NAMES_AND_PLACES:
        return
    for key, value in other.items():
        known = first.get(key)
        if known is None:
            yield key, value
        elif rule is RepeatedRows.COMBINE and isinstance(known, list) and isinstance(value, list):
            yield key, list(dict.fromkeys([*map(str, known), *map(str, value)]))
