"""Sanctions screening: one name against every list that is loaded, alone or as a part of a search.

A list that could not be screened is an error in the answer, never an empty match.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from bonafide.matching.rank import rank_listed
from bonafide.matching.rarity import Rarity
from bonafide.model.entry import ListedEntity, SourceKind
from bonafide.model.match import SanctionsMatch, Screening
from bonafide.model.organization import World
from bonafide.model.query import Query
from bonafide.model.result import CheckError
from bonafide.runtime import Runtime
from bonafide.services.assemble import check_error, sanctions_match, screened_list
from bonafide.services.lookup import Lookup, look_up_all
from bonafide.services.rarity import loaded_rarity

MAX_MATCHES = 100
"""Of the best that are sent; `totalMatches` counts all that were scored high enough."""


@dataclass(frozen=True, slots=True)
class Screened:
    """A screening, and why it is incomplete, if it is. `lookups` are the lists that were asked."""

    screening: Screening
    lookups: tuple[Lookup, ...]
    error: CheckError | None


async def screen(runtime: Runtime, world: World, name: str, threshold: float) -> Screened:
    """Screen a name against every list. Never raises for a list that fails."""
    lists = [source for source in runtime.sources.values() if source.metadata.kind is SourceKind.SANCTIONS]
    lookups = await look_up_all(runtime, world, Query(name=name), lists)
    return screened(name, lookups, threshold, await loaded_rarity(runtime, world))


def screened(name: str, lookups: Sequence[Lookup], threshold: float, rarity: Rarity) -> Screened:
    """The screening that came of asking the lists; matches best first."""
    matches = [match for lookup in lookups for match in _matches(name, lookup, threshold, rarity)]
    matches.sort(key=lambda match: -match.legal_name.match_score)
    lists = tuple(item for item in map(screened_list, lookups) if item is not None)
    screening = Screening(query=name, total_matches=len(matches), matches=tuple(matches[:MAX_MATCHES]), lists=lists)
    return Screened(screening, tuple(lookups), check_error("sanctions list", lookups))


def _matches(name: str, lookup: Lookup, threshold: float, rarity: Rarity) -> list[SanctionsMatch]:
    load = lookup.load
    if load is None:
        return []
    entries = [entry for entry in (candidate.read() for candidate in lookup.candidates) if isinstance(entry, ListedEntity)]
    ranked = rank_listed(name, entries, floor=threshold, rarity=rarity)
    return [sanctions_match(item, lookup.source, load) for item in ranked]
