"""From a query and entries to scored, explained, sorted matches.

It knows nothing of where entries come from: ids of matches, sources and dates are joined on by the services.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import repeat
from typing import Generic, TypeVar

from bonafide.matching import features
from bonafide.matching.best_name import NameMatch, best_match
from bonafide.matching.entry_names import ReadName, names_of_all, read_name
from bonafide.matching.evidence import AddressEvidence, address_evidence, address_field, weighed
from bonafide.matching.listed import ReadEntity, ScreenedParty, screen_party
from bonafide.matching.number_evidence import NumberEvidence, number_evidence, number_field, published_numbers
from bonafide.matching.rarity import STATIC, Rarity
from bonafide.matching.screening_names import ReadSubject
from bonafide.model.entity import StatusCode
from bonafide.model.entry import BusinessEntry, ListedEntity, RegistryEntry
from bonafide.model.match import FieldMatch, NameBreakdown, NameScore, ScoreChange
from bonafide.model.query import Query

_REMEMBERED = 256
"""Names asked for; a few are at a time."""
E = TypeVar("E", bound=RegistryEntry | BusinessEntry)


@dataclass(frozen=True, slots=True)
class Ranked(Generic[E]):
    """An entry that matches: the score of its best name, that name, the score with the evidence, and the fields that explain it."""

    entry: E
    name_score: float
    matched_name: str
    score: float
    fields: tuple[FieldMatch, ...]


@dataclass(frozen=True, slots=True)
class RankedListing:
    """A listed party that matches: its score with all evidence, its best name, and the score of each distinct name, best first.

    1 and the changes of `penalties` and `lifts` add up to the score.
    """

    entry: ListedEntity
    score: float
    matched_name: str
    name_scores: tuple[NameScore, ...]
    fields: tuple[FieldMatch, ...]
    penalties: tuple[ScoreChange, ...]
    lifts: tuple[ScoreChange, ...]
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Weighed(Generic[E]):
    """An entry with all that its score was made from."""

    entry: E
    name: NameMatch
    number: NumberEvidence
    address: AddressEvidence | None
    score: float
    rough: float

    def order(self) -> tuple[float, bool, bool, float, str, str]:
        """Best first; the same whichever entry was given first."""
        inactive = self.entry.status_code is not StatusCode.ACTIVE
        return -self.score, not self.name.same_form, inactive, -self.rough, self.entry.entry_id, _register(self.entry)


def _register(entry: RegistryEntry | BusinessEntry) -> str:
    # Entries of several registers are ranked together, and their ids are unique in each only.
    return entry.jurisdiction if isinstance(entry, RegistryEntry) else ""


def rank_entries(
    query: Query, entries: Sequence[E], *, floor: float, limit: int | None, rarity: Rarity = STATIC, rough: Sequence[float] = ()
) -> list[Ranked[E]]:
    """The entries that score at least `floor`, best first, at most `limit`.

    Between equal scores the one with the same legal form comes first, then an active one, then the one that the index found more
    alike (`rough`, one for each entry, if known), then the lower entry id.
    """
    asked = _asked_for(query.name)
    read = names_of_all(entries)
    least = _least_name_score(query, floor)
    items = []
    for entry, names, estimate in zip(entries, read, rough or repeat(0.0), strict=False):
        match = best_match(asked, names, rarity, least)
        if match is not None and (item := _weigh(query, entry, match, estimate)).score >= floor:
            items.append(item)
    items.sort(key=_Weighed.order)
    return [_explained(query, item) for item in items[:limit]]


@lru_cache(maxsize=_REMEMBERED)
def _asked_for(name: str) -> tuple[ReadName, ...]:
    """The name asked for, which is ranked source by source."""
    return tuple(read_name(name))


def _least_name_score(query: Query, floor: float) -> float:
    """The score below which no evidence can lift a name to the floor."""
    if query.registration_number is not None:
        return 0.0
    return floor - features.ADDRESS_AGREES if query.address is not None else floor


def _weigh(query: Query, entry: E, name: NameMatch, rough: float) -> _Weighed[E]:
    number = number_evidence(query.registration_number, published_numbers(entry))
    address = address_evidence(query.address, entry.addresses)
    return _Weighed(entry, name, number, address, weighed(name.score, number, address), rough)


def _explained(query: Query, item: _Weighed[E]) -> Ranked[E]:
    name = item.name
    fields = (
        _name_field(query.name, name.found.text, name.score, name.reason, name.comparison.breakdown()),
        number_field(query.registration_number, item.number),
        address_field(query.address, item.address),
    )
    return Ranked(item.entry, name.score, name.found.text, item.score, fields)


def _name_field(asked: str, found: str, score: float, reason: str, breakdown: NameBreakdown) -> FieldMatch:
    return FieldMatch(
        field="legalName",
        label="Legal name",
        score=score,
        status=features.field_status(score),
        submitted=asked,
        found=found,
        reason=reason,
        breakdown=breakdown,
    )


# ------------------------------------------------------------------------------------------------------ sanctions lists


def rank_read(subject: ReadSubject, parties: Iterable[ReadEntity], *, floor: float, rarity: Rarity = STATIC) -> list[RankedListing]:
    """The listed parties that score at least `floor`, best first; between equal scores the lower entry id comes first."""
    ranked = [_listing(found) for party in parties if (found := screen_party(subject, party, floor, rarity)) is not None]
    ranked.sort(key=lambda listing: (-listing.score, listing.entry.entry_id))
    return ranked


def _listing(found: ScreenedParty) -> RankedListing:
    changes = found.changes
    return RankedListing(
        entry=found.entry,
        score=found.score,
        matched_name=found.names[0].text,
        name_scores=found.name_scores,
        fields=found.fields,
        penalties=tuple(change for change in changes if change.change < 0),
        lifts=tuple(change for change in changes if change.change > 0),
        reasons=tuple(field.reason for field in found.fields),
    )
