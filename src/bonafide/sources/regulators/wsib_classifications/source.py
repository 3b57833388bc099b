"""Businesses with workplace injury insurance in Ontario: one entry for each legal name and mailing address, with all its classes.

The file has a row for each activity of a business. It has neither numbers nor premiums.
"""

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from urllib.parse import unquote, urljoin

from pydantic import JsonValue

from bonafide.errors import ParseFailed
from bonafide.i18n.message import Message
from bonafide.model.entity import StatusCode
from bonafide.model.entry import RegulatoryEntry
from bonafide.sources.formats.delimited_text import DelimitedDialect, TableRow, build_address_from_line, open_text, read_delimited
from bonafide.sources.formats.html_page import read_html
from bonafide.sources.framework.context import FetchContext, ParseContext, Resource
from bonafide.sources.framework.downloads import is_https_below
from bonafide.sources.framework.metadata import ResourceMetadata

_HOST = "wsib.ca"
_EDITION = re.compile(r"BusinessClassificationDetails[\W_]*(?P<year>20\d\d)", re.IGNORECASE)
_STATUS = "Listed"
_REPEATED_HEADING = "Description"
_ACTIVITY = ("NAICS code", "NAICS code: Description", "Class/subclass", "Class/subclass: Description")


@dataclass(slots=True)
class _InsuredBusiness:
    """A business. Only what differs between its rows is kept, and equal texts are stored once for all businesses."""

    legal_name: str
    address: str | None
    predominant_class: str | None
    size: str | None
    year: str | None
    trade_names: list[str] = field(default_factory=list)
    activities: list[tuple[str | None, ...]] = field(default_factory=list)
    """NAICS code and description, class code and description."""


async def fetch(context: FetchContext) -> list[Resource]:
    """Download the newest edition that the page links to. Raises `SourceError`."""
    page = context.metadata.resource("page")
    year, url = _find_newest(await context.read(page.url), page)
    return [await context.download(ResourceMetadata(name=f"BusinessClassificationDetails({year})", url=url, format="csv"))]


def _find_newest(content: bytes, page: ResourceMetadata) -> tuple[str, str]:
    """Return the year and the address of the newest edition. Raises `ParseFailed` for no link, or one to another host."""
    links = [link.attributes.get("href") or "" for link in read_html(content, name=page.url).css("a[href]")]
    editions = [(found["year"], link) for link in links if (found := _EDITION.search(unquote(link))) is not None]
    if not editions:
        raise ParseFailed(
            Message(
                "{url} has no link to {file}. Download the file in a browser and import it with --file",
                url=page.url,
                file="BusinessClassificationDetails(YYYY).csv",
            )
        )
    year, link = max(editions, key=lambda edition: edition[0])
    try:
        url = urljoin(page.url, link)
    except ValueError as error:
        raise ParseFailed(Message("{url}: invalid link {link}", url=page.url, link=link)) from error
    if not is_https_below(url, _HOST):
        raise ParseFailed(Message("{file}: {url} is not an address at {host}", file=page.url, url=url, host=_HOST))
    return year, url


def parse(resources: Sequence[Resource], context: ParseContext) -> Iterator[RegulatoryEntry]:
    """Yield the businesses of all files. If a business is in two editions, the newer one is used."""
    businesses: dict[str, _InsuredBusiness] = {}
    for resource in sorted(resources, key=lambda resource: _find_year(resource) or "", reverse=True):
        _gather_businesses(resource, context, businesses)
    status_code = context.status(_STATUS)
    for key in list(businesses):
        # Removed one by one, so that businesses and entries are not all in memory at once.
        yield _build_entry(key, businesses.pop(key), status_code)


def _find_year(resource: Resource) -> str | None:
    """Return the year of an edition, which only its name has."""
    found = _EDITION.search(resource.name)
    return found["year"] if found is not None else None


def _gather_businesses(resource: Resource, context: ParseContext, businesses: dict[str, _InsuredBusiness]) -> None:
    year = _find_year(resource)
    for row in _read_rows(resource, context):
        try:
            legal_name, address = row.need("Legal name"), row.get("Mailing Address")
        except ValueError as error:
            context.reject(resource, row.line, error)
            continue
        key = f"{legal_name} | {address or ''}".upper()
        business = businesses.get(key)
        if business is None:
            size = row.get("Business size")
            size = context.term(size) if size is not None else None
            business = businesses[key] = _InsuredBusiness(legal_name, address, row.get("Predominant class"), size, year)
        else:
            context.merge()
        if business.year == year:
            _add_row(row, business)


def _read_rows(resource: Resource, context: ParseContext) -> Iterator[TableRow]:
    with open_text(resource, "utf-8-sig") as text:
        yield from (row for _, row in read_delimited(text, resource, context, DelimitedDialect(headings=_rename_repeated_headings)))


def _rename_repeated_headings(header: list[str]) -> list[str]:
    """Name each "Description" after the code column before it."""
    return [
        f"{before}: {column}" if column == _REPEATED_HEADING else column
        for before, column in zip(["", *header], header, strict=False)
    ]


def _add_row(row: TableRow, business: _InsuredBusiness) -> None:
    """Add the trade name and the activity of a row."""
    trade_name = row.get("Trade name")
    if trade_name is not None and trade_name not in business.trade_names:
        business.trade_names.append(trade_name)
    activity = tuple(map(_intern_text, (row.get(column) for column in _ACTIVITY)))
    if activity not in business.activities:
        business.activities.append(activity)


def _intern_text(text: str | None) -> str | None:
    """Return the same object for equal texts: 345,000 rows have some hundred descriptions."""
    return sys.intern(text) if text is not None else None


def _build_entry(key: str, business: _InsuredBusiness, status_code: StatusCode) -> RegulatoryEntry:
    return RegulatoryEntry(
        entry_id=key,
        legal_name=business.legal_name,
        alternate_names=tuple(name for name in business.trade_names if name.casefold() != business.legal_name.casefold()),
        status=_STATUS,
        status_code=status_code,
        addresses=(build_address_from_line(business.address),) if business.address is not None else (),
        details=_build_details(business),
    )


def _build_details(business: _InsuredBusiness) -> dict[str, JsonValue]:
    naics_codes, class_codes = ([activity[place] for activity in business.activities] for place in (0, 2))
    details: dict[str, JsonValue] = {
        "statusDerived": True,
        "predominantClass": business.predominant_class,
        "classifications": _to_json_list(map(_format_activity, business.activities)),
        "classCodes": _to_json_list(class_codes),
        "naicsCodes": _to_json_list(naics_codes),
        "businessSize": business.size,
        "editionYear": business.year,
    }
    return {key: value for key, value in details.items() if value is not None}


def _to_json_list(texts: Iterable[str | None]) -> list[JsonValue] | None:
    return list[JsonValue](dict.fromkeys(text for text in texts if text is not None)) or None


def _format_activity(activity: tuple[str | None, ...]) -> str | None:
    """`G5 Specialty trades: 238220 Plumbing contractors`."""
    naics_code, naics, class_code, class_name = activity
    halves = [" ".join(filter(None, half)) for half in ((class_code, class_name), (naics_code, naics))]
    return ": ".join(filter(None, halves)) or None
