"""Screening without a search (`POST /sanctions`): validate the request, screen, and build the result.

The result contains everything that was requested, found and unavailable. `subject_screening` screens names; `history` stores
results.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from difflib import get_close_matches
from time import perf_counter
from uuid import UUID, uuid4

from bonafide.concurrency.executors import run_cpu_bound
from bonafide.errors import FieldProblem, ValidationFailed
from bonafide.i18n.message import Message, join_values
from bonafide.matching.screening.name_parsing import parse_subject
from bonafide.matching.text.countries import parse_country_code
from bonafide.model.accounts.organizations import Principal, Scope, World
from bonafide.model.entry import SourceKind
from bonafide.model.screening.requests import (
    SOURCE_COUNTS,
    ScreeningAnswer,
    ScreeningMeta,
    ScreeningSource,
    ScreeningSubmitted,
)
from bonafide.model.search.result import CheckErrors, SearchStatus, SearchWarning
from bonafide.observability.tracing import span
from bonafide.runtime import Runtime
from bonafide.services.indexing.word_rarity import get_loaded_rarity
from bonafide.services.ownership.claims import JoinedStatements
from bonafide.services.ownership.statements import load_ownership
from bonafide.services.records.business_records import find_record
from bonafide.services.results.document_parts import is_any_searched
from bonafide.services.screening.dismissals import apply_dismissals, apply_dismissals_to_subjects
from bonafide.services.screening.owner_parties import assess_ownership, list_owner_parties
from bonafide.services.screening.party_set import (
    BusinessParty,
    PartyScreener,
    list_record_parties,
    list_submitted_parties,
)
from bonafide.services.screening.subject_screening import (
    ScreeningResult,
    build_screening_result,
    classify_outcome,
    query_lists,
)
from bonafide.sources.framework.discovery import Source


async def screen_submitted(runtime: Runtime, principal: Principal, given: ScreeningSubmitted) -> ScreeningAnswer:
    """Screen a name; a failed list is an error in the result. It is not stored.

    Raises `ValidationFailed` for unknown lists or countries, `NotFound` for an unknown record, and `ScopeMissing` for a record that
    the key may not read.
    """
    started, screened_at, screening_id = perf_counter(), runtime.clock(), uuid4()
    parties: list[BusinessParty] = []
    owned: JoinedStatements | None = None
    if given.business_id is not None:
        principal.check_scope(Scope.BUSINESSES_READ, "businessId")
        record = await find_record(runtime, principal.organization_id, business_id=given.business_id)
        owned = (await load_ownership(runtime, principal.organization_id, given.business_id)).joined
        parties += [*list_record_parties(record), *(list_owner_parties(owned, screened_at.date()) if owned is not None else ())]
    submitted = _normalize_countries(runtime, given)
    parties = [*list_submitted_parties(submitted), *parties]
    found = await _screen(runtime, principal.world, submitted, screening_id, parties)
    subject, business_id = submitted.subject(), submitted.business_id
    screening = await apply_dismissals(runtime, principal.organization_id, found.screening, subject, business_id)
    screening = await apply_dismissals_to_subjects(runtime, principal.organization_id, screening, business_id)
    if owned is not None:
        screening = await run_cpu_bound(assess_ownership, screening, owned, screened_at.date())
    return ScreeningAnswer(
        meta=ScreeningMeta(
            screening_id=screening_id,
            screened_at=screened_at,
            screened_by=principal.identity,
            duration=round((perf_counter() - started) * 1000),
            status=_determine_status(found),
            submitted=submitted,
            warnings=tuple(_find_warnings(submitted)),
        ),
        screening=screening,
        source_counts=_count_matches(found),
        lists=screening.lists,
        errors=CheckErrors(sanctions_screening=found.error) if found.error is not None else None,
    )


async def _screen(
    runtime: Runtime, world: World, submitted: ScreeningSubmitted, screening_id: UUID, parties: Sequence[BusinessParty]
) -> ScreeningResult:
    """The result of the name, with the subjects; all are screened against the same lists."""
    parsed, threshold = parse_subject(submitted.subject()), submitted.threshold
    with span("check sanctions"):
        queried = await query_lists(runtime, world, parsed, threshold, _select_lists(runtime, submitted))
        rarity = await get_loaded_rarity(runtime, world)

        def build() -> ScreeningResult:
            found = build_screening_result(parsed, queried.results, threshold, rarity)
            subjects = PartyScreener(queried.lists, threshold, rarity).screen(screening_id, parties, parsed)
            screening = found.screening.model_copy(update={"subjects": subjects}).with_open_hits()
            return replace(found, screening=screening)

        done = await run_cpu_bound(build)
    runtime.metrics.count_screening(classify_outcome(done.screening, done.error))
    return done


def get_official_lists(runtime: Runtime) -> list[Source]:
    """The lists of their publishers: all except the collection."""
    return [source for source in _get_lists(runtime) if source.key != ScreeningSource.OPENSANCTIONS]


def _get_lists(runtime: Runtime) -> list[Source]:
    return [source for source in runtime.sources.values() if source.metadata.kind is SourceKind.SANCTIONS]


def _select_lists(runtime: Runtime, submitted: ScreeningSubmitted) -> list[Source]:
    if submitted.source is ScreeningSource.OPENSANCTIONS:
        return [source for source in _get_lists(runtime) if source.key == ScreeningSource.OPENSANCTIONS]
    wanted = submitted.sources
    return [source for source in get_official_lists(runtime) if wanted is None or source.key in wanted]


def _normalize_countries(runtime: Runtime, submitted: ScreeningSubmitted) -> ScreeningSubmitted:
    """The same with the country codes that lists use (GB for UK)."""
    countries = tuple(parse_country_code(code) for code in submitted.countries or ())
    problems = [
        *_find_unknown_values("sources", submitted.sources or (), [source.key for source in get_official_lists(runtime)]),
        *(
            FieldProblem(f"countries.{place}", Message("must be an ISO 3166-1 alpha-2 country code"))
            for place, code in enumerate(countries)
            if code is None
        ),
        *(
            FieldProblem(f"subjects.{number}.countries.{place}", Message("must be an ISO 3166-1 alpha-2 country code"))
            for number, subject in enumerate(submitted.subjects)
            for place, code in enumerate(subject.countries or ())
            if parse_country_code(code) is None
        ),
    ]
    if problems:
        sentence = Message("The request is invalid: {path}: {problem}", path=problems[0].path, problem=problems[0].message)
        raise ValidationFailed(sentence, details=problems)
    known = tuple(dict.fromkeys(code for code in countries if code is not None))
    return submitted.model_copy(update={"countries": known}) if known else submitted


def _find_unknown_values(path: str, given: Sequence[str], known: Sequence[str]) -> Iterator[FieldProblem]:
    for place, key in enumerate(given):
        if key not in known:
            near = get_close_matches(key, known, n=1)
            if near:
                problem = Message("“{key}” is not an official list; did you mean “{near}”?", key=key, near=near[0])
            elif known:
                problem = Message("“{key}” is not an official list; available: {lists}", key=key, lists=join_values(known))
            else:
                problem = Message("“{key}” is not an official list; no list is available", key=key)
            yield FieldProblem(f"{path}.{place}", problem)


def _find_warnings(submitted: ScreeningSubmitted) -> Iterator[SearchWarning]:
    if submitted.source is ScreeningSource.OPENSANCTIONS and submitted.sources is not None:
        yield SearchWarning(
            path="sources", message=Message("applies to the official lists only; the whole collection was screened")
        )


def _count_matches(found: ScreeningResult) -> dict[str, int]:
    """The number of matches of each list, including those beyond the returned ones."""
    names = {
        **SOURCE_COUNTS,
        **{result.source.key: result.source.key for result in found.results if result.source.key not in SOURCE_COUNTS},
    }
    counts = Counter(found.counts)
    return {name: counts[key] for key, name in names.items()}


def _determine_status(found: ScreeningResult) -> SearchStatus:
    if found.error is None:
        return SearchStatus.COMPLETED
    return SearchStatus.COMPLETED_WITH_ERRORS if is_any_searched(found.results) else SearchStatus.ERROR
