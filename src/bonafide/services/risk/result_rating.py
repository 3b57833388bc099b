"""Rate search results, and collect the facts of a search for the record that it refers to."""

from collections.abc import Sequence
from datetime import date

from bonafide.concurrency.executors import run_cpu_bound
from bonafide.matching.ownership.roll_up import roll_up
from bonafide.matching.risk.evaluation import CompiledRules, rate_facts
from bonafide.matching.risk.record_facts import OWNERSHIP_PATHS, SCREENING_PATHS, SEARCH_PATHS, build_ownership_facts
from bonafide.matching.risk.search_facts import RatedSelection, build_search_facts
from bonafide.model.accounts.account_settings import MatchSelectionSettings
from bonafide.model.risk.facts import Facts
from bonafide.model.search.result import SearchResult, SearchStatus
from bonafide.services.ownership.claims import JoinedStatements
from bonafide.services.results.match_selection import determine_selection, find_named_jurisdictions, find_unsearched_registers
from bonafide.services.risk.record_rating import CheckFacts

_UNRATED = frozenset({SearchStatus.LOADING, SearchStatus.ERROR})


def collect_search_facts(result: SearchResult, stated_industry: str | None) -> Facts:
    """The facts of a search. Where match selection is disabled, a match is selected by its default thresholds. CPU-bound."""
    return build_search_facts(result, _determine_selection(result), stated_industry)


def _determine_selection(result: SearchResult) -> RatedSelection:
    selection = result.match_selection
    if selection is not None:
        return RatedSelection(selection.status, selection.selected_match_id)
    if result.businesses is None:
        return RatedSelection(None, None)
    params = result.meta.submitted.params
    named = find_named_jurisdictions(params.jurisdictions, params.address.province if params.address is not None else None)
    is_complete = find_unsearched_registers(result.meta.coverage, named) is None
    return RatedSelection(*determine_selection(result.businesses, MatchSelectionSettings(), is_complete=is_complete))


def rate_result(rules: CompiledRules | None, result: SearchResult, stated_industry: str | None) -> SearchResult:
    """The result with its rating; without one if there are no rules, or the search has found out nothing. CPU-bound."""
    if rules is None or result.meta.status in _UNRATED:
        return result.model_copy(update={"risk": None})
    return result.model_copy(update={"risk": rate_facts(rules, collect_search_facts(result, stated_industry))})


def list_search_facts(result: SearchResult, stated_industry: str | None) -> list[CheckFacts]:
    """The facts of a search for its record; none of a search that has found out nothing."""
    if result.meta.status in _UNRATED:
        return []
    paths = (*SEARCH_PATHS, *SCREENING_PATHS) if result.sanctions is not None else SEARCH_PATHS
    return [CheckFacts(collect_search_facts(result, stated_industry), paths)]


async def read_ownership_facts(joined: JoinedStatements | None, day: date) -> Sequence[CheckFacts]:
    """The facts of the ownership statements of a record; `joined` is None without any."""
    if joined is None:
        return [CheckFacts(build_ownership_facts(None, (), day), OWNERSHIP_PATHS)]

    def build() -> CheckFacts:
        countries = sorted({country for party in joined.parties for country in party.countries})
        return CheckFacts(build_ownership_facts(roll_up(joined.to_claims(), (), day), countries, day), OWNERSHIP_PATHS)

    return [await run_cpu_bound(build)]
