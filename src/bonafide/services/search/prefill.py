"""Suggest businesses of the loaded registers while a person types a name.

One query of the combined index of the registers replaces a query of each register and returns the same suggestions. Each register
is queried separately where they could differ:

- The combined index orders names with equal scores differently. Its hits are used only if they include every name whose score is
  at least that of the last suggestion, and if no register has more of these than the limit of its own query.
- A register in which several typed words match nothing returns names that contain all words but the last, and the last one anywhere
  in their text. Registers without hits are therefore queried separately, unless every suggestion has a higher score than such a
  match. The hits of the combined index can all be such matches, unless the first one has a higher score.
"""

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import ConfigDict

from bonafide.index import ANY_FACETS, FacetFilter, Generation, NameIndex
from bonafide.index.search.short_prefixes import NAMES_PER_PREFIX
from bonafide.index.search.typeahead import BEST_INNER_SCORE
from bonafide.matching.entries.index_terms import to_typed_form
from bonafide.model.accounts.organizations import Principal, World
from bonafide.model.base import Document
from bonafide.model.entry import SourceKind
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.loading import REGISTERS, CombinedIndexRecord
from bonafide.model.search.result import Candidate, Prefill
from bonafide.runtime import Runtime
from bonafide.services.indexing.combined_index import (
    CurrentGenerations,
    compute_generation_identity,
    get_current_generations,
    get_usable_index,
    read_source_document,
)
from bonafide.sources.framework.discovery import Source

_COMBINED_HITS = NAMES_PER_PREFIX
"""The number of hits of the combined index: more are not stored for the most frequent prefixes."""


async def prefill(runtime: Runtime, principal: Principal, query: str, jurisdiction: Jurisdiction | None, limit: int) -> Prefill:
    """At most `limit` businesses whose name, or words of it, start with the typed text; best first."""
    registers = [
        source
        for source in runtime.sources.values()
        if source.metadata.kind is SourceKind.REGISTRY and jurisdiction in {None, source.metadata.jurisdiction}
    ]
    return await asyncio.to_thread(_complete_name, runtime, principal.world, registers, query, limit)


def _complete_name(runtime: Runtime, world: World, registers: list[Source], query: str, limit: int) -> Prefill:
    current = get_current_generations(runtime, world, registers)
    combined = get_usable_index(runtime.combined_indexes.get(world), REGISTERS)
    offers = _complete_combined(combined, current, query, limit)
    if offers is None:
        offers = [
            _Completion(hit.score, generation.index, hit.document)
            for generation in current.values()
            for hit in generation.index.complete(query, limit)
        ]
    best = sorted(((offer.score, offer.read()) for offer in _select_best(offers, limit)), key=_get_sort_key)
    return Prefill(candidates=tuple(_to_candidate(score, entry) for score, entry in best[:limit]))


class _OfferedBusiness(Document):
    """The fields of a stored entry that a suggestion shows; the others are ignored."""

    model_config = ConfigDict(extra="ignore")

    entry_id: str
    jurisdiction: Jurisdiction
    legal_name: str
    registration_numbers: tuple["_OfferedNumber", ...] = ()
    entity_type: str | None = None
    status: str | None = None
    addresses: tuple["_OfferedAddress", ...] = ()


class _OfferedNumber(Document):
    model_config = ConfigDict(extra="ignore")

    value: str


class _OfferedAddress(Document):
    model_config = ConfigDict(extra="ignore")

    city: str | None = None
    province: str | None = None


@dataclass(frozen=True, slots=True)
class _Completion:
    """A business that one register suggests; `read` reads its entry."""

    score: float
    index: NameIndex
    document: int

    def read(self) -> _OfferedBusiness:
        return _OfferedBusiness.model_validate_json(self.index.payload(self.document))


def _complete_combined(
    combined: Generation[CombinedIndexRecord] | None, current: CurrentGenerations, query: str, limit: int
) -> list[_Completion] | None:
    """The suggestions of the registers, read from the combined index; None if their own indexes may return others."""
    if combined is None or not current or limit >= _COMBINED_HITS:
        return None
    made_from = combined.manifest.generations
    if any(made_from.get(key) != compute_generation_identity(generation) for key, generation in current.items()):
        return None
    where = ANY_FACETS if current.keys() == made_from.keys() else FacetFilter(kinds=frozenset(current))
    hits = combined.index.complete(query, _COMBINED_HITS, where)
    lowest = hits[limit - 1].score if len(hits) >= limit else 0.0
    may_match_in_part = lowest <= BEST_INNER_SCORE and " " in to_typed_form(query)
    if len(hits) == _COMBINED_HITS and hits[-1].score == lowest:
        return None
    if may_match_in_part and not (hits and hits[0].score > BEST_INNER_SCORE):
        return None
    offers, counts = [], Counter[str]()
    for hit in hits:
        if hit.score >= lowest:
            key, document = read_source_document(combined, hit)
            offers.append(_Completion(hit.score, current[key].index, document))
            counts[key] += 1
    if any(count > limit for count in counts.values()):
        return None
    if may_match_in_part:
        others = (current[key].index for key in current.keys() - counts.keys())
        offers += [_Completion(hit.score, index, hit.document) for index in others for hit in index.complete(query, limit)]
    return offers


def _select_best(offers: Sequence[_Completion], limit: int) -> list[_Completion]:
    """The best suggestions, and all others with the same score as the last of them; only these entries are read."""
    scores = sorted((offer.score for offer in offers), reverse=True)
    return [offer for offer in offers if offer.score >= scores[min(limit, len(scores)) - 1]]


def _get_sort_key(offered: tuple[float, _OfferedBusiness]) -> tuple[float, str, str, str]:
    """Best first; the order of equal scores does not depend on the order of the registers."""
    score, entry = offered
    return -score, entry.legal_name, entry.entry_id, entry.jurisdiction


def _to_candidate(score: float, entry: _OfferedBusiness) -> Candidate:
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
