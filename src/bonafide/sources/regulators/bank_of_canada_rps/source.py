"""Payment service providers: one entry an account, from the answer that the registry's own page reads.

The four lists say what became of an application. A provider's own page, with its addresses and payment functions, is not read.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from pydantic import JsonValue

from bonafide.errors import ParseFailed
from bonafide.model.entity import Address
from bonafide.model.entry import RegulatoryEntry
from bonafide.sources.formats.delimited_text import normalize_whitespace
from bonafide.sources.framework.context import ParseContext, Resource
from bonafide.sources.framework.strict_json import parse_strict_json

MAX_JSON_BYTES = 64 * 1024 * 1024
"""Two thousand accounts are one megabyte."""
_NO_NAME = frozenset({"n/a", "na", "none"})
_COUNTRIES = {"Canada": "CA", "United States of America": "US"}
"""Where most providers are; other countries stay as they are spelled out."""

_Account = Mapping[str, Any]


def parse(resources: Sequence[Resource], context: ParseContext) -> Iterator[RegulatoryEntry]:
    """The providers of all files; one that stands in two lists has the status of the first."""
    seen: set[str] = set()
    for resource in resources:
        for place, (group, account) in enumerate(_read_accounts(resource, context), start=1):
            context.row()
            try:
                entry = _build_entry(group, account, context)
            except ValueError as error:
                context.reject(resource, place, str(error))
                continue
            if entry.entry_id in seen:
                context.merge()
                continue
            seen.add(entry.entry_id)
            yield entry


def _read_accounts(resource: Resource, context: ParseContext) -> list[tuple[str, _Account]]:
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
    # A key that is null everywhere may be left out of one account, but not out of all.
    context.layout(list(dict.fromkeys(key for _, account in accounts for key in account)), resource)
    return accounts


def _build_entry(group: str, account: _Account, context: ParseContext) -> RegulatoryEntry:
    number, status = _read_text(account, "id"), _read_text(account, "status") or context.term(group)
    if number is None:
        raise ValueError("id is empty")
    names = [_read_name(account, key) for key in ("en_legal_name", "fr_legal_name", "main_trade_name")]
    known = list(dict.fromkeys(name for name in names if name is not None))
    if not known:
        raise ValueError("the account has no name")
    return RegulatoryEntry(
        entry_id=number,
        source_url=str(context.metadata.entry_url).format(number=number),
        legal_name=known[0],
        alternate_names=tuple(known[1:]),
        registration_number=number,
        status=status,
        status_code=context.status(status),
        addresses=_build_addresses(account),
        details=_build_details(group, account),
    )


def _read_text(account: _Account, key: str) -> str | None:
    value = account.get(key)
    if value is not None and not isinstance(value, str):
        raise ValueError(f"{key} is not text")
    return normalize_whitespace(value)


def _read_name(account: _Account, key: str) -> str | None:
    name = _read_text(account, key)
    return name if name is not None and name.casefold() not in _NO_NAME else None


def _build_addresses(account: _Account) -> tuple[Address, ...]:
    """The country, all that the list says of a place; a line of text would be taken for a street."""
    country = _read_text(account, "head_office_country")
    if country is None:
        return ()
    # `United States of America (the)`, as ISO 3166-1 spells it.
    country = country.removesuffix(" (the)")
    return (Address(country=_COUNTRIES.get(country, country)),)


def _build_details(group: str, account: _Account) -> dict[str, JsonValue]:
    violations = account.get("has_violations")
    details: dict[str, JsonValue] = {
        "group": group,
        "registrationDate": _read_day(account, "registration_date"),
        "createdOn": _read_day(account, "created_on"),
        "hasViolations": violations if isinstance(violations, bool) else None,
        "headOfficeCountry": _read_text(account, "head_office_country"),
    }
    return {key: value for key, value in details.items() if value is not None}


def _read_day(account: _Account, key: str) -> str | None:
    """The day of a date or an instant. Raises `ValueError`."""
    text = _read_text(account, key)
    if text is None:
        return None
    try:
        return date.fromisoformat(text[:10]).isoformat()
    except ValueError:
        raise ValueError(f"{key} is not a date: {text!r}") from None
