"""From a query and entries to scored, explained, sorted matches.

It knows nothing of where entries come from: ids of matches, sources and dates are joined on by the services.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import Generic, TypeVar

from bonafide.matching import features
from bonafide.matching.best_name import NameMatch, best_match
from bonafide.matching.comparison import NameComparison
from bonafide.matching.entry_names import ReadName, names_of, read_name
from bonafide.matching.evidence import AddressEvidence, address_evidence, address_field, weighed
from bonafide.matching.listed import ListedName, Subject, compare_subject, listed_name, subject
from bonafide.matching.number_evidence import NumberEvidence, number_evidence, number_field, published_numbers
from bonafide.matching.rarity import STATIC, Rarity
from bonafide.model.entity import StatusCode
from bonafide.model.entry import ListedEntity, RegistryEntry, RegulatoryEntry
from bonafide.model.match import FieldMatch, NameBreakdown, NameScore
from bonafide.model.query import Query

E = TypeVar("E", RegistryEntry, RegulatoryEntry)


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
    """A listed entity that matches: the score of its best name, that name, and the score of each distinct name, best first."""

    entry: ListedEntity
    score: float
    matched_name: str
    name_scores: tuple[NameScore, ...]
    fields: tuple[FieldMatch, ...]


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


def _register(entry: RegistryEntry | RegulatoryEntry) -> str:
    # Entries of several registers are ranked together, and their ids are unique in each only.
    return entry.jurisdiction if isinstance(entry, RegistryEntry) else ""


def rank_entries(
    query: Query, entries: Sequence[E], *, floor: float, limit: int | None, rarity: Rarity = STATIC, rough: Sequence[float] = ()
) -> list[Ranked[E]]:
    """The entries that score at least `floor`, best first, at most `limit`.

    Between equal scores the one with the same legal form comes first, then an active one, then the one that the index found more
    alike (`rough`, one for each entry, if known), then the lower entry id.
    """
    asked = read_name(query.name)
    read: list[list[ReadName]] = [names_of(entry) for entry in entries]
    least = _least_name_score(query, floor)
    items = []
    for entry, names, estimate in zip(entries, read, rough or repeat(0.0), strict=False):
        match = best_match(asked, names, rarity, least)
        if match is not None and (item := _weigh(query, entry, match, estimate)).score >= floor:
            items.append(item)
    items.sort(key=_Weighed.order)
    return [_explained(query, item) for item in items[:limit]]


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


@dataclass(frozen=True, slots=True)
class _ListedMatch:
    """One name of a listed entity, compared."""

    name: str
    comparison: NameComparison
    is_weak: bool

    @property
    def score(self) -> float:
        return min(self.comparison.score, features.WEAK_ALIAS_CAP) if self.is_weak else self.comparison.score

    @property
    def reason(self) -> str:
        return f"{self.comparison.reason} (an alias that the list calls weak)" if self.is_weak else self.comparison.reason


def rank_listed(name: str, entries: Sequence[ListedEntity], *, floor: float, rarity: Rarity = STATIC) -> list[RankedListing]:
    """The listed entities that score at least `floor`, best first; between equal scores the lower entry id comes first.

    A match on a name that its list itself calls weak scores at most 0.9.
    """
    screened = subject(name)
    read = [[listed_name(name, entry.entity_type) for name in dict.fromkeys(entry.searchable_names())] for entry in entries]
    ranked = []
    for entry, names in zip(entries, read, strict=True):
        matches = _compared(screened, entry, names, rarity)
        if matches[0].score >= floor:
            ranked.append(_listing(name, entry, matches))
    ranked.sort(key=lambda listing: (-listing.score, listing.entry.entry_id))
    return ranked


def _compared(screened: Subject, entry: ListedEntity, names: Iterable[ListedName], rarity: Rarity) -> list[_ListedMatch]:
    """Its distinct names, best first."""
    weak = set(entry.weak_aliases) - {entry.name, *entry.aliases}
    matches = [_ListedMatch(name.text, compare_subject(screened, name, rarity), name.text in weak) for name in names]
    matches.sort(key=lambda match: -match.score)
    return matches


def _listing(asked: str, entry: ListedEntity, names: Sequence[_ListedMatch]) -> RankedListing:
    best = names[0]
    reason = best.reason if best.name == entry.name else f"listed alias: {best.reason}"
    scores = tuple(NameScore(name=item.name, score=item.score) for item in names)
    field = _name_field(asked, best.name, best.score, reason, best.comparison.breakdown())
    return RankedListing(entry, best.score, best.name, scores, (field,))
