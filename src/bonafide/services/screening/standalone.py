"""Screening without a search (`POST /sanctions`): validate the request, screen, and build the response.

It is not stored: the answer is its caller's record of it, as it holds all that was asked, found and could not be looked at, and a
hit that is dismissed keeps what it was. Who wants a screening kept makes it a part of a search. How a name is screened stands in
`screening`.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from time import perf_counter
from uuid import uuid4

from bonafide.errors import FieldProblem, ValidationFailed
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
    """Screen a name; a list that fails is an error in the answer. Raises `ValidationFailed` for unknown lists or countries."""
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
    """The lists of their publishers: all but the collection that has a source of its own."""
    return [source for source in _get_lists(runtime) if source.key != ScreeningSource.OPENSANCTIONS]


def _get_lists(runtime: Runtime) -> list[Source]:
    return [source for source in runtime.sources.values() if source.metadata.kind is SourceKind.SANCTIONS]


def _select_lists(runtime: Runtime, submitted: ScreeningSubmitted) -> list[Source]:
    if submitted.source is ScreeningSource.OPENSANCTIONS:
        return [source for source in _get_lists(runtime) if source.key == ScreeningSource.OPENSANCTIONS]
    wanted = submitted.sources
    return [source for source in get_official_lists(runtime) if wanted is None or source.key in wanted]


def _normalize_countries(runtime: Runtime, submitted: ScreeningSubmitted) -> ScreeningSubmitted:
    """The same with countries by the codes that lists have (GB for UK)."""
    countries = tuple(parse_country_code(code) for code in submitted.countries or ())
    problems = [
        *_find_unknown_values("sources", submitted.sources or (), [source.key for source in get_official_lists(runtime)]),
        *(
            FieldProblem(f"countries.{place}", "is not the ISO 3166-1 alpha-2 code of a country")
            for place, code in enumerate(countries)
            if code is None
        ),
    ]
    if problems:
        raise ValidationFailed(f"The request is not valid: {problems[0].path}: {problems[0].message}", details=problems)
    known = tuple(dict.fromkeys(code for code in countries if code is not None))
    return submitted.model_copy(update={"countries": known}) if known else submitted


def _find_unknown_values(path: str, given: Sequence[str], known: Sequence[str]) -> Iterator[FieldProblem]:
    for place, key in enumerate(given):
        if key not in known:
            near = get_close_matches(key, known, n=1)
            guess = f"; did you mean '{near[0]}'?" if near else f"; known are {', '.join(known) or 'none'}"
            yield FieldProblem(f"{path}.{place}", f"there is no official list '{key}'{guess}")


def _find_warnings(submitted: ScreeningSubmitted) -> Iterator[SearchWarning]:
    if submitted.source is ScreeningSource.OPENSANCTIONS and submitted.sources is not None:
        yield SearchWarning(path="sources", message="narrows the official lists only; the whole collection was screened")


def _count_matches(found: ScreeningResult) -> dict[str, int]:
    """How many matches each list has, those beyond the ones that are sent among them."""
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
