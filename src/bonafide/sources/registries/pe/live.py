"""Query Prince Edward Island's registry by name or number, as its own page does.

Records can't be requested by number, so a number is searched first, and the record of the matching row is requested by ID.
"""

from collections.abc import Sequence

from bonafide.errors import InvalidInput
from bonafide.i18n.message import Message, join_values, plural_message
from bonafide.model.entry import RegistryEntry
from bonafide.sources.framework.live import MAX_RESULTS, LiveContext, LiveQuery, RegistrationQuery
from bonafide.sources.registries.pe.gateway import VIEW, fetch_page
from bonafide.sources.registries.pe.record import build_hit_entry, build_record_entry
from bonafide.sources.registries.pe.search import PeiNumbers, PeiSearchHit, PeiSearchResults, parse_numbers, search


async def find(query: LiveQuery, context: LiveContext) -> Sequence[RegistryEntry]:
    """The businesses with the number, then those that the register finds by name. Raises a `SourceError`.

    A number of another register's form is ignored.
    """
    hits: list[PeiSearchHit] = []
    numbers = parse_numbers(query.number)
    if numbers is not None:
        hits += _filter_by_number(numbers, await search("business_number", numbers.text, context))
    if query.name is not None:
        found = await search("name", query.name, context)
        hits += found.hits
        if found.hidden:
            note = plural_message(
                "{source} found {n:,} more result for the name, which was not read",
                "{source} found {n:,} more results for the name, which were not read",
                found.hidden,
                source=context.metadata.title,
            )
            context.words.note(note)
    return [build_hit_entry(hit, context) for hit in {hit.id: hit for hit in hits}.values()][:MAX_RESULTS]


async def report(registration: RegistrationQuery, context: LiveContext) -> RegistryEntry | None:
    """The record with the number; None if the register has none. Raises a `SourceError`.

    Raises `InvalidInput` for a text that is not a number of this register, and for an ambiguous number.
    """
    numbers = parse_numbers(registration.number)
    if numbers is None:
        sentence = Message(
            "'{number}' is not a number of {source}; its numbers have up to 6 digits",
            number=registration.number,
            source=context.metadata.title,
        )
        raise InvalidInput(sentence)
    found = await search("business_number", numbers.text, context)
    bearing = _filter_by_number(numbers, found)
    if len(bearing) > 1:
        sentence = Message(
            "{count} registrations have the number {number}: {registrations}",
            count=len(bearing),
            number=numbers.text,
            registrations=join_values(map(_format_hit, bearing)),
        )
        raise InvalidInput(sentence)
    if not bearing and found.hidden:
        sentence = Message(
            "{source} found {n:,} more results that were not read and may include {number}",
            source=context.metadata.title,
            n=found.hidden,
            number=numbers.text,
        )
        raise InvalidInput(sentence)
    if not bearing:
        return None
    hit = bearing[0]
    return build_record_entry(await fetch_page(VIEW, {"id": hit.id}, context), hit, context)


def _filter_by_number(numbers: PeiNumbers, found: PeiSearchResults) -> list[PeiSearchHit]:
    """The rows with exactly this number; the search may be fuzzy."""
    shown = ((hit, parse_numbers(hit.number)) for hit in found.hits)
    return [hit for hit, own in shown if own is not None and numbers.is_same_registration(own)]


def _format_hit(hit: PeiSearchHit) -> str:
    return f"{hit.number} ({hit.name})"
