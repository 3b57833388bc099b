"""Prince Edward Island's registry asked by name or number, as its own page asks it.

A number is not what a record is found by: it is searched for, and the record is the one behind the row that bears it.
"""

from collections.abc import Sequence

from bonafide.errors import InvalidInput
from bonafide.model.entry import RegistryEntry
from bonafide.sources.framework.live import MAX_RESULTS, LiveContext, LiveQuery, RegistrationQuery
from bonafide.sources.registries.pe.gateway import VIEW, fetch_page
from bonafide.sources.registries.pe.record import build_hit_entry, build_record_entry
from bonafide.sources.registries.pe.search import PeiNumbers, PeiSearchHit, PeiSearchResults, parse_numbers, search


async def find(query: LiveQuery, context: LiveContext) -> Sequence[RegistryEntry]:
    """The businesses with the number, then those that the register finds like the name. Raises a `SourceError`.

    A number of another register's form is not asked for.
    """
    hits: list[PeiSearchHit] = []
    numbers = parse_numbers(query.number)
    if numbers is not None:
        hits += _filter_by_number(numbers, await search("business_number", numbers.text, context))
    if query.name is not None:
        found = await search("name", query.name, context)
        hits += found.hits
        if found.hidden:
            context.words.note(f"{context.metadata.title} finds {found.hidden:,} more like the name, which were not looked at")
    return [build_hit_entry(hit, context) for hit in {hit.id: hit for hit in hits}.values()][:MAX_RESULTS]


async def report(registration: RegistrationQuery, context: LiveContext) -> RegistryEntry | None:
    """The record with the number; None when the register finds none that bears it. Raises a `SourceError`.

    It is `InvalidInput` for a text that is no number of this register, and for a number that leaves open which record is meant.
    """
    numbers = parse_numbers(registration.number)
    if numbers is None:
        raise InvalidInput(f"{registration.number} is not a number of {context.metadata.title}: those have up to 6 digits")
    found = await search("business_number", numbers.text, context)
    bearing = _filter_by_number(numbers, found)
    if len(bearing) > 1:
        raise InvalidInput(f"{numbers.text} is on {len(bearing)} registrations: {', '.join(map(_format_hit, bearing))}")
    if not bearing and found.hidden:
        raise InvalidInput(
            f"{context.metadata.title} finds {found.hidden:,} more than were looked at, and one may bear {numbers.text}"
        )
    if not bearing:
        return None
    hit = bearing[0]
    return build_record_entry(await fetch_page(VIEW, {"id": hit.id}, context), hit, context)


def _filter_by_number(numbers: PeiNumbers, found: PeiSearchResults) -> list[PeiSearchHit]:
    """The rows that bear a number: the search may be as loose with numbers as with names."""
    shown = ((hit, parse_numbers(hit.number)) for hit in found.hits)
    return [hit for hit, own in shown if own is not None and numbers.is_same_registration(own)]


def _format_hit(hit: PeiSearchHit) -> str:
    return f"{hit.number} ({hit.name})"
