"""Commercial premises of Montreal as a yearly survey of the streets saw them: one entry a premises in use, by the name on the door.

Being seen is no licence, and the number is the survey's own. Empty premises are passed over.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import date

from bonafide.errors import ParseFailed
from bonafide.model.entry import RegulatoryEntry
from bonafide.sources.framework.context import FetchContext, ParseContext, Resource
from bonafide.sources.framework.downloads import create_download, fetch_portal_files
from bonafide.sources.tables.parser import parse_table
from bonafide.sources.tables.records import TableRecord

INDEX = "package"
_SURVEY = re.compile(r"/occupation-commerciale-(\d{4})\.csv$")
_NAICS = re.compile(r"\d{2,6}")
"""A sector to an industry; the survey also has a character in place of a code."""


def parse(resources: Sequence[Resource], context: ParseContext) -> Iterator[RegulatoryEntry]:
    """The premises of all files; of one that several surveys saw under its number, what the latest saw."""
    latest = ""
    for entry in parse_table(resources, context, complete=_complete, merge=_choose_later):
        latest = max(latest, _get_day(entry))
        yield entry
    if latest:
        context.set_as_of(date.fromisoformat(latest))


def _complete(record: TableRecord, context: ParseContext) -> None:
    """Add the year of the survey; drop what is no code of an industry, and places without a street."""
    values, day = record.values, record.day("surveyDate")
    if values["naicsCode"] is not None and _NAICS.fullmatch(values["naicsCode"]) is None:
        values["naicsCode"] = None
    if values["street"] is None:
        values["addresses"] = ()
    # The survey goes over the whole island: where the borough is a town of its own, it stands for the city.
    if values["borough"] in context.metadata.terms:
        values["city"] = values["borough"]
    values["surveyYear"] = str(day.year) if day is not None else None


def _choose_later(known: RegulatoryEntry, other: RegulatoryEntry) -> RegulatoryEntry:
    return other if _get_day(other) >= _get_day(known) else known


def _get_day(entry: RegulatoryEntry) -> str:
    return str(entry.details["surveyDate"])


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
