"""Documents in print: made when they are first wanted, kept in the file store, found again by name.

A PDF is a rendering of what is stored; nothing is looked up for it.
"""

import asyncio
from uuid import UUID

from bonafide.errors import NotFound
from bonafide.matching.identifiers import number_keys
from bonafide.matching.names import normalise
from bonafide.model.base import Document
from bonafide.model.match import BusinessMatch
from bonafide.model.query import Text
from bonafide.model.report import RegistryReport
from bonafide.model.result import SearchResult
from bonafide.pdf.business_report import BusinessReportSheet
from bonafide.pdf.render import render
from bonafide.runtime import Runtime
from bonafide.services.sheets import match_sheet, report_sheet
from bonafide.services.signed import SignedAddress, sign
from bonafide.store import extracts, searches

PDF = "application/pdf"


class DocumentQuery(Document):
    """Which business report to download: the search (or report) it is from, the registration number, the business's name."""

    search_id: UUID
    registration_number: Text
    name: Text | None = None


def report_document(report_id: UUID) -> str:
    """The name of a report's PDF."""
    return f"reports/{report_id}/report.pdf"


def match_document(search_id: UUID, match_id: UUID) -> str:
    """The name of the PDF of a search's match."""
    return f"searches/{search_id}/{match_id}.pdf"


async def print_report(runtime: Runtime, organization_id: UUID, report: RegistryReport) -> None:
    """Make a report's PDF and keep it."""
    sheet = report_sheet(report, runtime.sources[report.source])
    await _print(runtime, organization_id, report_document(report.report_id), sheet)


def with_report_addresses(runtime: Runtime, organization_id: UUID, result: SearchResult) -> SearchResult:
    """The search with a signed address of each match's business report, good for a while; `find_document` gives new ones."""

    def addressed(match: BusinessMatch) -> BusinessMatch:
        if match.business_report is None:
            return match
        address = sign(runtime, organization_id, match_document(result.meta.search_id, match.match_id))
        update = {"report_url": address.url, "report_url_expires_at": address.expires_at}
        return match.model_copy(update={"business_report": match.business_report.model_copy(update=update)})

    if result.businesses is None:
        return result
    return result.model_copy(update={"businesses": tuple(addressed(match) for match in result.businesses)})


async def find_document(runtime: Runtime, organization_id: UUID, query: DocumentQuery) -> SignedAddress:
    """A new signed address of the PDF of a match or a kept report. Raises `NotFound` when there is none."""
    async with runtime.store.read() as connection:
        found = await searches.get_document(connection, organization_id, query.search_id)
        report = await extracts.get(connection, organization_id, query.search_id) if found is None else None
    if report is not None and _is_of(RegistryReport.model_validate_json(report), query):
        return sign(runtime, organization_id, report_document(query.search_id))
    match = _match(SearchResult.model_validate_json(found), query) if found is not None else None
    if match is None:
        raise NotFound("there is no business report with this search, registration number and name")
    name = match_document(query.search_id, match.match_id)
    if not await runtime.files.exists(organization_id, name):
        await _print(runtime, organization_id, name, match_sheet(match, runtime.sources[match.source]))
    return sign(runtime, organization_id, name)


async def read_document(runtime: Runtime, organization_id: UUID, name: str) -> bytes:
    """The PDF of that name; that of a match is made when it is first read. Raises `NotFound`, `ServerBusy`."""
    try:
        return await runtime.files.get(organization_id, name)
    except NotFound:
        match = await _named_match(runtime, organization_id, name)
        if match is None:
            raise
        await _print(runtime, organization_id, name, match_sheet(match, runtime.sources[match.source]))
    return await runtime.files.get(organization_id, name)


async def _named_match(runtime: Runtime, organization_id: UUID, name: str) -> BusinessMatch | None:
    folder, _, rest = name.partition("/")
    if folder != "searches":
        return None
    search_id, _, match_id = rest.removesuffix(".pdf").partition("/")
    async with runtime.store.read() as connection:
        found = await searches.get_document(connection, organization_id, UUID(search_id))
    matches = SearchResult.model_validate_json(found).businesses if found is not None else ()
    return next((match for match in matches or () if match.match_id == UUID(match_id)), None)


async def _print(runtime: Runtime, organization_id: UUID, name: str, sheet: BusinessReportSheet) -> None:
    content = await asyncio.to_thread(render, sheet)
    await runtime.files.put(organization_id, name, content, PDF)


def _is_of(report: RegistryReport, query: DocumentQuery) -> bool:
    numbers = [report.registration_number, *(number.value for number in report.registration_numbers)]
    return _has_number(numbers, query.registration_number)


def _match(result: SearchResult, query: DocumentQuery) -> BusinessMatch | None:
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
    keys = number_keys(wanted)
    return any(number_keys(number) & keys for number in numbers)
