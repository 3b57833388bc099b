"""Build the entry of a record, and merge the entries of rows that have the same ID."""

import re
from collections.abc import Callable
from datetime import date
from functools import lru_cache, partial
from string import Formatter
from typing import Any

from pydantic import JsonValue

from bonafide.i18n.message import Message
from bonafide.model.entity import Address
from bonafide.model.entry import RegulatoryEntry
from bonafide.sources.formats.delimited_text import build_postal_address, build_street_line
from bonafide.sources.framework.context import ParseContext
from bonafide.sources.framework.table_metadata import ADDRESS_FIELDS, RepeatedRows, TableMetadata
from bonafide.sources.tables.records import TableRecord, parse_day

MergeEntries = Callable[[RegulatoryEntry, RegulatoryEntry], RegulatoryEntry]
_TRUTHS = {"yes": True, "y": True, "no": False, "n": False}
_CACHED_DAYS = 10_000


class EntryBuilder:
    """Builds the entries of one load."""

    def __init__(self, context: ParseContext, table: TableMetadata) -> None:
        self._context, self._table = context, table
        self._url = context.metadata.entry_url
        self._street_pattern = re.compile(table.street_pattern) if table.street_pattern is not None else None
        self._id_fields = [field for _, field, _, _ in Formatter().parse(table.entry_id or "") if field is not None]
        self._placed = [field for field in ADDRESS_FIELDS if field not in table.defaults]
        # `strptime` takes most of the time of a row, and the same days occur often.
        parse = lru_cache(_CACHED_DAYS)(partial(parse_day, formats=table.date_formats))
        readers: dict[str, Callable[[str, Any], JsonValue]] = {
            "string": _read_text,
            "date": partial(_read_day, parse=parse),
            "number": _read_number,
            "boolean": self._read_truth,
            "strings": self._read_list,
        }
        constants = table.defaults.keys() - {field for name in context.metadata.layouts for field in table.get_columns(name)}
        details = [(detail.key, readers[detail.type]) for detail in context.metadata.details]
        self._constants = {key: read(key, table.defaults[key]) for key, read in details if key in constants}
        self._details = [(key, read) for key, read in details if key not in constants]

    def build(self, record: TableRecord) -> RegulatoryEntry:
        """The entry. Raises `ValueError` for a required column that is blank, or a value that can't be read."""
        values = record.values
        for field, column in record.required:
            if values[field] is None:
                raise ValueError(Message("{column} is empty", column=column))
        status, number, code = record.text("status"), record.text("registration_number"), values.get("status_code")
        name, others = values["legal_name"], values.get("alternate_names") or ()
        if not isinstance(name, str):
            name, others = name[0], (*name[1:], *([others] if isinstance(others, str) else others))
        elif isinstance(others, str):
            others = (others,)
        name = name.replace("\n", " ")
        entry_id = values.get("entry_id") or (number if not self._table.is_number_shared else None)
        details = self._constants.copy()
        for key, read in self._details:
            value = values.get(key)
            if value is not None and (found := read(key, value)) is not None:
                details[key] = found
        return RegulatoryEntry(
            entry_id=entry_id if entry_id is not None else self._build_id(number, name, values),
            source_url=self._url.format(number=number) if self._url is not None and number is not None else None,
            legal_name=name,
            alternate_names=tuple(dict.fromkeys([other for other in others if other != name])),
            registration_number=number,
            join_numbers=values.get("join_numbers", ()),
            status=status,
            status_code=code if code is not None else self._context.status(status),
            addresses=values["addresses"] if "addresses" in values else self._build_addresses(values),
            details=details,
        )

    def _build_id(self, number: str | None, name: str, values: dict[str, Any]) -> str:
        if self._table.entry_id is None:
            raise ValueError(Message("{column} is empty", column="registration_number"))
        named = values | {"legal_name": name}
        parts = {field: str(named.get(field)).casefold() for field in self._id_fields}
        return self._table.entry_id.format_map(parts | {"registration_number": number})

    def _build_addresses(self, values: dict[str, Any]) -> tuple[Address, ...]:
        street, unit, city, province, postal_code, country = map(values.get, ADDRESS_FIELDS)
        if street is None and all(values.get(field) is None for field in self._placed):
            return ()
        if street is not None and not isinstance(street, str):
            street = ", ".join(street)
        if (
            self._street_pattern is not None
            and street is not None
            and (found := self._street_pattern.fullmatch(street)) is not None
        ):
            parts = found.groupdict()
            street, unit = " ".join(filter(None, (parts.get("house"), parts["street"]))), parts.get("unit")
        line = build_street_line(unit, street) if unit is not None else street
        if self._table.is_address_verbatim:
            raw = ", ".join([part for part in (line, city, province, postal_code) if part is not None])
            return (Address(street=line, city=city, province=province, postal_code=postal_code, country=country, raw=raw),)
        address = build_postal_address(street=line, city=city, province=province, postal_code=postal_code, country=country)
        return (address,) if address is not None else ()

    def _read_truth(self, key: str, value: Any) -> bool | None:
        return value if isinstance(value, bool) else _TRUTHS.get(self._context.term(_read_text(key, value)).casefold())

    def _read_list(self, _: str, value: Any) -> list[JsonValue] | None:
        separator = self._table.list_separator
        items = value if separator is None or isinstance(value, list) else [part.strip(" ,") for part in value.split(separator)]
        return [item for item in dict.fromkeys([items] if isinstance(items, str) else items) if item] or None


def _read_text(key: str, value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(Message("{column} is not text", column=key))  # noqa: TRY004 - an error in the data, not in the code
    return value.replace("\n", " ")


def _read_number(key: str, value: Any) -> float:
    try:
        return float(value)
    except (ValueError, TypeError):
        raise ValueError(Message("{column} is not a number", column=key)) from None


def _read_day(_: str, value: Any, parse: Callable[[str], date]) -> str:
    return (value if isinstance(value, date) else parse(value)).isoformat()


# ------------------------------------------------------------------------------------------------------------ further rows


def create_merge(table: TableMetadata) -> MergeEntries:
    """The function that merges two entries of the same ID by the rule of the table."""
    if table.repeated_rows is RepeatedRows.FIRST:
        return lambda first, _: first
    if table.repeated_rows is RepeatedRows.LAST:
        return lambda _, other: other
    return partial(merge_entries, rule=table.repeated_rows, names_differ=not table.is_number_shared)


def merge_entries(
    first: RegulatoryEntry, other: RegulatoryEntry, rule: RepeatedRows, *, names_differ: bool = True
) -> RegulatoryEntry:
    """The first entry with the additions of another row, by the rule. `names_differ` is False if the name is part of the ID."""
    names = (*first.alternate_names, *((other.legal_name,) if names_differ else ()), *other.alternate_names)
    details = first.details.copy()
    for key, value in other.details.items() if rule is not RepeatedRows.NAMES_AND_PLACES else ():
        known = details.setdefault(key, value)
        if rule is RepeatedRows.COMBINE and isinstance(known, list) and isinstance(value, list):
            details[key] = list(dict.fromkeys([*map(str, known), *map(str, value)]))
    return first.model_copy(
        update={
            "alternate_names": tuple(name for name in dict.fromkeys(names) if name != first.legal_name),
            "join_numbers": tuple(dict.fromkeys((*first.join_numbers, *other.join_numbers))),
            "addresses": tuple(dict.fromkeys((*first.addresses, *other.addresses))),
            "details": details,
        }
    )
