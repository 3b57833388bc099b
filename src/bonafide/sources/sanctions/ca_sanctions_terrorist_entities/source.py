"""Canada's terrorist entities: the feed joined to its regulation, and the names of a second regulation.

A group in feed and regulation is one entry with the names of both. Groups in only one of them are entries too; a note reports
those that are only in the feed.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from bonafide.errors import ParseFailed
from bonafide.i18n.message import Message
from bonafide.matching.text.folding import fold
from bonafide.model.entry import EntityKind, ListedEntity
from bonafide.sources.framework.context import FetchContext, ParseContext, Resource
from bonafide.sources.framework.downloads import download_sequentially
from bonafide.sources.sanctions.ca_sanctions_terrorist_entities.feed import TerroristFeedEntry, read_feed
from bonafide.sources.sanctions.ca_sanctions_terrorist_entities.group_names import (
    classify_by_words,
    classify_criminal_code_name,
    generate_name_forms,
    strip_brackets,
)
from bonafide.sources.shared.lists.birth_dates import parse_birth_dates
from bonafide.sources.shared.lists.party_fields import build_names, format_remarks
from bonafide.sources.shared.lists.regulations import RegulationParty, is_regulation, parse_party, read_regulation, split_names

CRIMINAL_CODE = "SOR/2002-284"
"""The regulation that the feed is derived from."""


@dataclass(frozen=True, slots=True)
class _TerroristListing:
    """A listed name with the data of both sources."""

    number: str
    label: str | None
    party: RegulationParty
    entry: TerroristFeedEntry | None = None


async def fetch(context: FetchContext) -> list[Resource]:
    """Download the feed and both regulations. Raises a `SourceError` if one of them is unavailable."""
    # Regulations change rarely; their dates are not the date of the list.
    return [replace(resource, as_of=None) for resource in await download_sequentially(context, context.metadata.resources)]


def parse(resources: Sequence[Resource], context: ParseContext) -> Iterator[ListedEntity]:
    """Yield the entries of the regulations, each joined to its entry in the feed, then those that are only in the feed."""
    laws = [resource for resource in resources if is_regulation(resource)]
    entries = _read_feed_entries([resource for resource in resources if resource not in laws], context)
    used: Counter[str] = Counter()
    followed = False
    for resource in laws:
        regulation = read_regulation(resource)
        followed |= regulation.number == CRIMINAL_CODE
        for item in regulation.items:
            context.row()
            party = parse_party(item.text)
            entry = entries.pop(_normalize_name(party.name), None) if regulation.number == CRIMINAL_CODE else None
            if entry is not None:
                context.merge()
            yield _build_entity(_TerroristListing(regulation.number, item.label, party, entry), used, context)
    for entry in entries.values():
        yield _build_entity(_TerroristListing(CRIMINAL_CODE, None, RegulationParty(entry.title or "", ()), entry), used, context)
    if entries and followed:
        example = next(iter(entries.values())).title or ""
        context.note(
            Message("Entities that are only in the feed: {count:,}, for example {example}", count=len(entries), example=example)
        )


def _read_feed_entries(resources: Iterable[Resource], context: ParseContext) -> dict[str, TerroristFeedEntry]:
    """Return the feed's entries by name. Raises `ParseFailed` for an empty feed."""
    entries: dict[str, TerroristFeedEntry] = {}
    for resource in resources:
        rows = context.report.rows
        for entry in read_feed(resource, context):
            context.row()
            if entry.title is None:
                context.reject(resource, entry.line, Message("the entry has no title"))
            elif _normalize_name(entry.title) in entries:
                context.reject(resource, entry.line, Message("the entity is listed twice"))
            else:
                entries[_normalize_name(entry.title)] = entry
        if context.report.rows == rows:
            raise ParseFailed(Message("{file}: the file contains no listed parties", file=resource.name))
    return entries


def _normalize_name(name: str) -> str:
    """Return a key for comparing names: without brackets, apostrophes, hyphens, periods and case."""
    return " ".join(fold(strip_brackets(name)).replace("'", "").replace("-", " ").replace(".", "").split())


def _build_entity(listing: _TerroristListing, used: Counter[str], context: ParseContext) -> ListedEntity:
    party, entry = listing.party, listing.entry
    names = build_names(strip_brackets(party.name), _collect_names(listing))
    key = f"{listing.number} | {listing.label or names.main}"
    used[key] += 1
    person = _classify_kind(listing) is EntityKind.PERSON
    return ListedEntity(
        entry_id=key if used[key] == 1 else f"{key} #{used[key]}",
        source_url=entry.link if entry is not None else None,
        entity_type=_classify_kind(listing),
        name=names.main,
        aliases=names.aliases,
        weak_aliases=names.weak,
        programs=(context.metadata.terms.get(listing.number, listing.number),),
        listing_date=entry.published if entry is not None else None,
        date_of_birth=party.birth if person else None,
        birth_dates=parse_birth_dates(party.birth) if person else (),
        remarks=format_remarks({"": [party.remark or "", entry.about or "" if entry is not None else ""]}),
    )


def _collect_names(listing: _TerroristListing) -> list[tuple[str, bool]]:
    """Return the forms of the name, of the regulation's other names and of the feed's names."""
    printed = [listing.party.name, *listing.party.aliases]
    if listing.entry is not None:
        printed += [listing.entry.title or "", *split_names(listing.entry.aliases or "")]
    return [*generate_name_forms(printed), *((name, True) for name in listing.party.unsure)]


def _classify_kind(listing: _TerroristListing) -> EntityKind:
    if listing.number != CRIMINAL_CODE:
        return classify_by_words(listing.party.name, listing.party.birth)
    entry = listing.entry
    aliases = [*listing.party.aliases, *(split_names(entry.aliases or "") if entry is not None else [])]
    return classify_criminal_code_name(listing.party.name, aliases)
