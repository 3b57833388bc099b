"""Score, explain and sort the entries that match a query.

The services add match ids, sources and dates.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Generic, TypeVar

from bonafide.i18n.message import Message
from bonafide.matching.entries.evidence import (
    AddressEvidence,
    apply_evidence,
    build_address_field,
    build_name_field,
    find_address_evidence,
)
from bonafide.matching.entries.query import Query
from bonafide.matching.identifiers.number_evidence import (
    NumberEvidence,
    NumberOutcome,
    build_number_field,
    find_number_evidence,
    list_published_numbers,
)
from bonafide.matching.names.best_name_match import NameMatch, find_best_match
from bonafide.matching.names.business_name_comparison import create_candidate_filters
from bonafide.matching.names.candidate_filter import CandidateFilter
from bonafide.matching.names.entry_names import parse_names_of_entries
from bonafide.matching.scoring import score_parameters
from bonafide.matching.scoring.word_rarity import STATIC_RARITY, WordRarity
from bonafide.model.entity import StatusCode
from bonafide.model.entry import BusinessEntry, RegistryEntry, RegulatoryEntry
from bonafide.model.search.match import FieldMatch

_FEWEST_FILTERED = 3
"""Names of fewer entries are compared without filters, which would cost more than the comparisons."""
E = TypeVar("E", bound=RegistryEntry | BusinessEntry)


@dataclass(frozen=True, slots=True)
class RankedEntry(Generic[E]):
    """A matching entry: the score of its best name, that name, and the score with the evidence.

    `explain` builds the compared fields, which explain the score, anew at each call. They cost more than the score, so they are
    built only for matches that are shown.
    """

    entry: E
    name_score: float
    matched_name: str
    score: float
    explain: Callable[[], tuple[FieldMatch, ...]] = field(compare=False, repr=False)


@dataclass(slots=True)
class _WeighedEntry(Generic[E]):
    """An entry with the components of its score."""

    entry: E
    name: NameMatch
    number: NumberEvidence
    address: AddressEvidence | None
    score: float
    rough: float
    is_limited: bool = False
    """Whether another entry has the requested number."""

    @property
    def has_requested_number(self) -> bool:
        """Whether the entry has the registration number of the query."""
        return self.number.outcome is NumberOutcome.EQUAL

    def order(self) -> tuple[float, bool, bool, bool, float, str, str]:
        """Best first, regardless of the order in which entries were given."""
        entry, inactive = self.entry, self.entry.status_code is not StatusCode.ACTIVE
        other_number, other_form = not self.has_requested_number, not self.name.same_form
        return -self.score, other_number, other_form, inactive, -self.rough, entry.entry_id, _get_register(entry)


def _get_register(entry: RegistryEntry | BusinessEntry) -> str:
    # Entries of several registers are ranked together; their ids are unique only within a register.
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

    If an entry has the requested registration number, the entries without it score less than the best one with it, but no less than
    `floor`. Equal scores are ordered by requested number, same legal form, active status, the estimate of the index (`rough`, one
    for each entry, if known) and entry id.
    """
    if not entries:
        return []
    read = parse_names_of_entries(entries)
    least = compute_minimum_name_score(query, floor)
    filters = create_query_filters(query, least, len(entries), rarity)
    items = []
    for entry, names, estimate in zip(entries, read, rough or [0.0] * len(entries), strict=True):
        match = find_best_match(query.parsed_names, names, rarity, least, filters)
        if match is not None and (item := _score_entry(query, entry, match, estimate)).score >= floor:
            items.append(item)
    items = _limit_other_numbers(items, floor)
    items.sort(key=_WeighedEntry.order)
    return [_to_ranked_entry(query, item) for item in items[:limit]]


def _limit_other_numbers(items: list[_WeighedEntry[E]], floor: float) -> list[_WeighedEntry[E]]:
    """Limit the scores of entries without the requested number, if another entry has it."""
    best = max((item.score for item in items if item.has_requested_number), default=None)
    if best is None:
        return items
    limit = max(round(best - score_parameters.BELOW_EQUAL_NUMBER, score_parameters.DECIMALS), floor)
    return [item if item.has_requested_number else replace(item, score=min(item.score, limit), is_limited=True) for item in items]


def compute_minimum_name_score(query: Query, floor: float) -> float:
    """The name score below which no evidence can raise an entry to the floor."""
    if query.registration_number is not None:
        return 0.0
    return floor - score_parameters.ADDRESS_AGREES if query.address is not None else floor


def create_query_filters(query: Query, least: float, count: int, rarity: WordRarity) -> list[CandidateFilter]:
    """A filter for each name of the query, for `count` entries whose names must score `least`; none where they save no time."""
    if least <= 0 or count < _FEWEST_FILTERED:
        return []
    return create_candidate_filters([name.normal for name in query.parsed_names], rarity)


def _score_entry(query: Query, entry: E, name: NameMatch, rough: float) -> _WeighedEntry[E]:
    number = find_number_evidence(query.registration_number, list_published_numbers(entry))
    address = find_address_evidence(query.address, entry.addresses)
    return _WeighedEntry(entry, name, number, address, apply_evidence(name.score, number, address), rough)


def _to_ranked_entry(query: Query, item: _WeighedEntry[E]) -> RankedEntry[E]:
    return RankedEntry(item.entry, item.name.score, item.name.found.text, item.score, partial(_explain_entry, query, item))


def _explain_entry(query: Query, item: _WeighedEntry[E]) -> tuple[FieldMatch, ...]:
    name = item.name
    return (
        build_name_field(query.name, name.found.text, name.score, name.reason, name.comparison.breakdown()),
        build_number_field(query.registration_number, item.number, is_elsewhere=item.is_limited),
        build_address_field(query.address, item.address),
    )


@dataclass(frozen=True, slots=True)
class NumberLink:
    """A number with its label, and its owner: `Sandbox Boulangerie Ltée (QC 1160000017)`."""

    number: str
    whose: str


def apply_number_link(item: RankedEntry[RegulatoryEntry], link: NumberLink) -> RankedEntry[RegulatoryEntry]:
    """Raise the score of an entry with an equal number, and name the number's owner in the reason of its field."""
    least, share = score_parameters.EQUAL_NUMBER
    score = round(least + share * item.name_score, score_parameters.DECIMALS)
    return replace(item, score=max(item.score, score), explain=partial(_explain_linked_entry, item, link))


def _explain_linked_entry(item: RankedEntry[RegulatoryEntry], link: NumberLink) -> tuple[FieldMatch, ...]:
    return tuple(_explain_number_field(field, link) if field.field == "registrationNumber" else field for field in item.explain())


def _explain_number_field(field: FieldMatch, link: NumberLink) -> FieldMatch:
    reason = Message("{reason}; it is a number of {business}, a match of this search", reason=field.reason, business=link.whose)
    return field.model_copy(update={"reason": reason})
