"""Commercial premises of Montreal as a yearly survey of the streets saw them: one entry a premises in use, by the name on the door.

Being seen is no licence, and the number is the survey's own. Empty premises are passed over.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import date

from pydantic import JsonValue

from bonafide.errors import ParseFailed
from bonafide.model.entity import Address
from bonafide.model.entry import RegulatoryEntry
from bonafide.sources.formats.delimited_text import TableRow, build_postal_address, build_street_line, read_csv
from bonafide.sources.framework.context import FetchContext, ParseContext, Resource, SkippedRows
from bonafide.sources.shared.ckan import create_download, fetch_portal_files

INDEX = "package"
_SURVEY = re.compile(r"/occupation-commerciale-(\d{4})\.csv$")
_STATUS = "Listed"
_VACANT = "VACANT"
_NULL = "N/A"
_NAICS = re.compile(r"\d{2,6}")
"""A sector to an industry; the survey also has a character in place of a code."""
_USES = ("USAGE1", "USAGE2", "USAGE3")


async def fetch(context: FetchContext) -> list[Resource]:
    """The newest survey, from where the portal says that it lies. Raises a `SourceError`."""
    surveys = {
        found[1]: file
        for file in await fetch_portal_files(context, INDEX)
        if (found := _SURVEY.search(file.url.lower())) is not None
    }
    if not surveys:
        raise ParseFailed(f"{context.metadata.key}: {INDEX}: the portal lists no survey as CSV")
    year = max(surveys)
    return [await context.download(create_download(context, INDEX, surveys[year], f"occupation_commerciale_{year}"))]


def parse(resources: Sequence[Resource], context: ParseContext) -> Iterator[RegulatoryEntry]:
    """The premises of all files; of one that several surveys saw under its number, what the latest saw."""
    premises: dict[str, tuple[date, RegulatoryEntry]] = {}
    passed_over = SkippedRows(context)
    for resource in resources:
        for day, entry in _read_entries(resource, context, passed_over):
            known = premises.get(entry.entry_id)
            if known is not None:
                context.merge()
            if known is None or day >= known[0]:
                premises[entry.entry_id] = day, entry
    passed_over.note()
    if premises:
        context.set_as_of(max(day for day, _ in premises.values()))
    for _, entry in premises.values():
        yield entry


def _read_entries(resource: Resource, context: ParseContext, passed_over: SkippedRows) -> Iterator[tuple[date, RegulatoryEntry]]:
    for _, row in read_csv(resource, context):
        name = _read_text(row, "NOM_ETAB")
        if _VACANT in {row.get("USAGE1"), name}:
            passed_over.add("empty premises")
            continue
        if name is None:
            passed_over.add("no name was seen")
            continue
        try:
            day = _parse_day(row.need("DATE_CREATION"))
            yield day, _build_entry(name, day, row, context)
        except ValueError as error:
            context.reject(resource, row.line, str(error))


def _build_entry(name: str, day: date, row: TableRow, context: ParseContext) -> RegulatoryEntry:
    number = row.need("ID")
    address = _build_address(row, context)
    return RegulatoryEntry(
        entry_id=number,
        legal_name=name,
        registration_number=number,
        status=_STATUS,
        status_code=context.status(_STATUS),
        addresses=(address,) if address is not None else (),
        details=_build_details(day, row),
    )


def _read_text(row: TableRow, column: str) -> str | None:
    value = row.get(column)
    return value if value != _NULL else None


def _build_address(row: TableRow, context: ParseContext) -> Address | None:
    """The survey goes over the whole island: where the borough is a town of its own, it stands for the city."""
    street, borough = _read_text(row, "ADRESSE"), _read_text(row, "ARRONDISSEMENT")
    if street is None:
        return None
    city = borough if borough is not None and borough in context.metadata.terms else "Montréal"
    return build_postal_address(
        street=build_street_line(_read_text(row, "SUITE"), street), city=city, province="QC", postal_code=None, country="CA"
    )


def _build_details(day: date, row: TableRow) -> dict[str, JsonValue]:
    code = _read_text(row, "SCIAN")
    uses = dict.fromkeys(use for use in (_read_text(row, column) for column in _USES) if use is not None)
    details: dict[str, JsonValue] = {
        "nameType": "trade",
        "statusDerived": True,
        "usage": list[JsonValue](uses) or None,
        "naicsCode": code if code is not None and _NAICS.fullmatch(code) is not None else None,
        "borough": _read_text(row, "ARRONDISSEMENT"),
        "neighbourhood": _read_text(row, "QUARTIER"),
        "commercialCentre": _read_text(row, "NOM_CENTRE"),
        "businessImprovementArea": _read_text(row, "SDC_NOM"),
        "surveyYear": str(day.year),
        "surveyDate": day.isoformat(),
        "latitude": _read_number(row, "LAT"),
        "longitude": _read_number(row, "LONG"),
    }
    return {key: value for key, value in details.items() if value is not None}


def _parse_day(text: str) -> date:
    """The day, which the surveys write in two ways. Raises `ValueError`."""
    try:
        return date.fromisoformat(text[:10].replace("/", "-"))
    except ValueError:
        raise ValueError(f"{text!r} is not a date") from None


def _read_number(row: TableRow, column: str) -> float | None:
    """Raises `ValueError`."""
    value = _read_text(row, column)
    try:
        return float(value) if value is not None else None
    except ValueError:
        raise ValueError(f"{column} is not a number") from None
