"""A stored search or verification, laid out for print.

Pure: the document and the sources' metadata in, a sheet out. Nothing is looked up and nothing is judged anew.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from bonafide.model.language import Language
from bonafide.model.search.match import BusinessMatch
from bonafide.model.search.result import SearchResult, SelectionStatus
from bonafide.model.verification.results import VerifyResponse
from bonafide.pdf.registry_profile import RegistryProfile
from bonafide.pdf.print_models import PrintedSearchReport, PrintedSource
from bonafide.pdf.print_models import PrintedVerificationReport
from bonafide.services.sheets import evidence_of, match_profile, report_profile
from bonafide.services.verification_summary import in_language
from bonafide.services.wording import worded
from bonafide.sources.framework.discovery import Source


@dataclass(frozen=True, slots=True)
class Issue:
    """One document as it is issued: its identity, when, and in which language."""

    document_id: UUID
    at: datetime
    language: Language


def search_sheet(result: SearchResult, sources: Mapping[str, Source], issue: Issue) -> PrintedSearchReport:
    """The sheet of a search."""
    match = _subject(result)
    source = sources.get(match.source) if match is not None else None
    keys = [row.source for row in result.meta.coverage]
    return PrintedSearchReport(
        language=issue.language,
        document_id=issue.document_id,
        issued_at=issue.at,
        result=worded(result, issue.language),
        sources={key: _title(sources[key]) for key in keys if key in sources},
        profile=match_profile(match, source, issue.language) if match is not None and source is not None else None,
    )


def verification_sheet(document: VerifyResponse, sources: Mapping[str, Source], issue: Issue) -> PrintedVerificationReport:
    """The sheet of a completed verification, its summary in the language of the sheet."""
    body = in_language(document.to_json(), Language(issue.language.value))
    report = document.registry_data
    return PrintedVerificationReport(
        language=issue.language,
        document_id=issue.document_id,
        issued_at=issue.at,
        verification=worded(VerifyResponse.model_validate_json(body), issue.language),
        profile=_profile(document, sources, issue.language),
        evidence=evidence_of(report) if report is not None else (),
    )


def _profile(document: VerifyResponse, sources: Mapping[str, Source], language: Language) -> RegistryProfile | None:
    report = document.registry_data
    source = sources.get(report.source) if report is not None else None
    return report_profile(report, source, language) if report is not None and source is not None else None


def _subject(result: SearchResult) -> BusinessMatch | None:
    """The match that the report is about: the selected one, else the best; none where a person has said that none is."""
    matches, selection = result.businesses or (), result.match_selection
    if selection is not None and selection.status is SelectionStatus.NO_SELECTION:
        return None
    selected = selection.selected_match_id if selection is not None else None
    return next((match for match in matches if selected is None or match.match_id == selected), None)


def _title(source: Source) -> PrintedSource:
    metadata = source.metadata
    return PrintedSource(title=metadata.title, publisher=metadata.publisher.name, page=metadata.page)
