"""Screening without a search (`POST /sanctions`): validate the request, screen, and build the result.

The result contains everything that was requested, found and unavailable. `subject_screening` screens names; `history` stores
results.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from time import perf_counter
from uuid import uuid4

from bonafide.errors import FieldProblem, ValidationFailed
from bonafide.i18n.message import Message, join_values
from bonafide.matching.text.countries import parse_country_code
from bonafide.model.accounts.organizations import Principal, Scope
from bonafide.model.entry import SourceKind
from bonafide.model.screening.requests import (
    SOURCE_COUNTS,
    ScreeningAnswer,
    ScreeningMeta,
    ScreeningSource,
    ScreeningSubmitted,
)
from bonafide.model.search.result import CheckErrors, SearchStatus, SearchWarning
from bonafide.runtime import Runtime
from bonafide.services.ownership.claims import JoinedStatements
from bonafide.services.ownership.statements import load_ownership
from bonafide.services.records.business_records import find_record
from bonafide.services.results.document_parts import is_any_searched
from bonafide.services.screening.party_screening import ScreeningPlan, screen_with_parties
from bonafide.services.screening.party_set import BusinessParty, list_record_parties, list_submitted_parties
from bonafide.services.screening.subject_screening import ScreeningResult
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
        parties += list_record_parties(record)
    submitted = _normalize_countries(runtime, given)
    plan = ScreeningPlan(
        screening_id=screening_id,
        organization_id=principal.organization_id,
        world=principal.world,
        subject=submitted.subject(),
        threshold=submitted.threshold,
        sources=_select_lists(runtime, submitted),
        parties=[*list_submitted_parties(submitted), *parties],
        business_id=submitted.business_id,
        owned=owned,
        day=screened_at.date(),
        lists_left_out=_find_left_out_lists(runtime, submitted),
    )
    found = await screen_with_parties(runtime, plan)
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
        screening=found.screening,
        source_counts=_count_matches(found),
        lists=found.screening.lists,
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


def _find_left_out_lists(runtime: Runtime, submitted: ScreeningSubmitted) -> list[str]:
    """The official lists that the request doesn't choose. The collection contains them."""
    if submitted.source is ScreeningSource.OPENSANCTIONS or submitted.sources is None:
        return []
    return [source.key for source in get_official_lists(runtime) if source.key not in submitted.sources]


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
