"""Payment service providers: one entry for each account, from the JSON that the registry's own page loads.

The four lists give the outcome of an application. The page of each provider, with its addresses and payment functions, is not read.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bonafide.errors import ParseFailed
from bonafide.i18n.message import Message
from bonafide.model.entity import Address
from bonafide.model.entry import RegulatoryEntry
from bonafide.sources.formats.delimited_text import TableRow
from bonafide.sources.formats.json_objects import create_table_row, parse_strict_json
from bonafide.sources.framework.context import ParseContext, Resource
from bonafide.sources.tables.parser import parse_table
from bonafide.sources.tables.records import TableRecord

MAX_JSON_BYTES = 64 * 1024 * 1024
"""Two thousand accounts are one megabyte."""
MAX_DETAIL_CHARACTERS = 250
"""Of the error in a message about an unexpected response."""
_NO_NAME = frozenset({"n/a", "na", "none"})
_COUNTRIES = {"Canada": "CA", "United States of America": "US"}
"""The countries of most providers. Other countries are kept as published."""

_Account = Mapping[str, Any]


def parse(resources: Sequence[Resource], context: ParseContext) -> Iterator[RegulatoryEntry]:
    """Yield the providers of all files. One that is in two lists has the status of the first."""
    return parse_table(resources, context, read=_read_rows, complete=_complete)


def _complete(record: TableRecord, context: ParseContext) -> None:
    """Add the status that follows from the list, and the country; drop placeholders for a name."""
    values = record.values
    names = [name for name in values["legal_name"] or () if name.casefold() not in _NO_NAME]
    if not names:
        raise ValueError(Message("the account has no name"))
    country = record.text("headOfficeCountry")
    if country is not None:
        # `United States of America (the)` is the spelling of ISO 3166-1. Without a code, a line of text would be read as a street.
        country = country.removesuffix(" (the)")
        values["addresses"] = (Address(country=_COUNTRIES.get(country, country)),)
    values |= {"legal_name": names, "status": values["status"] or context.term(values["group"])}


def _read_rows(resource: Resource, context: ParseContext) -> Iterator[tuple[str, TableRow]]:
    accounts = _read_accounts(resource)
    # A key that is null everywhere may be left out of one account, but not out of all.
    layout = context.layout(list(dict.fromkeys(key for _, account in accounts for key in account)), resource)
    columns = (*context.metadata.layouts[layout].columns, "group_label")
    for position, (group, account) in enumerate(accounts, start=1):
        context.row()
        yield layout, create_table_row(position, {**account, "group_label": group}, columns)


def _read_accounts(resource: Resource) -> list[tuple[str, _Account]]:
    """Return every account with its list. Raises `ParseFailed` if the response has an unexpected format."""
    size = resource.path.stat().st_size
    if size > MAX_JSON_BYTES:
        raise ParseFailed(
            Message(
                "{file}: {size:,} bytes exceed the limit of {limit:,} bytes", file=resource.name, size=size, limit=MAX_JSON_BYTES
            )
        )
    try:
        groups = parse_strict_json(resource.path.read_bytes())["accounts"]
        listed = [(group, account) for group, found in groups.items() for account in found or ()]
        accounts: list[tuple[str, _Account]] = [(str(group), dict(account)) for group, account in listed]
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        detail = f"{type(error).__name__}: {error}"[:MAX_DETAIL_CHARACTERS]
        raise ParseFailed(Message("{file}: unexpected format: {detail}", file=resource.name, detail=detail)) from error
    return accounts
