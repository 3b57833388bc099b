"""Suggest businesses of the loaded registers while a person types a name."""

import asyncio
from dataclasses import dataclass

from bonafide.errors import SegmentCorrupt
from bonafide.index import NameIndex
from bonafide.model.accounts.organizations import Principal, World
from bonafide.model.entry import RegistryEntry, SourceKind
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.search.result import Candidate, Prefill
from bonafide.runtime import Runtime
from bonafide.sources.framework.discovery import Source


async def prefill(runtime: Runtime, principal: Principal, query: str, jurisdiction: Jurisdiction | None, limit: int) -> Prefill:
    """At most `limit` businesses whose name, or words of it, start with the typed text; best first."""
    registers = [
        source
        for source in runtime.sources.values()
        if source.metadata.kind is SourceKind.REGISTRY and jurisdiction in {None, source.metadata.jurisdiction}
    ]
    return await asyncio.to_thread(_complete_name, runtime, principal.world, registers, query, limit)


def _complete_name(runtime: Runtime, world: World, registers: list[Source], query: str, limit: int) -> Prefill:
    offers: list[_Completion] = []
    for source in registers:
        try:
            generation = runtime.generations[world].current(source.key)
        except SegmentCorrupt:
            continue  # logged where it was found; the other registers still return suggestions
        if generation is not None:
            offers += [_Completion(hit.score, generation.index, hit.document) for hit in generation.index.complete(query, limit)]
    best = sorted(((offer.score, offer.read()) for offer in _select_best(offers, limit)), key=_get_sort_key)
    return Prefill(candidates=tuple(_to_candidate(score, entry) for score, entry in best[:limit]))


@dataclass(frozen=True, slots=True)
class _Completion:
    """A business that one register suggests, not read yet."""

    score: float
    index: NameIndex
    document: int

    def read(self) -> RegistryEntry:
        return RegistryEntry.model_validate_json(self.index.payload(self.document))


def _select_best(offers: list[_Completion], limit: int) -> list[_Completion]:
    """The best suggestions, and all others with the same score as the last of them; only these entries are read."""
    scores = sorted((offer.score for offer in offers), reverse=True)
    return [offer for offer in offers if offer.score >= scores[min(limit, len(scores)) - 1]]


def _get_sort_key(offered: tuple[float, RegistryEntry]) -> tuple[float, str, str, str]:
    """Best first; the order of equal scores does not depend on the order of the registers."""
    score, entry = offered
    return -score, entry.legal_name, entry.entry_id, entry.jurisdiction


def _to_candidate(score: float, entry: RegistryEntry) -> Candidate:
    address = entry.addresses[0] if entry.addresses else None
    return Candidate(
        name=entry.legal_name,
        jurisdiction=entry.jurisdiction,
        jurisdiction_label=entry.jurisdiction.label,
        registration_number=entry.registration_numbers[0].value if entry.registration_numbers else None,
        status=entry.status,
        entity_type=entry.entity_type,
        city=address.city if address is not None else None,
        province=address.province if address is not None else None,
        score=round(score, 4),
    )
