"""Commercial premises of Montréal from a yearly street survey: one entry for each premises in use, by the name on its sign.

The survey is not a licence list, and the number is the survey's own. Vacant premises are skipped.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import date

from bonafide.errors import ParseFailed
from bonafide.i18n.message import Message
from bonafide.model.entry import RegulatoryEntry
from bonafide.sources.framework.context import FetchContext, ParseContext, Resource
from bonafide.sources.framework.downloads import create_download, fetch_portal_files
from bonafide.sources.tables.parser import parse_table
from bonafide.sources.tables.records import TableRecord

INDEX = "package"
_SURVEY = re.compile(r"/occupation-commerciale-(\d{4})\.csv$")
_NAICS = re.compile(r"\d{2,6}")
"""From a sector to an industry. The survey also has single characters in place of a code."""


def parse(resources: Sequence[Resource], context: ParseContext) -> Iterator[RegulatoryEntry]:
    """Yield the premises of all files. If several surveys have the same number, the latest is used."""
    latest = ""
    for entry in parse_table(resources, context, complete=_complete, merge=_choose_later):
        latest = max(latest, _get_day(entry))
        yield entry
    if latest:
        context.set_as_of(date.fromisoformat(latest))


def _complete(record: TableRecord, context: ParseContext) -> None:
    """Add the year of the survey; drop invalid industry codes and addresses without a street."""
    values, day = record.values, record.day("surveyDate")
    if values["naicsCode"] is not None and _NAICS.fullmatch(values["naicsCode"]) is None:
        values["naicsCode"] = None
    if values["street"] is None:
        values["addresses"] = ()
    # The survey covers the whole island: a borough that is a separate town is the city of the address.
    if values["borough"] in context.metadata.terms:
        values["city"] = values["borough"]
    values["surveyYear"] = str(day.year) if day is not None else None


def _choose_later(known: RegulatoryEntry, other: RegulatoryEntry) -> RegulatoryEntry:
    return other if _get_day(other) >= _get_day(known) else known


def _get_day(entry: RegulatoryEntry) -> str:
    return str(entry.details["surveyDate"])


async def fetch(context: FetchContext) -> list[Resource]:
    """Download the newest survey that the portal lists. Raises a `SourceError`."""
    surveys = {
        found[1]: file
        for file in await fetch_portal_files(context, INDEX)
        if (found := _SURVEY.search(file.url.lower())) is not None
    }
    if not surveys:
        raise ParseFailed(Message("{source}: the portal lists no survey in CSV format", source=context.metadata.key))
    year = max(surveys)
    return [await context.download(create_download(context, INDEX, surveys[year], f"occupation_commerciale_{year}"))]
