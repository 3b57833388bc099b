"""Replay a version of the risk rules on past searches. It changes nothing."""

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from uuid import UUID

from pydantic import ConfigDict

from bonafide.concurrency.executors import run_cpu_bound
from bonafide.errors import ValidationFailed
from bonafide.i18n.message import Message
from bonafide.matching.risk.condition_language import ConditionError
from bonafide.matching.risk.evaluation import CompiledRules, compile_rules, rate_facts
from bonafide.model.base import Document
from bonafide.model.risk.rating import RiskAssessment
from bonafide.model.risk.replay import ReplayedBand, ReplayedRating, ReplayedResult, RiskReplay
from bonafide.model.search.result import SearchResult, SearchStatus
from bonafide.runtime import Runtime
from bonafide.services.risk.active_rules import get_active_rules
from bonafide.services.risk.result_rating import collect_search_facts
from bonafide.services.risk.rule_versions import load_version
from bonafide.store.records import business_traits
from bonafide.store.records.searches import list_newest_documents

MAX_RESULTS = 200
"""Searches in a replay: enough to show the effect of a change, few enough for a response within seconds."""
MAX_EXAMPLES = 10
_BATCH = 20
"""Searches that are rated at a time, so that other callers get their turn in between."""


class _StoredIndustry(Document):
    """The industry of a stored record; its other fields are not parsed."""

    model_config = ConfigDict(extra="ignore")
    id: UUID
    naics_code: str | None = None


class _PastResult:
    """A past search with its facts."""

    __slots__ = ("after", "before", "name", "search_id", "searched_at")

    def __init__(self, result: SearchResult, before: RiskAssessment | None, after: RiskAssessment) -> None:
        self.search_id, self.name = result.meta.search_id, result.meta.submitted.name
        self.searched_at = result.meta.searched_at
        self.before, self.after = before, after


async def replay_rules(runtime: Runtime, organization_id: UUID, version: int, since: datetime | None) -> RiskReplay:
    """Rate the newest searches by a version and by the active rules. Raises `NotFound`, and `ValidationFailed` for old rules."""
    async with runtime.store.read() as connection:
        rules = await load_version(connection, organization_id, version)
        active = await get_active_rules(connection, organization_id)
        documents = await list_newest_documents(connection, organization_id, MAX_RESULTS, since)
    try:
        compiled = compile_rules(rules.to_json())
    except ConditionError as error:
        raise ValidationFailed(Message("The rules are not valid in this release: {problem}", problem=error.problem)) from None
    past: list[_PastResult] = []
    with runtime.compute_for(organization_id):
        for start in range(0, len(documents), _BATCH):
            results = await run_cpu_bound(_parse_results, documents[start : start + _BATCH])
            industries = await _load_industries(runtime, organization_id, results)
            past += await run_cpu_bound(_rate_results, results, industries, active, compiled)
    return await asyncio.to_thread(_summarize, past, active, compiled)


def _parse_results(documents: Sequence[str]) -> list[SearchResult]:
    results = map(SearchResult.model_validate_json, documents)
    return [result for result in results if result.meta.status is not SearchStatus.ERROR]


async def _load_industries(runtime: Runtime, organization_id: UUID, results: Sequence[SearchResult]) -> Mapping[UUID, str | None]:
    """The industries of the records of these searches, as they are now."""
    wanted = {business_id for result in results if (business_id := result.meta.submitted.business_id) is not None}
    if not wanted:
        return {}
    async with runtime.store.read() as connection:
        documents = await business_traits.list_documents(connection, organization_id, wanted)
    return {record.id: record.naics_code for record in map(_StoredIndustry.model_validate_json, documents)}


def _rate_results(
    results: Sequence[SearchResult],
    industries: Mapping[UUID, str | None],
    active: CompiledRules | None,
    compiled: CompiledRules,
) -> list[_PastResult]:
    found = []
    for result in results:
        business_id = result.meta.submitted.business_id
        facts = collect_search_facts(result, industries.get(business_id) if business_id is not None else None)
        before = rate_facts(active, facts) if active is not None else None
        found.append(_PastResult(result, before, rate_facts(compiled, facts)))
    return found


def _summarize(past: Sequence[_PastResult], active: CompiledRules | None, compiled: CompiledRules) -> RiskReplay:
    before = Counter(one.before.band for one in past if one.before is not None)
    after = Counter(one.after.band for one in past)
    names = [band.name for band in compiled.rules.bands]
    if active is not None:
        names = list(dict.fromkeys([*names, *(band.name for band in active.rules.bands)]))
    changed = [one for one in past if one.before is None or one.before.band != one.after.band]
    changed.sort(key=lambda one: -abs(one.after.points - (one.before.points if one.before is not None else 0)))
    return RiskReplay(
        version=compiled.rules.version,
        active_version=active.rules.version if active is not None else None,
        results=len(past),
        changed=len(changed) if active is not None else 0,
        incomplete=sum(not one.after.is_complete for one in past),
        bands=tuple(
            ReplayedBand(name=name, before=before[name] if active is not None else None, after=after[name]) for name in names
        ),
        examples=tuple(
            ReplayedResult(
                search_id=one.search_id,
                name=one.name,
                searched_at=one.searched_at,
                before=_shorten(one.before) if one.before is not None else None,
                after=_shorten(one.after),
            )
            for one in changed[:MAX_EXAMPLES]
        ),
    )


def _shorten(rating: RiskAssessment) -> ReplayedRating:
    return ReplayedRating(band=rating.band, points=rating.points, is_complete=rating.is_complete, rule_ids=rating.rule_ids)
