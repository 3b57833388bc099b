"""Canada's terrorist entities: the feed and the regulation it follows brought together, and the names of a second regulation.

A group in feed and regulation is one entry with the names of both. One that only the feed or only the regulation has is an entry
too, and the operator is told.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from bonafide.errors import ParseFailed
from bonafide.matching.text.folding import fold
from bonafide.model.entry import EntityKind, ListedEntity
from bonafide.sources.context import FetchContext, ParseContext, Resource
from bonafide.sources.downloads import download_in_turn
from bonafide.sources.listed_dates import birth_dates
from bonafide.sources.listed_party import names, remarks
from bonafide.sources.regulation_names import Party, read_party, split_names
from bonafide.sources.regulation_schedules import is_regulation, read_regulation
from bonafide.sources.sanctions.ca_sanctions_terrorist_entities.feed import FeedEntry, read_feed
from bonafide.sources.sanctions.ca_sanctions_terrorist_entities.kinds import kind_by_words, kind_in_criminal_code
from bonafide.sources.sanctions.ca_sanctions_terrorist_entities.names import forms, plain_name

CRIMINAL_CODE = "SOR/2002-284"
"""The regulation that the feed follows."""


@dataclass(frozen=True, slots=True)
class _Listing:
    """A listed name with all that either place says of it."""

    number: str
    label: str | None
    party: Party
    entry: FeedEntry | None = None


async def fetch(context: FetchContext) -> list[Resource]:
    """The feed and both regulations. Raises a `SourceError` when one of them can't be had."""
    # A regulation changes once in years, which doesn't make the list old.
    return [replace(resource, as_of=None) for resource in await download_in_turn(context, context.metadata.resources)]


def parse(resources: Sequence[Resource], context: ParseContext) -> Iterator[ListedEntity]:
    """The entries of the regulations, each with its entry in the feed, then those that only the feed has."""
    laws = [resource for resource in resources if is_regulation(resource)]
    entries = _feed_entries([resource for resource in resources if resource not in laws], context)
    used: Counter[str] = Counter()
    followed = False
    for resource in laws:
        regulation = read_regulation(resource)
        followed |= regulation.number == CRIMINAL_CODE
        for item in regulation.items:
            context.row()
            party = read_party(item.text)
            entry = entries.pop(_key(party.name), None) if regulation.number == CRIMINAL_CODE else None
            if entry is not None:
                context.merge()
            yield _entity(_Listing(regulation.number, item.label, party, entry), used, context)
    for entry in entries.values():
        yield _entity(_Listing(CRIMINAL_CODE, None, Party(entry.title or "", ()), entry), used, context)
    if entries and followed:
        context.note(f"entities that only the feed lists: {len(entries):,}, such as {next(iter(entries.values())).title}")


def _feed_entries(resources: Iterable[Resource], context: ParseContext) -> dict[str, FeedEntry]:
    """The feed's entries by name. Raises `ParseFailed` for a feed without any."""
    entries: dict[str, FeedEntry] = {}
    for resource in resources:
        rows = context.report.rows
        for entry in read_feed(resource, context):
            context.row()
            if entry.title is None:
                context.reject(resource, entry.line, "no title")
            elif _key(entry.title) in entries:
                context.reject(resource, entry.line, "an entity that was listed before")
            else:
                entries[_key(entry.title)] = entry
        if context.report.rows == rows:
            raise ParseFailed(f"{context.metadata.key}: {resource.name}: there is no entry in it")
    return entries


def _key(name: str) -> str:
    """The same for a name in both places: without brackets, apostrophes, dashes and capitals."""
    return " ".join(fold(plain_name(name)).replace("'", "").replace("-", " ").replace(".", "").split())


def _entity(listing: _Listing, used: Counter[str], context: ParseContext) -> ListedEntity:
    party, entry = listing.party, listing.entry
    told = names(plain_name(party.name), _all_names(listing))
    key = f"{listing.number} | {listing.label or told.main}"
    used[key] += 1
    person = _kind(listing) is EntityKind.PERSON
    return ListedEntity(
        entry_id=key if used[key] == 1 else f"{key} #{used[key]}",
        source_url=entry.link if entry is not None else None,
        entity_type=_kind(listing),
        name=told.main,
        aliases=told.aliases,
        weak_aliases=told.weak,
        programs=(context.metadata.terms.get(listing.number, listing.number),),
        listing_date=entry.published if entry is not None else None,
        date_of_birth=party.birth if person else None,
        birth_dates=birth_dates(party.birth) if person else (),
        remarks=remarks({"": [party.remark or "", entry.about or "" if entry is not None else ""]}),
    )


def _all_names(listing: _Listing) -> list[tuple[str, bool]]:
    """The forms of the name itself, of the regulation's other names and of the feed's."""
    printed = [listing.party.name, *listing.party.aliases]
    if listing.entry is not None:
        printed += [listing.entry.title or "", *split_names(listing.entry.aliases or "")]
    return [*forms(printed), *((name, True) for name in listing.party.unsure)]


def _kind(listing: _Listing) -> EntityKind:
    if listing.number != CRIMINAL_CODE:
        return kind_by_words(listing.party.name, listing.party.birth)
    entry = listing.entry
    aliases = [*listing.party.aliases, *(split_names(entry.aliases or "") if entry is not None else [])]
    return kind_in_criminal_code(listing.party.name, aliases)
