"""Screen one subject against sanctions lists.

A list that could not be screened is an error in the result, never a list without matches.
"""

import asyncio
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter
from types import MappingProxyType

from bonafide.concurrency.deadline import NO_DEADLINE, Deadline
from bonafide.concurrency.executors import run_cpu_bound
from bonafide.errors import InvalidInput, SourceErrorCode, SourceTimeout
from bonafide.i18n.message import Message, join_sentences, join_values
from bonafide.matching.scoring.word_rarity import WordRarity
from bonafide.matching.screening.name_parsing import ParsedSubject, parse_subject
from bonafide.matching.screening.name_warnings import find_name_warnings
from bonafide.matching.screening.party_matching import (
    ListedNameComparator,
    ParsedListedEntity,
    UnreadListedEntity,
    parse_listed_entity,
    rank_parties,
)
from bonafide.model.accounts.organizations import World
from bonafide.model.entry import ListedEntity, SourceKind
from bonafide.model.query import ScreeningSubject
from bonafide.model.search.match import Baseline, SanctionsMatch, Screening, ScreeningStatus, UnscreenedList
from bonafide.model.search.result import CheckError
from bonafide.observability.tracing import span
from bonafide.runtime import Runtime
from bonafide.services.indexing.word_rarity import get_loaded_rarity
from bonafide.services.lookup.source_result import SourceResult, build_failed_result, compute_elapsed_ms, record_metrics
from bonafide.services.results.document_parts import Dismissals, build_sanctions_match, find_check_error, to_screened_list
from bonafide.services.screening.list_cache import LoadedScreeningLists, ScreeningCandidate, open_lists
from bonafide.sources.framework.discovery import Source

NOT_LOADED = Message("No data is loaded.")
MAX_MATCHES = 100
"""The maximum number of returned matches; `totalMatches` counts all of them."""
QUERY_FIELD = "query"
"""The field of a screening that has the screened name."""
NO_DISMISSALS: Dismissals = MappingProxyType({})


def find_unscreened_lists(results: Sequence[SourceResult]) -> tuple[UnscreenedList, ...]:
    """The lists that failed, and those without loaded data."""
    return tuple(item for item in map(_to_unscreened_list, results) if item is not None)


def _to_unscreened_list(result: SourceResult) -> UnscreenedList | None:
    key, error = result.source.key, result.error
    if error is not None:
        return UnscreenedList(source=key, code=error.code, message=error.message, retryable=error.is_retryable)
    if result.origin is not None:
        return None
    metadata = result.source.metadata
    # For a list that can't be downloaded automatically, the access note explains how to import a file of it.
    note = result.note or metadata.access_note or NOT_LOADED
    message = Message("{source}: {reason}", source=metadata.title, reason=note)
    return UnscreenedList(source=key, code=SourceErrorCode.UNAVAILABLE, message=message, retryable=True)


def find_incompleteness(results: Sequence[SourceResult]) -> CheckError | None:
    """Why a screening is incomplete, with the keys of all missing lists; None if all lists were screened."""
    missing = find_unscreened_lists(results)
    if len(results) != 1 and len(missing) == len(results):
        return find_check_error(SourceKind.SANCTIONS, results)
    if not missing:
        return None
    first, *others = missing
    message = Message("{list} was not screened: {reason}", list=first.source, reason=first.message)
    if others:
        keys = join_values([item.source for item in others])
        message = join_sentences(message, Message("Also not screened: {lists}.", lists=keys))
    return CheckError(code=first.code, message=message, retryable=first.retryable)


@dataclass(frozen=True, slots=True)
class ScreeningResult:
    """A screening, and why it is incomplete, if it is. `counts` has the number of all matches of each list."""

    screening: Screening
    results: tuple[SourceResult, ...]
    error: CheckError | None
    counts: Mapping[str, int] = field(default_factory=dict)


async def screen_subject(
    runtime: Runtime, world: World, subject: ScreeningSubject | str, threshold: float, sources: Sequence[Source] | None = None
) -> ScreeningResult:
    """Screen a subject, or only a name, against these lists, by default all. Never raises for a list that fails.

    The first call after a start, or after a list has changed, loads the lists into memory.
    """
    if sources is None:
        sources = [source for source in runtime.sources.values() if source.metadata.kind is SourceKind.SANCTIONS]
    parsed = parse_subject(ScreeningSubject(subject) if isinstance(subject, str) else subject)
    with span("check sanctions"):
        results = (await query_lists(runtime, world, parsed, threshold, sources)).results
        done = await run_cpu_bound(build_screening_result, parsed, results, threshold, await get_loaded_rarity(runtime, world))
    runtime.metrics.count_screening(classify_outcome(done.screening, done.error))
    return done


def classify_outcome(screening: Screening, error: CheckError | None) -> str:
    """The outcome of a screening as a label for the metrics."""
    if screening.status is ScreeningStatus.NOT_SCREENED:
        return "not_screened"
    if error is not None:
        return "incomplete"
    return "matches" if screening.total_matches > 0 else "clear"


@dataclass(frozen=True, slots=True)
class QueriedLists:
    """The results of lists, and the lists as they were loaded; None if they were not opened in time."""

    results: tuple[SourceResult, ...]
    lists: LoadedScreeningLists | None


async def query_lists(
    runtime: Runtime,
    world: World,
    subject: ParsedSubject,
    threshold: float,
    sources: Sequence[Source],
    deadline: Deadline = NO_DEADLINE,
) -> QueriedLists:
    """Query these lists for candidate parties. Lists that are not read by the deadline have failed."""
    if not sources:
        return QueriedLists((), None)
    started = perf_counter()
    lists = None
    try:
        async with deadline.timeout():
            rarity = await get_loaded_rarity(runtime, world)
            lists = await asyncio.to_thread(open_lists, runtime, world, sources)
            results = await run_cpu_bound(lists.find_candidates, subject, threshold, rarity)
    except TimeoutError:
        elapsed_ms = compute_elapsed_ms(started)
        results = [build_failed_result(source, _build_timeout(source, elapsed_ms), elapsed_ms) for source in sources]
    record_metrics(runtime, results)
    return QueriedLists(tuple(results), lists)


def _build_timeout(source: Source, elapsed_ms: int) -> SourceTimeout:
    seconds = elapsed_ms / 1000
    return SourceTimeout(Message("{source} did not respond within {seconds:.3g} s", source=source.metadata.title, seconds=seconds))


def screen_against(lists: LoadedScreeningLists, subject: ScreeningSubject, threshold: float, rarity: WordRarity) -> ScreeningResult:
    """Screen a subject against open lists: pure and CPU-bound, some milliseconds."""
    parsed = parse_subject(subject)
    return build_screening_result(parsed, lists.find_candidates(parsed, threshold, rarity), threshold, rarity)


def build_screening_result(
    subject: ParsedSubject,
    results: Sequence[SourceResult],
    threshold: float,
    rarity: WordRarity,
    baseline: Baseline = Baseline.QUERY,
    dismissals: Dismissals = NO_DISMISSALS,
) -> ScreeningResult:
    """The screening by the results of the lists, with matches best first.

    A name that cannot be screened and has no matches is not screened: its lists have failed, with the reason as their error.
    """
    matches: list[SanctionsMatch] = []
    comparator = ListedNameComparator(subject, rarity)
    for result in results:
        if result.origin is not None:
            ranked = rank_parties(comparator, _read_parties(result), floor=threshold)
            matches += [build_sanctions_match(item, result.source, result.origin, baseline, dismissals) for item in ranked]
    matches.sort(key=lambda match: -match.legal_name.match_score)
    checked = find_name_warnings(subject, QUERY_FIELD)
    obstacle = checked.obstacle if not matches else None
    if obstacle is not None:
        results = [_fail_result(result, obstacle) for result in results]
    screening = Screening(
        query=subject.subject.name,
        status=ScreeningStatus.SCREENED if obstacle is None else ScreeningStatus.NOT_SCREENED,
        reason=obstacle,
        warnings=checked.warnings,
        total_matches=len(matches),
        matches=tuple(matches[:MAX_MATCHES]),
        lists=tuple(item for item in map(to_screened_list, results) if item is not None),
        lists_not_screened=find_unscreened_lists(results),
    ).with_open_hits()
    is_unsuitable = obstacle is not None and any(isinstance(result.error, InvalidInput) for result in results)
    error = _build_check_error(obstacle) if obstacle is not None and is_unsuitable else find_incompleteness(results)
    counts = Counter(match.source for match in matches)
    return ScreeningResult(screening, tuple(results), error, counts)


def _fail_result(result: SourceResult, obstacle: Message) -> SourceResult:
    """The result of a list that was searched for a name that cannot be screened."""
    if not result.is_conclusive or result.error is not None:
        return result
    return replace(result, origin=None, candidates=(), error=InvalidInput(obstacle))


def _build_check_error(obstacle: Message) -> CheckError:
    """The error of a screening of a name that cannot be screened."""
    return CheckError(code=SourceErrorCode.INVALID_INPUT, message=obstacle, retryable=False)


def _read_parties(result: SourceResult) -> Iterator[ParsedListedEntity | UnreadListedEntity]:
    """The parties of the candidates; those from memory have parsed names, and are read if these are similar."""
    for candidate in result.candidates:
        if isinstance(candidate, ScreeningCandidate):
            yield candidate.to_party()
        elif isinstance(entry := candidate.read(), ListedEntity):
            yield parse_listed_entity(entry)
