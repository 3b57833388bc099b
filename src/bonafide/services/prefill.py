"""Pre-fill: canonical businesses offered while a person types a name, from the registers that are loaded."""

import asyncio

from bonafide.errors import SegmentCorrupt
from bonafide.model.entry import RegistryEntry, SourceKind
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.organization import Principal, World
from bonafide.model.result import Candidate, Prefill
from bonafide.runtime import Runtime
from bonafide.sources.base import Source


async def prefill(runtime: Runtime, principal: Principal, query: str, jurisdiction: Jurisdiction | None, limit: int) -> Prefill:
    """At most `limit` businesses whose name starts with, or has words that start with, what was typed; best first."""
    registers = [
        source
        for source in runtime.sources.values()
        if source.metadata.kind is SourceKind.REGISTRY and jurisdiction in {None, source.metadata.jurisdiction}
    ]
    return await asyncio.to_thread(_complete, runtime, principal.world, registers, query, limit)


def _complete(runtime: Runtime, world: World, registers: list[Source], query: str, limit: int) -> Prefill:
    found: list[tuple[float, RegistryEntry]] = []
    for source in registers:
        try:
            generation = runtime.generations[world].current(source.key)
        except SegmentCorrupt:
            continue  # logged where it was found; a person who types is offered what the others have
        if generation is None:
            continue
        segment = generation.segment
        hits = segment.complete(query, limit)
        found += [(hit.score, RegistryEntry.model_validate_json(segment.payload(hit.document))) for hit in hits]
    found.sort(key=lambda pair: (-pair[0], pair[1].legal_name, pair[1].entry_id))
    return Prefill(candidates=tuple(_candidate(score, entry) for score, entry in found[:limit]))


def _candidate(score: float, entry: RegistryEntry) -> Candidate:
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
