"""Query the search page of Yukon's register, which has the same fields as the snapshot.

The records become entries in the same way. Profiles are sold and not read.
"""

from collections.abc import Iterable, Iterator, Sequence

from bonafide.matching.entries.register_codes import parse_home_jurisdiction
from bonafide.matching.identifiers.number_labels import NumberType
from bonafide.model.entry import RegistryEntry
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.sources.framework.live import MAX_RESULTS, LiveContext, LiveQuery, RegistrationQuery, require_number
from bonafide.sources.registries.yt.records import YukonRecord, build_entries
from bonafide.sources.shared.entity_search import EntitySearchRow, EntitySearchSite, search_entities, search_number

SITE = EntitySearchSite(
    numbers=NumberType.YUKON_REGISTRY,
    record="entity",
    status="status-translated",
    by_name="name",
    # One field searches names and numbers.
    by_number="name",
)


async def find(query: LiveQuery, context: LiveContext) -> Sequence[RegistryEntry]:
    """The entities with a number or a name. Raises a `SourceError`."""
    return _build_entries(await search_entities(query, SITE, context), context)[:MAX_RESULTS]


async def report(registration: RegistrationQuery, context: LiveContext) -> RegistryEntry | None:
    """The entity with a registry number, which can be that of a former name. Raises a `SourceError`."""
    number = require_number(registration.number, SITE.numbers)
    entries = _build_entries(await search_number(number, SITE, context), context)
    return next((entry for entry in entries if number in entry.list_search_numbers()), None)


def _build_entries(lines: Iterable[EntitySearchRow], context: LiveContext) -> list[RegistryEntry]:
    return list(build_entries(_build_records(lines), context.words))


def _build_records(lines: Iterable[EntitySearchRow]) -> Iterator[YukonRecord]:
    for line in lines:
        home = parse_home_jurisdiction(line.jurisdiction, Jurisdiction.YT)
        yield YukonRecord(line.number, line.name, line.former_name, line.entity_type, home, line.status)
