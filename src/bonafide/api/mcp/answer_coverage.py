"""What was checked for an answer, and what could not be checked, by the documents of the API."""

from collections.abc import Iterable, Iterator

from bonafide.api.mcp.tool_answers import CheckedSource
from bonafide.i18n.message import Message
from bonafide.model.monitoring.evaluations import Evaluation, EvaluationOutcome, MonitoredSource
from bonafide.model.search.match import Screening, ScreeningStatus
from bonafide.model.search.result import CheckErrors, Coverage, CoverageStatus, SearchResult
from bonafide.model.verification.registry_report import RegistryReport
from bonafide.services.catalog.coverage import SourceCoverage

_CHECKED = frozenset({CoverageStatus.SEARCHED, CoverageStatus.STALE})
_UNKNOWN_REASON = Message("The source was not searched.")
_SOURCELESS_CHECKS = {"general": "search", "website_analysis": "website"}
"""The checks whose errors belong to no source, and what could not be checked then."""


def list_checked(rows: Iterable[Coverage | SourceCoverage]) -> Iterator[CheckedSource]:
    """The sources that were searched, or that can be."""
    for row in rows:
        if row.status in _CHECKED:
            yield CheckedSource(source=row.source, as_of=row.as_of, is_stale=row.status is CoverageStatus.STALE)


def list_unchecked(rows: Iterable[Coverage | SourceCoverage]) -> Iterator[tuple[str, Message]]:
    """The sources that were requested and not searched, with the reason."""
    for row in rows:
        if row.status in {CoverageStatus.FAILED, CoverageStatus.NOT_AVAILABLE}:
            yield row.source, row.note if row.note is not None else _UNKNOWN_REASON


def list_unchecked_of_search(result: SearchResult) -> Iterator[tuple[str, Message]]:
    """What a search could not check: sources, the website, and parties that could not be screened."""
    yield from list_unchecked(result.meta.coverage)
    if result.errors is not None:
        for check, what in _SOURCELESS_CHECKS.items():
            error = getattr(result.errors, check)
            if error is not None:
                yield what, error.message
    if result.sanctions is not None:
        searched = {row.source for row in result.meta.coverage}
        yield from (item for item in list_unscreened(result.sanctions) if item[0] not in searched)


def list_screened(screening: Screening) -> Iterator[CheckedSource]:
    """The lists that were screened."""
    for screened in screening.lists:
        yield CheckedSource(source=screened.source, as_of=screened.as_of)


def list_unscreened(screening: Screening, errors: CheckErrors | None = None) -> Iterator[tuple[str, Message]]:
    """The lists and the names that could not be screened, with the reason."""
    for missing in screening.lists_not_screened:
        yield missing.source, missing.message
    subjects = [(screening.query, screening.status, screening.reason)]
    subjects += [(subject.name, subject.status, subject.reason) for subject in screening.subjects]
    for name, status, reason in subjects:
        if status is ScreeningStatus.NOT_SCREENED:
            yield name, reason if reason is not None else _UNKNOWN_REASON
    if errors is not None and errors.sanctions_screening is not None and not screening.lists_not_screened:
        yield "sanctions", errors.sanctions_screening.message


def list_evaluated(evaluations: Iterable[Evaluation]) -> Iterator[CheckedSource]:
    """The sources against which a record was evaluated."""
    for one in evaluations:
        if one.source is not None and one.outcome is not EvaluationOutcome.NOT_EVALUATED:
            yield CheckedSource(source=one.source, as_of=one.as_of, is_stale=one.reason is not None)


def list_not_evaluated(evaluations: Iterable[Evaluation]) -> Iterator[tuple[str, Message]]:
    """The sources against which a record could not be evaluated, with the reason."""
    for one in evaluations:
        if one.outcome is EvaluationOutcome.NOT_EVALUATED:
            what = one.source if one.source is not None else one.kind.value
            yield what, one.reason if one.reason is not None else Message("The record has not been evaluated.")


def list_monitored(sources: Iterable[MonitoredSource]) -> Iterator[CheckedSource]:
    """The sources that monitored records are evaluated against."""
    for one in sources:
        if one.evaluated_at is not None:
            yield CheckedSource(source=one.source, as_of=one.as_of, is_stale=one.reason is not None)


def list_held_up(sources: Iterable[MonitoredSource]) -> Iterator[tuple[str, Message]]:
    """The sources that hold evaluations up, with the reason: what they would report has no events yet."""
    for one in sources:
        if one.reason is not None:
            yield one.source, one.reason


def describe_report_source(report: RegistryReport) -> CheckedSource:
    """The register that a report was made from."""
    return CheckedSource(source=report.source, as_of=report.as_of)
