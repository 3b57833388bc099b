"""PDFs of business reports: rendered when first read, stored in the file store, and addressed by name.

A signed URL names a document. Branding is applied when it is read, and the file is stored for each branding.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from uuid import UUID

from pydantic import Field

from bonafide.errors import NotFound
from bonafide.i18n.language import Language
from bonafide.matching.identifiers.number_matching import build_number_keys
from bonafide.matching.names.normalization import normalise
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
from bonafide.services.accounts.organizations import read_branding
from bonafide.services.reports.printed_profile import build_match_sheet, build_report_sheet
from bonafide.services.reports.signed_urls import SignedUrl, sign_url
from bonafide.store.records import registry_lookups, searches

REPORTS, SEARCHES, REPORT = "reports", "searches", "report"
PDF_CACHE = "pdf"
"""Printed files, among the memories that the metrics count."""
_DIGEST_CHARACTERS = 16
"""Of a look's digest, in names: an organization has few of them."""


class ReportDocumentQuery(Document):
    """Which business report to download: the search (or report) it is from, the registration number, the business's name."""

    search_id: UUID = Field(
        description="The ID of the search, or of the report.", examples=["6f1c2a0e-8f5d-4c55-9d0a-2f6f4b8f3a11"]
    )
    registration_number: Text = Field(description="The registration number of the match or of the report.", examples=["1000017"])
    name: Text | None = Field(
        None, description="The legal name, if several matches have this number.", examples=["Sandbox Bakery Inc."]
    )


def build_report_document_name(report_id: UUID, language: Language = Language.ENGLISH) -> str:
    """The name of a report's PDF."""
    return f"{REPORTS}/{report_id}/{REPORT}.{language}.pdf"


def build_match_document_name(search_id: UUID, match_id: UUID, language: Language = Language.ENGLISH) -> str:
    """The name of the PDF of a search's match."""
    return f"{SEARCHES}/{search_id}/{match_id}.{language}.pdf"


def build_file_name(name: str) -> str:
    """Under what a person saves the document of that name."""
    return "business-report.pdf" if _ReportReference.parse(name) is not None else name.rpartition("/")[2]


def sign_match_report(runtime: Runtime, organization_id: UUID, search_id: UUID, match_id: UUID) -> SignedUrl:
    """The signed address of the business report of a match. It expires; `find_document` returns new ones."""
    return sign_url(runtime, organization_id, build_match_document_name(search_id, match_id))


async def find_document(
    runtime: Runtime, organization_id: UUID, query: ReportDocumentQuery, language: Language = Language.ENGLISH
) -> SignedUrl:
    """A new signed address of the PDF of a match or a kept report. Raises `NotFound` when there is none."""
    async with runtime.store.read() as connection:
        found = await searches.get_document(connection, organization_id, query.search_id)
        report = await registry_lookups.get_extract(connection, organization_id, query.search_id) if found is None else None
    if report is not None:
        kept = report.parse(RegistryReport)
        if _has_number(
            [kept.registration_number, *(number.value for number in kept.registration_numbers)], query.registration_number
        ):
            return sign_url(runtime, organization_id, build_report_document_name(query.search_id, language))
    match = _find_match(found.parse(SearchResult), query) if found is not None else None
    if match is None:
        raise NotFound("there is no business report with this search, registration number and name")
    return sign_url(runtime, organization_id, build_match_document_name(query.search_id, match.match_id, language))


async def read_document(runtime: Runtime, organization_id: UUID, name: str) -> bytes:
    """The PDF of that name; a business report is made when it is first read. Raises `NotFound`, `ServerBusy`."""
    wanted = _ReportReference.parse(name)
    if wanted is None:
        return await runtime.files.get(organization_id, name)
    branding = await read_branding(runtime, organization_id)
    kept = f"{name.removesuffix('.pdf')}.{branding.digest[:_DIGEST_CHARACTERS]}.pdf"
    try:
        found = await runtime.files.get(organization_id, kept)
    except NotFound:
        sheet = await _build_sheet(runtime, organization_id, wanted)
        return await get_or_render(runtime, organization_id, kept, lambda: render(sheet, branding))
    runtime.metrics.count_cache(PDF_CACHE, hit=True)
    return found


async def get_or_render(runtime: Runtime, organization_id: UUID, name: str, make: Callable[[], bytes]) -> bytes:
    """The file of that name, made first if there is none; whoever makes it at the same time gets the same one."""
    try:
        found = await runtime.files.get(organization_id, name)
    except NotFound:
        runtime.metrics.count_cache(PDF_CACHE, hit=False)
        await runtime.files.put_new(organization_id, name, await _render_pdf(runtime, make), PDF)
        return await runtime.files.get(organization_id, name)
    runtime.metrics.count_cache(PDF_CACHE, hit=True)
    return found


async def _render_pdf(runtime: Runtime, make: Callable[[], bytes]) -> bytes:
    started = perf_counter()
    with span("render pdf"):
        content = await asyncio.to_thread(make)
    runtime.metrics.observe_rendering(perf_counter() - started)
    return content


@dataclass(frozen=True, slots=True)
class _ReportReference:
    """A business report that a name speaks of: of a kept report, or of a match of a search."""

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


async def _build_sheet(runtime: Runtime, organization_id: UUID, wanted: _ReportReference) -> PrintedBusinessReport:
    async with runtime.store.read() as connection:
        if wanted.match_id is None:
            found = await registry_lookups.get_extract(connection, organization_id, wanted.folder_id)
        else:
            found = await searches.get_document(connection, organization_id, wanted.folder_id)
    if found is None:
        raise NotFound("there is no document at this address")
    if wanted.match_id is None:
        report = found.parse(RegistryReport)
        return build_report_sheet(report, runtime.sources[report.source], wanted.language)
    matches = found.parse(SearchResult).businesses or ()
    match = next((match for match in matches if match.match_id == wanted.match_id), None)
    if match is None:
        raise NotFound("there is no document at this address")
    return build_match_sheet(match, runtime.sources[match.source], wanted.language)


def _find_match(result: SearchResult, query: ReportDocumentQuery) -> BusinessMatch | None:
    """The match with this number; among several the one of the name, else the best."""
    numbered = [
        match
        for match in result.businesses or ()
        if _has_number([number.value for number in match.registration_numbers], query.registration_number)
    ]
    wanted = normalise(query.name).core if query.name is not None else None
    named = [match for match in numbered if normalise(match.legal_name.name).core == wanted]
    return next(iter([*named, *numbered]), None)


def _has_number(numbers: list[str], wanted: str) -> bool:
    keys = build_number_keys(wanted)
    return any(build_number_keys(number) & keys for number in numbers)
