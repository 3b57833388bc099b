"""PDF reports of searches, verifications, screenings, ownership and ownership reviews (`POST /pdf`).

A report is rendered once for each document, language and branding. The document id is derived from these, so that a repeated
request returns the same file.
"""

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID, uuid5

from bonafide import __version__
from bonafide.diagrams.ownership_svg import draw_ownership
from bonafide.errors import Conflict, NotFound
from bonafide.i18n.language import Language
from bonafide.i18n.message import Message
from bonafide.matching.verification.value_differences import diff_values
from bonafide.model.entry import SourceKind
from bonafide.model.ownership.answer import OwnershipAnswer
from bonafide.model.ownership.description import describe_ownership
from bonafide.model.ownership.wording import CLAIMANT
from bonafide.model.pdf_documents import PdfDocument, PdfRequest
from bonafide.model.risk.rating import RiskAssessment
from bonafide.model.screening.requests import ScreeningAnswer
from bonafide.model.search.match import BusinessMatch
from bonafide.model.search.result import SearchResult, SearchStatus, SelectionStatus
from bonafide.model.verification.results import (
    CheckedAddressPart,
    CheckedField,
    Results,
    VerificationDocument,
    VerificationFailed,
    VerificationPending,
    VerifyResponse,
)
from bonafide.pdf.print_models import (
    DIAGRAM_FONT,
    PrintedDifferences,
    PrintedDocument,
    PrintedOwnershipReport,
    PrintedOwnershipStatement,
    PrintedScreeningReport,
    PrintedSearchReport,
    PrintedSource,
    PrintedSummary,
    PrintedVerificationReport,
)
from bonafide.pdf.render import render
from bonafide.runtime import Runtime
from bonafide.services.accounts.organizations import PrintStyle, read_print_style
from bonafide.services.printing.ownership_reviews import build_review_sheet, load_review_content
from bonafide.services.records import business_records
from bonafide.services.reports.printed_profile import build_evidence, build_match_profile, build_report_profile
from bonafide.services.reports.report_pdf import build_file_name, get_or_render
from bonafide.services.reports.signed_urls import sign_url
from bonafide.services.risk.explanation import explain_rating
from bonafide.services.screening.history import determine_outcome, read_screening
from bonafide.services.screening.owner_screening import read_ownership
from bonafide.services.search.execution import read_search
from bonafide.services.verification.completion import build_summary_digest, translate_summary
from bonafide.services.verification.lifecycle import read_verification
from bonafide.sources.framework.discovery import Source

SEARCH_REPORT, VERIFICATION_REPORT, SCREENING_REPORT = "search-report", "verification-report", "screening-report"
PRINTED = "pdf"
"""The folder of printed reports."""
OWNERSHIP_REPORT, REVIEW_REPORT = "ownership-report", "ownership-review"


@dataclass(frozen=True, slots=True)
class DocumentIssue:
    """One issued document: its id, time and language."""

    document_id: UUID
    at: datetime
    language: Language


def build_search_sheet(result: SearchResult, sources: Mapping[str, Source], issue: DocumentIssue) -> PrintedSearchReport:
    """The print model of a search."""
    match = _find_subject_match(result)
    source = sources.get(match.source) if match is not None else None
    keys = [row.source for row in result.meta.coverage]
    return PrintedSearchReport(
        language=issue.language,
        document_id=issue.document_id,
        issued_at=issue.at,
        result=result,
        sources={key: _build_source_title(sources[key], issue.language) for key in keys if key in sources},
        profile=build_match_profile(match, source, issue.language) if match is not None and source is not None else None,
        risk=explain_rating(result.risk, sources, issue.language) if result.risk is not None else None,
    )


def build_verification_sheet(
    document: VerifyResponse, sources: Mapping[str, Source], issue: DocumentIssue, rating: RiskAssessment | None = None
) -> PrintedVerificationReport:
    """The print model of a completed verification, with its summary in the language of the document, and the record's rating."""
    report = document.registry_data
    source = sources.get(report.source) if report is not None else None
    return PrintedVerificationReport(
        language=issue.language,
        document_id=issue.document_id,
        issued_at=issue.at,
        verification=translate_summary(document, issue.language),
        summary=PrintedSummary.of(build_summary_digest(document, issue.language)),
        differences=dict(_list_differences(document.results)),
        profile=build_report_profile(report, source, issue.language) if report is not None and source is not None else None,
        sources=_build_list_titles(sources, issue.language) if document.sanctions is not None else {},
        risk=explain_rating(rating, sources, issue.language) if rating is not None else None,
        evidence=build_evidence(report) if report is not None else (),
    )


def _list_differences(results: Results) -> Iterator[tuple[str, PrintedDifferences]]:
    """The differences of every field, part of the address and person that has any, by its path in the results."""
    fields = results.fields
    checks: dict[str, CheckedField | CheckedAddressPart] = {
        "legalName": fields.legal_name,
        "registrationNumber": fields.registration_number,
    }
    if fields.address is not None:
        checks["address"] = fields.address
        checks |= {f"address.{name}": part for name, part in fields.address.fields.items()}
    values = [(path, check.status, check.score, (check.provided, check.registry)) for path, check in checks.items()]
    for place, person in enumerate(results.people):
        registered = person.registry.name if person.registry is not None else None
        values.append((f"people.{place}", person.status, person.score, (person.provided, registered)))
    for path, status, score, sides in values:
        diff = diff_values(path.rpartition(".")[2], status, score, sides)
        if diff is not None:
            yield path, PrintedDifferences.of(diff)


def build_screening_sheet(answer: ScreeningAnswer, sources: Mapping[str, Source], issue: DocumentIssue) -> PrintedScreeningReport:
    """The print model of a screening."""
    return PrintedScreeningReport(
        language=issue.language,
        document_id=issue.document_id,
        issued_at=issue.at,
        screening=answer,
        outcome=determine_outcome(answer),
        sources=_build_list_titles(sources, issue.language),
    )


def build_ownership_sheet(answer: OwnershipAnswer, name: str, issue: DocumentIssue) -> PrintedOwnershipReport:
    """The print model of the ownership of a business."""
    return PrintedOwnershipReport(
        language=issue.language,
        document_id=issue.document_id,
        issued_at=issue.at,
        name=name,
        as_of=answer.as_of,
        described=describe_ownership(answer),
        statements=tuple(
            PrintedOwnershipStatement(
                claimant=CLAIMANT[statement.claimed_by],
                as_of=statement.as_of,
                declared_by=statement.declared_by,
                recorded_at=statement.recorded_at,
                recorded_by=statement.recorded_by,
            )
            for statement in answer.statements
        ),
        diagram=draw_ownership(answer, issue.language, font=DIAGRAM_FONT),
    )


def _find_subject_match(result: SearchResult) -> BusinessMatch | None:
    """The match that the report describes: the selected one, otherwise the best; None if a person selected none."""
    matches, selection = result.businesses or (), result.match_selection
    if selection is not None and selection.status is SelectionStatus.NO_SELECTION:
        return None
    selected = selection.selected_match_id if selection is not None else None
    return next((match for match in matches if selected is None or match.match_id == selected), None)


def _build_list_titles(sources: Mapping[str, Source], language: Language) -> dict[str, PrintedSource]:
    lists = {key: source for key, source in sources.items() if source.metadata.kind is SourceKind.SANCTIONS}
    return {key: _build_source_title(source, language) for key, source in lists.items()}


def _build_source_title(source: Source, language: Language) -> PrintedSource:
    metadata = source.metadata
    return PrintedSource(
        title=metadata.get_display_name(language), publisher=metadata.publisher.get_name(language), page=metadata.get_page(language)
    )


@dataclass(frozen=True, slots=True)
class PrintedReport:
    """A rendered report: its URL, its bytes, and the name of the stored file."""

    document: PdfDocument
    content: bytes
    stored_name: str

    @property
    def file_name(self) -> str:
        """The name to save it under."""
        return self.stored_name.rpartition("/")[2]


@dataclass(frozen=True, slots=True)
class _Report:
    """A report to render: its stored text, kind and file name, and the function that builds its print model."""

    subject: UUID
    body: str
    kind: str
    file_name: str
    sheet: Callable[[DocumentIssue], PrintedDocument]

    def document_id(self, language: Language, style: PrintStyle) -> UUID:
        """An id derived from everything that determines the file: stored text, language, branding, time zone and templates."""
        body = hashlib.sha256(self.body.encode()).hexdigest()
        return uuid5(self.subject, f"{self.kind}/{body}/{language}/{style.digest}/{__version__}")


async def print_pdf(
    runtime: Runtime, organization_id: UUID, request: PdfRequest, language: Language, *, screens_owners: bool = True
) -> PrintedReport:
    """The report of a search, a verification, a screening, the ownership of a business or an ownership review.

    Owners are screened for the report unless `screens_owners` is false.

    Raises `NotFound`, `Conflict` while there is nothing to print, and `ServerBusy`.
    """
    if request.search_id is not None:
        report = await _load_search_report(runtime, organization_id, request.search_id)
    elif request.screening_id is not None:
        report = await _load_screening_report(runtime, organization_id, request.screening_id)
    elif request.ownership_business_id is not None:
        report = await _load_ownership_report(runtime, organization_id, request.ownership_business_id, is_screened=screens_owners)
    elif request.ownership_review_id is not None:
        report = await _load_review_report(runtime, organization_id, request.ownership_review_id)
    else:
        assert request.verification_id is not None  # noqa: S101 - a request has exactly one
        report = await _load_verification_report(runtime, organization_id, request.verification_id)
    style = await read_print_style(runtime, organization_id)
    document_id = report.document_id(language, style)
    # By subject, so that the files of a deleted subject are found.
    name = f"{PRINTED}/{report.subject}/{document_id}/{report.file_name}"
    issue = DocumentIssue(document_id, runtime.clock(), language)
    content = await get_or_render(
        runtime, organization_id, name, lambda: render(report.sheet(issue), style.branding, style.time_zone)
    )
    address = sign_url(runtime, organization_id, name)
    document = PdfDocument(
        document_id=document_id,
        url=address.url,
        expires_at=address.expires_at,
        size=len(content),
        sha256=hashlib.sha256(content).hexdigest(),
    )
    return PrintedReport(document, content, name)


async def _load_search_report(runtime: Runtime, organization_id: UUID, search_id: UUID) -> _Report:
    stored = await read_search(runtime, organization_id, search_id)
    result = stored.parse(SearchResult)
    if result.meta.status is SearchStatus.LOADING:
        raise Conflict(Message("The search is in progress. A PDF is available once it is completed."))
    submitted = result.meta.submitted
    about = submitted.name if submitted.name is not None else submitted.website
    return _Report(
        search_id,
        stored.body,
        SEARCH_REPORT,
        build_file_name(about if about is not None else SEARCH_REPORT, result.meta.searched_at.date()),
        lambda issue: build_search_sheet(result, runtime.sources, issue),
    )


async def _load_screening_report(runtime: Runtime, organization_id: UUID, screening_id: UUID) -> _Report:
    stored = await read_screening(runtime, organization_id, screening_id)
    answer = stored.parse(ScreeningAnswer)
    return _Report(
        screening_id,
        stored.body,
        SCREENING_REPORT,
        build_file_name(answer.meta.submitted.query, answer.meta.screened_at.date()),
        lambda issue: build_screening_sheet(answer, runtime.sources, issue),
    )


async def _load_ownership_report(runtime: Runtime, organization_id: UUID, business_id: UUID, *, is_screened: bool) -> _Report:
    record = await business_records.find_record(runtime, organization_id, business_id=business_id)
    answer = await read_ownership(runtime, organization_id, business_id, is_screened=is_screened)
    name = record.name or record.external_id or record.registration_number or str(record.id)
    return _Report(
        business_id,
        f"{name}\n{answer.to_json()}",
        OWNERSHIP_REPORT,
        build_file_name(name, answer.as_of),
        lambda issue: build_ownership_sheet(answer, name, issue),
    )


async def _load_review_report(runtime: Runtime, organization_id: UUID, review_id: UUID) -> _Report:
    content = await load_review_content(runtime, organization_id, review_id)
    review = content.review
    return _Report(
        review_id,
        content.to_text(),
        REVIEW_REPORT,
        build_file_name(review.business_name if review.business_name is not None else REVIEW_REPORT, review.reviewed_at.date()),
        lambda issue: build_review_sheet(content, issue.document_id, issue.at, issue.language),
    )


async def _load_verification_report(runtime: Runtime, organization_id: UUID, verification_id: UUID) -> _Report:
    document = _require_completed(await read_verification(runtime, organization_id, verification_id))
    rating = await _read_rating(runtime, organization_id, document.meta.business_id)
    return _Report(
        verification_id,
        "\n".join([document.to_json(), *([rating.to_json()] if rating is not None else [])]),
        VERIFICATION_REPORT,
        build_file_name(document.meta.submitted.legal_name, document.meta.verified_at.date()),
        lambda issue: build_verification_sheet(document, runtime.sources, issue, rating),
    )


async def _read_rating(runtime: Runtime, organization_id: UUID, business_id: UUID | None) -> RiskAssessment | None:
    """The present rating of a record; None without one, and for a record that no longer exists."""
    try:
        record = await business_records.find_record(runtime, organization_id, business_id=business_id) if business_id else None
    except NotFound:
        return None
    return record.risk if record is not None else None


def _require_completed(verification: VerificationDocument) -> VerifyResponse:
    """The document of a completed verification. Raises `Conflict` with the state of any other."""
    if isinstance(verification, VerificationPending):
        raise Conflict(Message("The verification is in progress. A PDF is available once it is completed."))
    if isinstance(verification, VerificationFailed):
        raise Conflict(Message("The verification failed, so no PDF is available: {problem}", problem=verification.error))
    return verification
