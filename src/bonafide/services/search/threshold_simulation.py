"""Simulate other thresholds on past searches.

It applies the functions of new searches to stored scores, and changes nothing. Entries below the threshold of a search are not in
its document; such searches are counted as blind. Later choices of people are ignored.
"""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel

from bonafide.model.accounts.account_settings import AccountSettings, MatchSelectionSettings
from bonafide.model.base import Instant
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.search.match import FieldStatus, Relation
from bonafide.model.search.result import CoverageStatus, SelectionStatus
from bonafide.runtime import Runtime
from bonafide.services.accounts.organizations import preview_settings, read_settings
from bonafide.services.results.match_selection import determine_selection, find_named_jurisdictions, find_unsearched_registers
from bonafide.store.records.searches import list_newest_documents

MAX_SEARCHES = 200
"""Searches in a simulation: enough to show the effect of a change, few enough for an interactive response."""
MAX_EXAMPLES = 5
BY_RULE = (SelectionStatus.AUTO_SELECTED, SelectionStatus.NEEDS_REVIEW, SelectionStatus.NO_MATCH_FOUND)
"""The outcomes of a search before any person's choice."""


class _StoredPart(BaseModel):
    """A part of a stored document that ignores all other fields."""

    model_config = ConfigDict(alias_generator=to_camel, frozen=True, extra="ignore")


class StoredComparedField(_StoredPart):
    """One compared field of a match."""

    field: str
    status: FieldStatus


class StoredMatchScore(_StoredPart):
    """The score of a match."""

    score: float
    fields: tuple[StoredComparedField, ...] = ()


class StoredRelatedMatch(_StoredPart):
    """Another registration of the same business."""

    match_id: UUID
    relation: Relation


class StoredRegistryMatch(_StoredPart):
    """A match in a register."""

    match_id: UUID
    source: str
    match: StoredMatchScore
    related_matches: tuple[StoredRelatedMatch, ...] = ()


class StoredHit(_StoredPart):
    """An entry of a regulator or listing, or a party of a sanctions list."""

    match: StoredMatchScore


class StoredScreening(_StoredPart):
    """The matches in sanctions lists."""

    matches: tuple[StoredHit, ...]


class StoredSubmittedAddress(_StoredPart):
    """The province of the submitted address."""

    province: str | None = None


class StoredSearchParams(_StoredPart):
    """The requested checks, the named jurisdictions, and the lowest scores of stored entries."""

    regulatory_registry: bool
    regulatory_registry_threshold: float
    sanctions_threshold: float
    jurisdictions: tuple[Jurisdiction, ...] | None = None
    address: StoredSubmittedAddress | None = None


class StoredSubmission(_StoredPart):
    """The search as it was submitted."""

    name: str | None
    params: StoredSearchParams


class StoredCoverage(_StoredPart):
    """Whether one source was searched."""

    source: str
    kind: str
    jurisdiction: Jurisdiction | None
    status: CoverageStatus


class StoredSearchMeta(_StoredPart):
    """The metadata of the search."""

    search_id: UUID
    searched_at: Instant
    submitted: StoredSubmission
    coverage: tuple[StoredCoverage, ...] = ()


class StoredSearchScores(_StoredPart):
    """One past search: its scores and its thresholds."""

    meta: StoredSearchMeta
    businesses: tuple[StoredRegistryMatch, ...] | None
    regulatory: dict[str, tuple[StoredHit, ...]]
    listings: dict[str, tuple[StoredHit, ...]] | None = None
    sanctions: StoredScreening | None

    @property
    def entries(self) -> list[float]:
        """The scores of entries of regulators and listings, which share one threshold."""
        sections = [*self.regulatory.values(), *(self.listings or {}).values()]
        return [hit.match.score for hits in sections for hit in hits]

    @property
    def hits(self) -> list[float]:
        """The scores of parties in sanctions lists."""
        return [hit.match.score for hit in self.sanctions.matches] if self.sanctions is not None else []


async def read_stored_scores(runtime: Runtime, organization_id: UUID) -> list[StoredSearchScores]:
    """The organization's newest searches with a result, newest first."""
    async with runtime.store.read() as connection:
        documents = await list_newest_documents(connection, organization_id, MAX_SEARCHES)
    return await asyncio.to_thread(_parse_documents, documents)


def _parse_documents(documents: Iterable[str]) -> list[StoredSearchScores]:
    return [StoredSearchScores.model_validate_json(document) for document in documents]


@dataclass(frozen=True, slots=True)
class ScoreThresholds:
    """All thresholds that apply to scores."""

    selection: MatchSelectionSettings
    regulatory: float
    sanctions: float

    @classmethod
    def of(cls, settings: AccountSettings) -> "ScoreThresholds":
        """The thresholds of an account."""
        search = settings.search
        return cls(settings.match_selection, search.regulatory_registry_threshold, search.sanctions_threshold)


@dataclass(frozen=True, slots=True)
class ThresholdOutcome:
    """The outcome of one search under some thresholds. `selection` is None if no register was searched."""

    selection: SelectionStatus | None
    entries: int
    """Shown entries of regulators and listings."""
    hits: int
    """Shown hits of sanctions lists."""


@dataclass(frozen=True, slots=True)
class CountShift:
    """Counts: with both sets of thresholds, only with the current ones, and only with the proposed ones."""

    kept: int
    lost: int
    gained: int

    @property
    def before(self) -> int:
        """The count with the current thresholds."""
        return self.kept + self.lost

    @property
    def after(self) -> int:
        """The count with the proposed thresholds."""
        return self.kept + self.gained


@dataclass(frozen=True, slots=True)
class ChangedSearch:
    """A search that would have a different outcome."""

    search_id: UUID
    name: str | None
    best: float | None
    """The score of its best match."""
    before: ThresholdOutcome
    after: ThresholdOutcome


@dataclass(frozen=True, slots=True)
class ThresholdSimulation:
    """The same searches under two sets of thresholds."""

    searches: int
    changed: int
    """How many searches would have a different outcome."""
    selections: Mapping[SelectionStatus, CountShift]
    """Searches by outcome, without those in which no register was searched."""
    entries: CountShift
    """Shown entries of regulators and listings."""
    hits: CountShift
    """Shown hits of sanctions lists."""
    examples: tuple[ChangedSearch, ...]
    blind_entries: int
    """Searches that did not store regulators' entries down to the proposed threshold."""
    blind_hits: int
    """The same for sanctions lists."""


async def simulate_thresholds(runtime: Runtime, organization_id: UUID, sent: AccountSettings) -> ThresholdSimulation:
    """Simulate proposed settings on the organization's newest searches.

    Raises `ValidationFailed` for inconsistent settings.
    """
    settings = await read_settings(runtime, organization_id)
    proposed = preview_settings(settings, sent)
    searches = await read_stored_scores(runtime, organization_id)
    return await asyncio.to_thread(compare_thresholds, searches, ScoreThresholds.of(settings), ScoreThresholds.of(proposed))


def compare_thresholds(
    searches: Sequence[StoredSearchScores], current: ScoreThresholds, proposed: ScoreThresholds
) -> ThresholdSimulation:
    """Compare proposed with current thresholds. `searches` and examples are newest first; changed selections come first."""
    pairs = [(evaluate_search(search, current), evaluate_search(search, proposed)) for search in searches]
    examples = [
        ChangedSearch(search.meta.search_id, search.meta.submitted.name, _get_best_score(search), before, after)
        for search, (before, after) in zip(searches, pairs, strict=True)
        if before != after
    ]
    examples.sort(key=lambda example: example.before.selection is example.after.selection)
    return ThresholdSimulation(
        searches=len(searches),
        changed=len(examples),
        selections={status: _compute_shift((b.selection is status, a.selection is status) for b, a in pairs) for status in BY_RULE},
        entries=_compute_shift((before.entries, after.entries) for before, after in pairs),
        hits=_compute_shift((before.hits, after.hits) for before, after in pairs),
        examples=tuple(examples[:MAX_EXAMPLES]),
        blind_entries=sum(_is_blind_to_entries(search, proposed.regulatory) for search in searches),
        blind_hits=sum(_is_blind_to_hits(search, proposed.sanctions) for search in searches),
    )


def evaluate_search(search: StoredSearchScores, thresholds: ScoreThresholds) -> ThresholdOutcome:
    """The outcome of a search under some thresholds."""
    selection = None
    if search.businesses is not None:
        params = search.meta.submitted.params
        named = find_named_jurisdictions(params.jurisdictions, params.address.province if params.address is not None else None)
        is_complete = find_unsearched_registers(search.meta.coverage, named) is None
        selection = determine_selection(search.businesses, thresholds.selection, is_complete=is_complete)[0]
    return ThresholdOutcome(
        selection=selection,
        entries=sum(score >= thresholds.regulatory for score in search.entries),
        hits=sum(score >= thresholds.sanctions for score in search.hits),
    )


def _compute_shift(counts: Iterable[tuple[int, int]]) -> CountShift:
    """The shift from counts before to counts after. A lower threshold includes all entries of a higher one."""
    pairs = list(counts)
    kept = sum(min(pair) for pair in pairs)
    return CountShift(kept, sum(before for before, _ in pairs) - kept, sum(after for _, after in pairs) - kept)


def _is_blind_to_entries(search: StoredSearchScores, threshold: float) -> bool:
    params = search.meta.submitted.params
    return params.regulatory_registry and params.regulatory_registry_threshold > threshold


def _is_blind_to_hits(search: StoredSearchScores, threshold: float) -> bool:
    return search.sanctions is not None and search.meta.submitted.params.sanctions_threshold > threshold


def _get_best_score(search: StoredSearchScores) -> float | None:
    return search.businesses[0].match.score if search.businesses else None
