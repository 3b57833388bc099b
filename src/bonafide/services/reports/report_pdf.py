"""PDFs of business reports: rendered when first read, stored in the file store, and addressed by name.

A signed URL has the name of a document. Branding and time zone are applied when it is read, and the file is stored
once for each of them.
"""

import asyncio
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date
from time import perf_counter
from uuid import UUID

from pydantic import Field

from bonafide.errors import NotFound
from bonafide.i18n.language import Language
from bonafide.i18n.message import Message
from bonafide.matching.identifiers.number_matching import build_number_keys
from bonafide.matching.names.normalization import normalise
from bonafide.matching.text.transliteration import transliterate
from bonafide.model.accounts.organizations import Principal, Scope
from bonafide.model.base import Document
from bonafide.model.pdf_documents import PDF
from bonafide.model.query import Text
from bonafide.model.search.match import BusinessMatch
from bonafide.model.search.result import SearchResult
from bonafide.model.verification.registry_report import RegistryReport
from bonafide.observability.tracing import span
from bonafide.pdf.print_models import PrintedBusinessReport
from bonafide.pdf.render import render
from bonafide.runtime import Runtime
from bonafide.services.accounts.organizations import read_print_style
from bonafide.services.reports.printed_profile import build_match_sheet, build_report_sheet
from bonafide.services.reports.signed_urls import UNKNOWN_DOCUMENT, SignedUrl, sign_url
from bonafide.store.records import registry_lookups, searches
from bonafide.store.records.searches import fold_text

REPORTS, SEARCHES, REPORT = "reports", "searches", "report"
PDF_CACHE = "pdf"
"""The label of rendered PDFs in the metrics of caches."""
MAX_SLUG_CHARACTERS = 80
_DIGEST_CHARACTERS = 16
"""The length of a branding's digest in names; an organization has few brandings."""


class ReportDocumentQuery(Document):
    """Which business report to download: the id of its search or report, the registration number, the business's name."""

    search_id: UUID = Field(
        description="The ID of the search, which requires the scope `search:read`, or of the report.",
        examples=["6f1c2a0e-8f5d-4c55-9d0a-2f6f4b8f3a11"],
    )
    registration_number: Text = Field(description="The registration number of the match or of the report.", examples=["1000017"])
    name: Text | None = Field(
        None,
        description="A name of the business. A match with other names is not found.",
        examples=["Sandbox Bakery Inc."],
    )


def build_report_document_name(report_id: UUID, language: Language = Language.ENGLISH) -> str:
    """The name of a report's PDF."""
    return f"{REPORTS}/{report_id}/{REPORT}.{language}.pdf"


def build_match_document_name(search_id: UUID, match_id: UUID, language: Language = Language.ENGLISH) -> str:
    """The name of the PDF of a search's match."""
    return f"{SEARCHES}/{search_id}/{match_id}.{language}.pdf"


def build_file_name(business: str, day: date, ending: str = "pdf") -> str:
    """The file name of a document: the name of the business and the day, as `sandbox-twin-holdings-2026-11-22.pdf`.

    Names in other scripts are transliterated, so that file names are plain ASCII.
    """
    plain = fold_text(transliterate(business)).encode("ascii", "ignore").decode()
    slug = re.sub(r"[^a-z0-9]+", "-", plain.replace("'", ""))[:MAX_SLUG_CHARACTERS].strip("-") or "report"
    return f"{slug}-{day.isoformat()}.{ending}"


async def read_file_name(runtime: Runtime, organization_id: UUID, name: str) -> str:
    """The file name of the document of that name. Raises `NotFound`."""
    reference = _ReportReference.parse(name)
    if reference is None:
        return name.rpartition("/")[2]
    sheet = await _build_sheet(runtime, organization_id, reference)
    return build_file_name(sheet.legal_name, sheet.issued_at.date())


def sign_match_report(runtime: Runtime, organization_id: UUID, search_id: UUID, match_id: UUID) -> SignedUrl:
    """The signed URL of the business report of a match. It expires; `find_document` returns new ones."""
    return sign_url(runtime, organization_id, build_match_document_name(search_id, match_id))


async def find_document(
    runtime: Runtime, principal: Principal, query: ReportDocumentQuery, language: Language = Language.ENGLISH
) -> SignedUrl:
    """A new signed URL of the PDF of a match or a stored report. Raises `NotFound` if there is none.

    For a search's match, raises `ScopeMissing` unless the key may read searches.
    """
    organization_id = principal.organization_id
    async with runtime.store.read() as connection:
        found = await searches.get_document(connection, organization_id, query.search_id)
        report = await registry_lookups.get_extract(connection, organization_id, query.search_id) if found is None else None
    if report is not None:
        kept = report.parse(RegistryReport)
        numbers = [kept.registration_number, *(number.value for number in kept.registration_numbers)]
        if _has_number(numbers, query.registration_number) and _has_name([kept.legal_name, *kept.alternate_names], query.name):
            return sign_url(runtime, organization_id, build_report_document_name(query.search_id, language))
    match = None
    if found is not None:
        principal.check_scope(Scope.SEARCH_READ, "searchId")
        match = _find_match(found.parse(SearchResult), query)
    if match is None:
        raise NotFound(Message("There is no business report for this search, registration number and name."))
    return sign_url(runtime, organization_id, build_match_document_name(query.search_id, match.match_id, language))


async def read_document(runtime: Runtime, organization_id: UUID, name: str) -> bytes:
    """The PDF of that name; a business report is rendered when it is first read. Raises `NotFound`, `ServerBusy`."""
    reference = _ReportReference.parse(name)
    if reference is None:
        return await runtime.files.get(organization_id, name)
    style = await read_print_style(runtime, organization_id)
    kept = f"{name.removesuffix('.pdf')}.{style.digest[:_DIGEST_CHARACTERS]}.pdf"
    try:
        found = await runtime.files.get(organization_id, kept)
    except NotFound:
        sheet = await _build_sheet(runtime, organization_id, reference)
        return await get_or_render(runtime, organization_id, kept, lambda: render(sheet, style.branding, style.time_zone))
    runtime.metrics.count_cache(PDF_CACHE, hit=True)
    return found


async def get_or_render(runtime: Runtime, organization_id: UUID, name: str, create: Callable[[], bytes]) -> bytes:
    """The file of that name, rendered if there is none. Concurrent calls return the same file."""
    try:
        found = await runtime.files.get(organization_id, name)
    except NotFound:
        runtime.metrics.count_cache(PDF_CACHE, hit=False)
        await runtime.files.put_new(organization_id, name, await _render_pdf(runtime, create), PDF)
        return await runtime.files.get(organization_id, name)
    runtime.metrics.count_cache(PDF_CACHE, hit=True)
    return found


async def _render_pdf(runtime: Runtime, create: Callable[[], bytes]) -> bytes:
    started = perf_counter()
    with span("render pdf"):
        content = await asyncio.to_thread(create)
    runtime.metrics.observe_rendering(perf_counter() - started)
    return content


@dataclass(frozen=True, slots=True)
class _ReportReference:
    """The business report of a document name: of a stored report, or of a match of a search."""

    folder_id: UUID
    match_id: UUID | None
    language: Language

    @classmethod
    def parse(cls, name: str) -> "_ReportReference | None":
        """None for the name of another document."""
        folder, _, rest = name.partition("/")
        if folder not in {REPORTS, SEARCHES}:
            return None
        folder_id, _, file = rest.partition("/")
        stem, language, _ = file.split(".")
        return cls(UUID(folder_id), UUID(stem) if folder == SEARCHES else None, Language(language))


async def _build_sheet(runtime: Runtime, organization_id: UUID, reference: _ReportReference) -> PrintedBusinessReport:
    async with runtime.store.read() as connection:
        if reference.match_id is None:
            found = await registry_lookups.get_extract(connection, organization_id, reference.folder_id)
        else:
            found = await searches.get_document(connection, organization_id, reference.folder_id)
    if found is None:
        raise NotFound(UNKNOWN_DOCUMENT)
    if reference.match_id is None:
        report = found.parse(RegistryReport)
        return build_report_sheet(report, runtime.sources[report.source], reference.language)
    matches = found.parse(SearchResult).businesses or ()
    match = next((match for match in matches if match.match_id == reference.match_id), None)
    if match is None:
        raise NotFound(UNKNOWN_DOCUMENT)
    return build_match_sheet(match, runtime.sources[match.source], reference.language)


def _find_match(result: SearchResult, query: ReportDocumentQuery) -> BusinessMatch | None:
    """The best match with this number and, if the query has one, this name: preferably as its legal name."""
    found = [
        match
        for match in result.businesses or ()
        if _has_number([number.value for number in match.registration_numbers], query.registration_number)
        and _has_name([match.legal_name.name, *match.alternate_names], query.name)
    ]
    return next((match for match in found if _has_name([match.legal_name.name], query.name)), next(iter(found), None))


def _has_name(names: Iterable[str], name: str | None) -> bool:
    """Whether one of the names is the given one, apart from its legal form and spelling; true without a name."""
    return name is None or normalise(name).core in {normalise(own).core for own in names}


def _has_number(numbers: list[str], number: str) -> bool:
    keys = build_number_keys(number)
    return any(build_number_keys(own) & keys for own in numbers)
