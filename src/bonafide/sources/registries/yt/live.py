"""Yukon's register as it is today, asked at the search page: what the snapshot has of a record, which is all that is public.

The page's records become entries as the snapshot's do. It asks no profile: those are sold.
"""

from collections.abc import Iterable, Iterator, Sequence

from bonafide.matching.entries.home_jurisdiction import parse_home_jurisdiction
from bonafide.matching.identifiers.number_labels import NumberType
from bonafide.model.entry import RegistryEntry
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.sources.asked_number import need_number
from bonafide.sources.entity_pages import Line, Site, lines_of, look
from bonafide.sources.live import MAX_FOUND, LiveContext, LiveQuery, Registration
from bonafide.sources.registries.yt.records import Record, entries_of

SITE = Site(
    numbers=NumberType.YUKON_REGISTRY,
    record="entity",
    status="status-translated",
    by_name="name",
    # One field looks through names and numbers.
    by_number="name",
)


async def find(query: LiveQuery, context: LiveContext) -> Sequence[RegistryEntry]:
    """What is registered under a number or a name. Raises a `SourceError`."""
    return _entries(await look(query, SITE, context), context)[:MAX_FOUND]


async def report(registration: Registration, context: LiveContext) -> RegistryEntry | None:
    """What the page shows of one registry number, also of one that was given up with its name. Raises a `SourceError`."""
    number = need_number(registration.number, SITE.numbers)
    entries = _entries(await lines_of(number, SITE, context), context)
    return next((entry for entry in entries if number in entry.list_search_numbers()), None)


def _entries(lines: Iterable[Line], context: LiveContext) -> list[RegistryEntry]:
    return list(entries_of(_records(lines), context.words))


def _records(lines: Iterable[Line]) -> Iterator[Record]:
    for line in lines:
        home = parse_home_jurisdiction(line.jurisdiction, Jurisdiction.YT)
        yield Record(line.number, line.name, line.former_name, line.entity_type, home, line.status)
