"""Business reports: a register's profile of one business, stored with the raw responses that it was made from.

A stored report is reused while it is recent enough for the caller.
"""

import json
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID, uuid4

from bonafide.errors import FieldProblem, NotFound, ServerBusy, SourceError, SourceNotFound, ValidationFailed
from bonafide.matching.entries.register_codes import parse_entity_type_code
from bonafide.matching.identifiers.number_matching import build_number_keys
from bonafide.model.accounts.organizations import Principal, World
from bonafide.model.loading import LoadRecord, Route
from bonafide.model.verification.registry_report import Evidence, RegistryReport, ReportRequest
from bonafide.net.http_messages import SourceResponse
from bonafide.runtime import Runtime
from bonafide.services.loading.refresh import get_current_load
from bonafide.services.lookup.registration_lookup import (
    NoSourceAvailable,
    RegistrationResult,
    is_live_lookup_available,
    look_up_registration,
    read_loaded_registration,
)
from bonafide.services.reports.report_pdf import build_report_document_name
from bonafide.services.reports.signed_urls import sign_url
from bonafide.services.results.document_parts import build_business_profile
from bonafide.sources.framework.live import RegistrationQuery
from bonafide.store.records import registry_lookups

DEFAULT_RETRY_S = 5
JSON = "application/json"
REPORT_CACHE = "report"
"""Kept reports, among the memories that the metrics count."""


async def get_business_report(runtime: Runtime, principal: Principal, request: ReportRequest) -> RegistryReport:
    """The report of a registration: the organization's recent one, or a new one.

    Raises `NotFound` when the register has no such number, `ServerBusy` when it can't be asked at the moment, `ValidationFailed`
    when no program can ask it.
    """
    wanted = ReportSubject(
        principal.organization_id, principal.world, RegistrationQuery(request.jurisdiction, request.registration_number)
    )
    report = await find_recent_report(runtime, wanted, runtime.clock() - get_max_age(runtime, request.max_age))
    runtime.metrics.count_cache(REPORT_CACHE, hit=report is not None)
    if report is None:
        report = await _obtain_or_raise(runtime, wanted)
    return sign_report(runtime, principal.organization_id, report)


@dataclass(frozen=True, slots=True)
class ReportSubject:
    """A registration of which an organization wants a report, in the world that it sees."""

    organization_id: UUID
    world: World
    registration: RegistrationQuery

    @property
    def key(self) -> registry_lookups.RegistrationKey:
        """The same for all spellings of the number. Raises `ValidationFailed` for a text without any number."""
        keys = build_number_keys(self.registration.number)
        if not keys:
            raise _build_refusal("registrationNumber", "has no digit or letter of a number")
        return registry_lookups.RegistrationKey(self.registration.jurisdiction, min(keys))


def get_max_age(runtime: Runtime, hours: float | None) -> timedelta:
    """How old a report may be that counts as recent: as the asker says, else as the operator does."""
    return timedelta(hours=hours if hours is not None else runtime.settings.report_max_age_h)


async def find_recent_report(runtime: Runtime, wanted: ReportSubject, since: datetime) -> RegistryReport | None:
    """The newest report that is kept, if it was made since then and what it was read from is the newest still.

    Raises `ValidationFailed` for a text that is no number.
    """
    async with runtime.store.read() as connection:
        document = await registry_lookups.get_newest_extract(connection, wanted.organization_id, wanted.key, since)
    kept = document.parse(RegistryReport) if document is not None else None
    if kept is None or not _is_newest(runtime, wanted.world, kept):
        return None
    return kept.model_copy(update={"cached": True})


async def build_loaded_report(runtime: Runtime, wanted: ReportSubject, since: datetime) -> RegistryReport | None:
    """A new report of loaded data, if that was retrieved since then, or is all there is to look at: `notes` tell its age.

    None when the register is to be asked instead, and when the data has no such number: what that means takes a look-up.
    """
    try:
        extraction = await read_loaded_registration(runtime, wanted.world, wanted.registration)
    except SourceError:
        return None
    old = extraction is not None and extraction.origin.retrieved_at < since
    if extraction is None or (old and is_live_lookup_available(runtime, wanted.world, wanted.registration.jurisdiction)):
        return None
    return await _store_report(runtime, wanted, extraction)


async def obtain_report(runtime: Runtime, wanted: ReportSubject) -> RegistryReport:
    """A new report, whatever is kept: looked up, its evidence in the file store, and recorded. Raises `SourceError`."""
    return await _store_report(runtime, wanted, await look_up_registration(runtime, wanted.world, wanted.registration))


def sign_report(runtime: Runtime, organization_id: UUID, report: RegistryReport) -> RegistryReport:
    """A report with a new address of its PDF."""
    address = sign_url(runtime, organization_id, build_report_document_name(report.report_id))
    part = report.business_report.model_copy(update={"report_url": address.url, "report_url_expires_at": address.expires_at})
    return report.model_copy(update={"business_report": part})


async def read_report(runtime: Runtime, organization_id: UUID, report_id: UUID) -> RegistryReport:
    """A kept report, with a new address of its PDF. Raises `NotFound`."""
    async with runtime.store.read() as connection:
        document = await registry_lookups.get_extract(connection, organization_id, report_id)
    if document is None:
        raise NotFound("there is no business report with this id")
    kept = document.parse(RegistryReport).model_copy(update={"cached": True})
    return sign_report(runtime, organization_id, kept)


async def read_evidence(runtime: Runtime, organization_id: UUID, report_id: UUID, number: int) -> tuple[Evidence, bytes]:
    """One raw answer behind a report, checked against its digest. Raises `NotFound`, `ServerBusy`, `InternalFailure`."""
    report = await read_report(runtime, organization_id, report_id)
    if not 0 <= number < len(report.evidence):
        raise NotFound(f"the report has {len(report.evidence)} pieces of evidence, counted from 0")
    evidence = report.evidence[number]
    return evidence, await runtime.files.get(organization_id, build_evidence_name(report_id, number), evidence.sha256)


# ------------------------------------------------------------------------------------------------------------ asking


def _is_newest(runtime: Runtime, world: World, kept: RegistryReport) -> bool:
    """Whether the loaded data that a report was read from is the newest still; a live answer is only a matter of age."""
    source = runtime.sources.get(kept.source)
    if kept.route is Route.LIVE or source is None:
        return kept.route is Route.LIVE
    load = get_current_load(runtime, world, source)
    return load is not None and load.retrieved_at == kept.retrieved_at


async def _obtain_or_raise(runtime: Runtime, wanted: ReportSubject) -> RegistryReport:
    """A new report, its failures as the API answers them: never a 404 when nobody could look."""
    try:
        return await obtain_report(runtime, wanted)
    except SourceNotFound as error:
        raise NotFound(error.message) from error
    except NoSourceAvailable as error:
        raise _build_refusal("jurisdiction", error.message) from error
    except SourceError as error:
        wait_s = error.retry_after_s if error.retry_after_s is not None else DEFAULT_RETRY_S
        raise ServerBusy(error.message, headers={"Retry-After": str(max(1, round(wait_s)))}) from error


def _build_refusal(path: str, message: str) -> ValidationFailed:
    return ValidationFailed(f"The request can't be answered: {path}: {message}", details=[FieldProblem(path, message)])


# ------------------------------------------------------------------------------------------------------------ folding


async def _store_report(runtime: Runtime, wanted: ReportSubject, extraction: RegistrationResult) -> RegistryReport:
    """What was looked up as a report, with its evidence, recorded."""
    key, report = wanted.key, _build_report(runtime, wanted.registration, extraction)
    report = await _store_evidence(runtime, wanted.organization_id, report, extraction)
    row = registry_lookups.NewExtract(report.report_id, key, report.obtained_at, report.to_stored())
    async with runtime.store.write() as connection:
        await registry_lookups.insert_extract(connection, wanted.organization_id, row)
    return report


def _build_report(runtime: Runtime, registration: RegistrationQuery, extraction: RegistrationResult) -> RegistryReport:
    entry, origin, source = extraction.entry, extraction.origin, extraction.source
    report_id = uuid4()
    return RegistryReport(
        report_id=report_id,
        search_id=report_id,
        jurisdiction=entry.jurisdiction,
        jurisdiction_label=entry.jurisdiction.label,
        registration_number=registration.number,
        legal_name=entry.legal_name,
        alternate_names=entry.alternate_names,
        registration_numbers=entry.registration_numbers,
        entity_type=entry.entity_type,
        entity_type_code=parse_entity_type_code(entry.entity_type),
        status=entry.status,
        status_code=entry.status_code,
        incorporation_date=entry.incorporation_date,
        addresses=entry.addresses,
        people=entry.people,
        home_jurisdiction=entry.home_jurisdiction,
        home_number=entry.home_number,
        business_report=build_business_profile(entry),
        source=source.key,
        source_url=entry.source_url or source.metadata.page,
        route=origin.route,
        as_of=origin.as_of,
        retrieved_at=origin.retrieved_at,
        obtained_at=runtime.clock(),
        cached=False,
        evidence=(),
        source_files=origin.files if isinstance(origin, LoadRecord) else (),
        notes=extraction.notes,
    )


async def _store_evidence(
    runtime: Runtime, organization_id: UUID, report: RegistryReport, extraction: RegistrationResult
) -> RegistryReport:
    """The report with its raw answers in the file store; for loaded data the one record that was read."""
    origin = extraction.origin
    described: list[tuple[bytes, str, int | None, str, datetime]] = [
        (answer.body, _describe_request(answer), answer.status, answer.content_type, answer.retrieved_at)
        for answer in extraction.answers
    ]
    if isinstance(origin, LoadRecord):
        url = origin.files[0].url if origin.files else extraction.source.metadata.page
        described.append((extraction.entry.to_json().encode(), url, None, JSON, origin.retrieved_at))
    rows = []
    for number, (content, url, status, content_type, retrieved_at) in enumerate(described):
        stored = await runtime.files.put(organization_id, build_evidence_name(report.report_id, number), content, content_type)
        rows.append(
            Evidence(
                evidence_url=f"/v1/business-reports/{report.report_id}/evidence/{number}",
                url=url,
                status=status,
                content_type=content_type,
                size=stored.size,
                sha256=stored.sha256,
                retrieved_at=retrieved_at,
            )
        )
    return report.model_copy(update={"evidence": tuple(rows)})


def _describe_request(answer: SourceResponse) -> str:
    """What was asked, in one line: the address with its query, or with its body behind it."""
    call = answer.call
    query = "&".join(f"{name}={value}" for name, value in call.params)
    body = f" {json.dumps(call.json, ensure_ascii=False)}" if call.method == "POST" else ""
    return f"{call.url}?{query}" if query else f"{call.url}{body}"


def build_evidence_name(report_id: UUID, number: int) -> str:
    """The name of the stored file of one raw answer behind a report."""
    return f"reports/{report_id}/evidence-{number}.bin"
