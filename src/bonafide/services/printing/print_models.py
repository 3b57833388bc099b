"""Build the print models of a stored search or verification. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from bonafide.model.language import Language
from bonafide.model.search.match import BusinessMatch
from bonafide.model.search.result import SearchResult, SelectionStatus
from bonafide.model.verification.results import VerifyResponse
from bonafide.pdf.print_models import PrintedSearchReport, PrintedSource, PrintedVerificationReport
from bonafide.services.messages.translation import translate_document
from bonafide.services.reports.printed_profile import build_evidence, build_match_profile, build_report_profile
from bonafide.services.verification.summary import translate_summary
from bonafide.sources.framework.discovery import Source


@dataclass(frozen=True, slots=True)
class DocumentIssue:
    """One document as it is issued: its identity, when, and in which language."""

    document_id: UUID
    at: datetime
    language: Language


def build_search_sheet(result: SearchResult, sources: Mapping[str, Source], issue: DocumentIssue) -> PrintedSearchReport:
    """The sheet of a search."""
    match = _find_subject_match(result)
    source = sources.get(match.source) if match is not None else None
    keys = [row.source for row in result.meta.coverage]
    return PrintedSearchReport(
        language=issue.language,
        document_id=issue.document_id,
        issued_at=issue.at,
        result=translate_document(result, issue.language),
        sources={key: _build_source_title(sources[key], issue.language) for key in keys if key in sources},
        profile=build_match_profile(match, source, issue.language) if match is not None and source is not None else None,
    )


def build_verification_sheet(
    document: VerifyResponse, sources: Mapping[str, Source], issue: DocumentIssue
) -> PrintedVerificationReport:
    """The sheet of a completed verification, its summary in the language of the sheet."""
    body = translate_summary(document.to_json(), issue.language)
    report = document.registry_data
    source = sources.get(report.source) if report is not None else None
    return PrintedVerificationReport(
        language=issue.language,
        document_id=issue.document_id,
        issued_at=issue.at,
        verification=translate_document(VerifyResponse.model_validate_json(body), issue.language),
        profile=build_report_profile(report, source, issue.language) if report is not None and source is not None else None,
        evidence=build_evidence(report) if report is not None else (),
    )


def _find_subject_match(result: SearchResult) -> BusinessMatch | None:
    """The match that the report is about: the selected one, else the best; none where a person has said that none is."""
    matches, selection = result.businesses or (), result.match_selection
    if selection is not None and selection.status is SelectionStatus.NO_SELECTION:
        return None
    selected = selection.selected_match_id if selection is not None else None
    return next((match for match in matches if selected is None or match.match_id == selected), None)


def _build_source_title(source: Source, language: Language) -> PrintedSource:
    metadata = source.metadata
    return PrintedSource(title=metadata.get_display_name(language), publisher=metadata.publisher.name, page=metadata.page)
