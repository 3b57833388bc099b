"""Score, explain and sort the entries that match a query.

It knows nothing of where entries come from: the services add ids of matches, sources and dates.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import repeat
from typing import Generic, TypeVar

from bonafide.matching.entries.evidence import AddressEvidence, apply_evidence, build_address_field, find_address_evidence
from bonafide.matching.entries.query import Query
from bonafide.matching.identifiers.number_evidence import (
    NumberEvidence,
    build_number_field,
    find_number_evidence,
    list_published_numbers,
)
from bonafide.matching.names.best_name_match import NameMatch, find_best_match
from bonafide.matching.names.entry_names import parse_names_of_entries
from bonafide.matching.scoring import score_parameters
from bonafide.matching.scoring.word_rarity import STATIC_RARITY, WordRarity
from bonafide.matching.screening.name_parsing import ParsedSubject
from bonafide.matching.screening.party_matching import ParsedListedEntity, ScreenedParty, score_party
from bonafide.model.entity import StatusCode
from bonafide.model.entry import BusinessEntry, ListedEntity, RegistryEntry, RegulatoryEntry
from bonafide.model.search.match import FieldMatch, NameBreakdown, NameScore, ScoreChange

E = TypeVar("E", bound=RegistryEntry | BusinessEntry)


@dataclass(frozen=True, slots=True)
class RankedEntry(Generic[E]):
    """An entry that matches: the score of its best name, that name, the score with the evidence, and the fields that explain it."""

    entry: E
    name_score: float
    matched_name: str
    score: float
    fields: tuple[FieldMatch, ...]


@dataclass(frozen=True, slots=True)
class RankedParty:
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
class _WeighedEntry(Generic[E]):
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
        return -self.score, not self.name.same_form, inactive, -self.rough, self.entry.entry_id, _get_register(self.entry)


def _get_register(entry: RegistryEntry | BusinessEntry) -> str:
    # Entries of several registers are ranked together, and their ids are unique in each only.
    return entry.jurisdiction if isinstance(entry, RegistryEntry) else ""


def rank_entries(
    query: Query,
    entries: Sequence[E],
    *,
    floor: float,
    limit: int | None,
    rarity: WordRarity = STATIC_RARITY,
    rough: Sequence[float] = (),
) -> list[RankedEntry[E]]:
    """The entries that score at least `floor`, best first, at most `limit`.

    Between equal scores the one with the same legal form comes first, then an active one, then the one that the index found more
    alike (`rough`, one for each entry, if known), then the lower entry id.
    """
    read = parse_names_of_entries(entries)
    least = _compute_minimum_name_score(query, floor)
    items = []
    for entry, names, estimate in zip(entries, read, rough or repeat(0.0), strict=False):
        match = find_best_match(query.parsed_names, names, rarity, least)
        if match is not None and (item := _score_entry(query, entry, match, estimate)).score >= floor:
            items.append(item)
    items.sort(key=_WeighedEntry.order)
    return [_explain_entry(query, item) for item in items[:limit]]


def _compute_minimum_name_score(query: Query, floor: float) -> float:
    """The score below which no evidence can lift a name to the floor."""
    if query.registration_number is not None:
        return 0.0
    return floor - score_parameters.ADDRESS_AGREES if query.address is not None else floor


def _score_entry(query: Query, entry: E, name: NameMatch, rough: float) -> _WeighedEntry[E]:
    number = find_number_evidence(query.registration_number, list_published_numbers(entry))
    address = find_address_evidence(query.address, entry.addresses)
    return _WeighedEntry(entry, name, number, address, apply_evidence(name.score, number, address), rough)


def _explain_entry(query: Query, item: _WeighedEntry[E]) -> RankedEntry[E]:
    name = item.name
    fields = (
        _build_name_field(query.name, name.found.text, name.score, name.reason, name.comparison.breakdown()),
        build_number_field(query.registration_number, item.number),
        build_address_field(query.address, item.address),
    )
    return RankedEntry(item.entry, name.score, name.found.text, item.score, fields)


def _build_name_field(asked: str, found: str, score: float, reason: str, breakdown: NameBreakdown) -> FieldMatch:
    return FieldMatch(
        field="legalName",
        label="Legal name",
        score=score,
        status=score_parameters.to_field_status(score),
        submitted=asked,
        found=found,
        reason=reason,
        breakdown=breakdown,
    )


# ------------------------------------------------------------------------------------------------------ sanctions lists


def rank_parties(
    subject: ParsedSubject, parties: Iterable[ParsedListedEntity], *, floor: float, rarity: WordRarity = STATIC_RARITY
) -> list[RankedParty]:
    """The listed parties that score at least `floor`, best first; between equal scores the lower entry id comes first."""
    ranked = [_to_ranked_party(found) for party in parties if (found := score_party(subject, party, floor, rarity)) is not None]
    ranked.sort(key=lambda listing: (-listing.score, listing.entry.entry_id))
    return ranked


def _to_ranked_party(found: ScreenedParty) -> RankedParty:
    changes = found.changes
    return RankedParty(
        entry=found.entry,
        score=found.score,
        matched_name=found.names[0].text,
        name_scores=found.name_scores,
        fields=found.fields,
        penalties=tuple(change for change in changes if change.change < 0),
        lifts=tuple(change for change in changes if change.change > 0),
        reasons=tuple(field.reason for field in found.fields),
    )


@dataclass(frozen=True, slots=True)
class NumberLink:
    """A number, with its label in front, and whose it is: `Sandbox Boulangerie Ltée (QC 1160000017)`."""

    number: str
    whose: str


def apply_number_link(item: RankedEntry[RegulatoryEntry], link: NumberLink) -> RankedEntry[RegulatoryEntry]:
    """Raise the score of an entry that was ranked by its equal number to certainty, and name the number's owner in its field."""
    least, share = score_parameters.EQUAL_NUMBER
    score = round(least + share * item.name_score, score_parameters.DECIMALS)
    fields = tuple(_explain_number_field(field, link) if field.field == "registrationNumber" else field for field in item.fields)
    return replace(item, score=max(item.score, score), fields=fields)


def _explain_number_field(field: FieldMatch, link: NumberLink) -> FieldMatch:
    return field.model_copy(update={"reason": f"{field.reason}; it is a number of {link.whose}, a match of this search"})
