"""Payment service providers: one entry an account, from the answer that the registry's own page reads.

The four lists say what became of an application. A provider's own page, with its addresses and payment functions, is not read.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bonafide.errors import ParseFailed
from bonafide.model.entity import Address
from bonafide.model.entry import RegulatoryEntry
from bonafide.sources.formats.delimited_text import TableRow
from bonafide.sources.formats.json_objects import create_table_row, parse_strict_json
from bonafide.sources.framework.context import ParseContext, Resource
from bonafide.sources.tables.parser import parse_table
from bonafide.sources.tables.records import TableRecord

MAX_JSON_BYTES = 64 * 1024 * 1024
"""Two thousand accounts are one megabyte."""
_NO_NAME = frozenset({"n/a", "na", "none"})
_COUNTRIES = {"Canada": "CA", "United States of America": "US"}
"""Where most providers are; other countries stay as they are spelled out."""

_Account = Mapping[str, Any]


def parse(resources: Sequence[Resource], context: ParseContext) -> Iterator[RegulatoryEntry]:
    """The providers of all files; one that stands in two lists has the status of the first."""
    return parse_table(resources, context, read=_read_rows, complete=_complete)


def _complete(record: TableRecord, context: ParseContext) -> None:
    """Add the status that follows from the list, and the country; drop what stands for a name."""
    values = record.values
    names = [name for name in values["legal_name"] or () if name.casefold() not in _NO_NAME]
    if not names:
        raise ValueError("the account has no name")
    country = record.text("headOfficeCountry")
    if country is not None:
        # `United States of America (the)`, as ISO 3166-1 spells it. A line of text would be taken for a street.
        country = country.removesuffix(" (the)")
        values["addresses"] = (Address(country=_COUNTRIES.get(country, country)),)
    values |= {"legal_name": names, "status": values["status"] or context.term(values["group"])}


def _read_rows(resource: Resource, context: ParseContext) -> Iterator[tuple[str, TableRow]]:
    accounts = _read_accounts(resource)
    # A key that is null everywhere may be left out of one account, but not out of all.
    layout = context.layout(list(dict.fromkeys(key for _, account in accounts for key in account)), resource)
    columns = (*context.metadata.layouts[layout].columns, "group_label")
    for place, (group, account) in enumerate(accounts, start=1):
        context.row()
        yield layout, create_table_row(place, {**account, "group_label": group}, columns)


def _read_accounts(resource: Resource) -> list[tuple[str, _Account]]:
    """Every account with the list in which it stands. Raises `ParseFailed` when the answer has another shape."""
    size = resource.path.stat().st_size
    if size > MAX_JSON_BYTES:
        raise ParseFailed(f"{resource.name}: {size:,} bytes, where an answer of at most {MAX_JSON_BYTES:,} is read")
    try:
        groups = parse_strict_json(resource.path.read_bytes())["accounts"]
        listed = [(group, account) for group, found in groups.items() for account in found or ()]
        accounts: list[tuple[str, _Account]] = [(str(group), dict(account)) for group, account in listed]
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise ParseFailed(f"{resource.name}: not the answer that is known: {type(error).__name__}: {error}"[:300]) from error
    return accounts
