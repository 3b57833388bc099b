"""Read the scores of stored searches, as far as thresholds depend on them.

`threshold_simulation` applies other thresholds to them. Entries below the threshold of the search are not in its document, and
so are not included.
"""

import asyncio
from collections.abc import Iterable
from uuid import UUID

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel

from bonafide.model.base import Instant
from bonafide.model.search.match import FieldStatus, Relation
from bonafide.runtime import Runtime
from bonafide.store.records.searches import list_newest_documents

MAX_SEARCHES = 200
"""Searches: enough to see what a change does, few enough to read them while a slider moves."""


class _StoredPart(BaseModel):
    """A part of a stored document that leaves out all that it does not name."""

    model_config = ConfigDict(alias_generator=to_camel, frozen=True, extra="ignore")


class StoredComparedField(_StoredPart):
    """One compared field of a match."""

    field: str
    status: FieldStatus


class StoredMatchScore(_StoredPart):
    """How well a match matched."""

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
    """What the sanctions lists had."""

    matches: tuple[StoredHit, ...]


class StoredSearchParams(_StoredPart):
    """What was asked for, and from which scores on entries were stored."""

    regulatory_registry: bool
    regulatory_registry_threshold: float
    sanctions_threshold: float


class StoredSubmission(_StoredPart):
    """The search as it was submitted."""

    name: str | None
    params: StoredSearchParams


class StoredSearchMeta(_StoredPart):
    """Which search it was."""

    search_id: UUID
    searched_at: Instant
    submitted: StoredSubmission


class StoredSearchScores(_StoredPart):
    """One past search: its scores, and the thresholds that applied."""

    meta: StoredSearchMeta
    businesses: tuple[StoredRegistryMatch, ...] | None
    regulatory: dict[str, tuple[StoredHit, ...]]
    listings: dict[str, tuple[StoredHit, ...]] | None = None
    sanctions: StoredScreening | None

    @property
    def entries(self) -> list[float]:
        """The scores of what regulators and listings had; both go by one threshold."""
        sections = [*self.regulatory.values(), *(self.listings or {}).values()]
        return [hit.match.score for hits in sections for hit in hits]

    @property
    def hits(self) -> list[float]:
        """The scores of what sanctions lists had."""
        return [hit.match.score for hit in self.sanctions.matches] if self.sanctions is not None else []


async def read_stored_scores(runtime: Runtime, organization_id: UUID) -> list[StoredSearchScores]:
    """The organization's newest searches that have a result, the newest first."""
    async with runtime.store.read() as connection:
        documents = await list_newest_documents(connection, organization_id, MAX_SEARCHES)
    return await asyncio.to_thread(_parse_documents, documents)


def _parse_documents(documents: Iterable[str]) -> list[StoredSearchScores]:
    return [StoredSearchScores.model_validate_json(document) for document in documents]
