"""Rate search results, and collect the facts of a search for the record that it refers to."""

from collections.abc import Sequence
from datetime import date

from bonafide.concurrency.executors import run_cpu_bound
from bonafide.matching.ownership.roll_up import roll_up
from bonafide.matching.risk.evaluation import CompiledRules, rate_facts
from bonafide.matching.risk.record_facts import OWNERSHIP_PATHS, SCREENING_PATHS, SEARCH_PATHS, build_ownership_facts
from bonafide.matching.risk.search_facts import build_search_facts
from bonafide.model.search.result import SearchResult, SearchStatus
from bonafide.services.ownership.claims import JoinedStatements
from bonafide.services.risk.record_rating import CheckFacts

_UNRATED = frozenset({SearchStatus.LOADING, SearchStatus.ERROR})


def rate_result(rules: CompiledRules | None, result: SearchResult, stated_industry: str | None) -> SearchResult:
    """The result with its rating; without one if there are no rules, or the search has found out nothing. CPU-bound."""
    if rules is None or result.meta.status in _UNRATED:
        return result.model_copy(update={"risk": None})
    return result.model_copy(update={"risk": rate_facts(rules, build_search_facts(result, stated_industry))})


def list_search_facts(result: SearchResult, stated_industry: str | None) -> list[CheckFacts]:
    """The facts of a search for its record; none of a search that has found out nothing."""
    if result.meta.status in _UNRATED:
        return []
    paths = (*SEARCH_PATHS, *SCREENING_PATHS) if result.sanctions is not None else SEARCH_PATHS
    return [CheckFacts(build_search_facts(result, stated_industry), paths)]


async def read_ownership_facts(joined: JoinedStatements | None, day: date) -> Sequence[CheckFacts]:
    """The facts of the ownership statements of a record; `joined` is None without any."""
    if joined is None:
        return [CheckFacts(build_ownership_facts(None, (), day), OWNERSHIP_PATHS)]

    def build() -> CheckFacts:
        countries = sorted({country for party in joined.parties for country in party.countries})
        return CheckFacts(build_ownership_facts(roll_up(joined.to_claims(), (), day), countries, day), OWNERSHIP_PATHS)

    return [await run_cpu_bound(build)]
