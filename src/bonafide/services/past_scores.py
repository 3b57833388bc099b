"""The scores that past searches have stored: of a whole result only as much as thresholds decide upon.

It reads; what thresholds make of the scores is reckoned in `threshold_preview`. Entries that lay below a threshold when the search
was made are not in its document, and so are not here.
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

NEWEST = 200
"""Searches: enough to see what a change does, few enough to read them while a slider moves."""


class _Part(BaseModel):
    """A part of a stored document that leaves out all that it does not name."""

    model_config = ConfigDict(alias_generator=to_camel, frozen=True, extra="ignore")


class ComparedField(_Part):
    """One compared field of a match."""

    field: str
    status: FieldStatus


class PastScore(_Part):
    """How well a match matched."""

    score: float
    fields: tuple[ComparedField, ...] = ()


class PastLink(_Part):
    """Another registration of the same business."""

    match_id: UUID
    relation: Relation


class PastMatch(_Part):
    """A match in a register."""

    match_id: UUID
    source: str
    match: PastScore
    related_matches: tuple[PastLink, ...] = ()


class PastHit(_Part):
    """An entry of a regulator or listing, or a party of a sanctions list."""

    match: PastScore


class PastScreening(_Part):
    """What the sanctions lists had."""

    matches: tuple[PastHit, ...]


class PastParams(_Part):
    """What was asked for, and from which scores on entries were stored."""

    regulatory_registry: bool
    regulatory_registry_threshold: float
    sanctions_threshold: float


class PastSubmitted(_Part):
    """The search as it was submitted."""

    name: str | None
    params: PastParams


class PastMeta(_Part):
    """Which search it was."""

    search_id: UUID
    searched_at: Instant
    submitted: PastSubmitted


class PastSearch(_Part):
    """One past search: its scores, and the thresholds that applied."""

    meta: PastMeta
    businesses: tuple[PastMatch, ...] | None
    regulatory: dict[str, tuple[PastHit, ...]]
    listings: dict[str, tuple[PastHit, ...]] | None = None
    sanctions: PastScreening | None

    @property
    def entries(self) -> list[float]:
        """The scores of what regulators and listings had; both go by one threshold."""
        sections = [*self.regulatory.values(), *(self.listings or {}).values()]
        return [hit.match.score for hits in sections for hit in hits]

    @property
    def hits(self) -> list[float]:
        """The scores of what sanctions lists had."""
        return [hit.match.score for hit in self.sanctions.matches] if self.sanctions is not None else []


async def past_searches(runtime: Runtime, organization_id: UUID) -> list[PastSearch]:
    """The organization's newest searches that have a result, the newest first."""
    async with runtime.store.read() as connection:
        documents = await list_newest_documents(connection, organization_id, NEWEST)
    return await asyncio.to_thread(_read, documents)


def _read(documents: Iterable[str]) -> list[PastSearch]:
    return [PastSearch.model_validate_json(document) for document in documents]
