"""Screening without a search (`POST /sanctions`): validate the request, screen, and build the response.

A standalone screening is not stored; the response contains everything that was requested, found and unavailable. To store a
screening, make it part of a search. `subject_screening` screens names.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from time import perf_counter
from uuid import uuid4

from bonafide.errors import FieldProblem, ValidationFailed
from bonafide.i18n.message import Message, join_values
from bonafide.matching.text.countries import parse_country_code
from bonafide.model.accounts.organizations import Principal
from bonafide.model.entry import SourceKind
from bonafide.model.screening.requests import (
    SOURCE_COUNTS,
    ScreeningAnswer,
    ScreeningMeta,
    ScreeningRequest,
    ScreeningSource,
    ScreeningSubmitted,
)
from bonafide.model.search.result import CheckErrors, SearchStatus, SearchWarning
from bonafide.runtime import Runtime
from bonafide.services.results.document_parts import is_any_searched
from bonafide.services.screening.dismissals import apply_dismissals
from bonafide.services.screening.subject_screening import ScreeningResult, screen_subject
from bonafide.sources.framework.discovery import Source


async def create_screening(runtime: Runtime, principal: Principal, request: ScreeningRequest) -> ScreeningAnswer:
    """Screen a name; a failed list is an error in the response. Raises `ValidationFailed` for unknown lists or countries."""
    started, screened_at = perf_counter(), runtime.clock()
    submitted = _normalize_countries(runtime, request.submitted())
    subject = submitted.subject()
    found = await screen_subject(runtime, principal.world, subject, submitted.threshold, _select_lists(runtime, submitted))
    screening = await apply_dismissals(runtime, principal.organization_id, found.screening, subject)
    return ScreeningAnswer(
        meta=ScreeningMeta(
            screening_id=uuid4(),
            screened_at=screened_at,
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
