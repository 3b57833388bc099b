"""Business reports: a register's profile of one business, stored with the raw responses that it was made from.

A stored report is reused while it is recent enough for the caller.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID, uuid4

from bonafide.errors import NotFound, SourceError, ValidationFailed
from bonafide.i18n.message import Message, plural_message
from bonafide.matching.entries.register_codes import parse_entity_type_code
from bonafide.matching.identifiers.number_matching import build_number_keys
from bonafide.model.accounts.organizations import World
from bonafide.model.events.event import EventSource, EventSubject, EventSubjectKind, EventType, NewEvent
from bonafide.model.events.event_data import ReportReadyData
from bonafide.model.loading import LoadRecord, Route
from bonafide.model.verification.registry_report import Evidence, RegistryReport
from bonafide.net.http_messages import SourceResponse
from bonafide.runtime import Runtime
from bonafide.services.events.recording import record_events
from bonafide.services.loading.refresh import get_current_load
from bonafide.services.lookup.registration_lookup import (
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
from bonafide.store.work.pending_key import complete_key

JSON = "application/json"
REPORT_CACHE = "report"
"""The label of stored reports in the metrics of caches."""


@dataclass(frozen=True, slots=True)
class ReportSubject:
    """A registration of which an organization requests a report, and the organization's world."""

    organization_id: UUID
    world: World
    registration: RegistrationQuery

    @property
    def key(self) -> registry_lookups.RegistrationKey:
        """A key that is equal for all spellings of the number. Raises `ValidationFailed` for a text without a number."""
        keys = build_number_keys(self.registration.number)
        if not keys:
            raise ValidationFailed.of_field("registrationNumber", Message("has no digit or letter"))
        return registry_lookups.RegistrationKey(self.registration.jurisdiction, min(keys))


def get_max_age(runtime: Runtime, hours: float | None) -> timedelta:
    """The maximum age of a recent report: the requested one, or else the configured one."""
    return timedelta(hours=hours if hours is not None else runtime.settings.report_max_age_h)


async def find_recent_report(runtime: Runtime, subject: ReportSubject, since: datetime) -> RegistryReport | None:
    """The newest stored report, if it was made since then and its loaded data is still current.

    Raises `ValidationFailed` for a text without a number.
    """
    async with runtime.store.read() as connection:
        document = await registry_lookups.get_newest_extract(connection, subject.organization_id, subject.key, since)
    kept = document.parse(RegistryReport) if document is not None else None
    if kept is None or kept.route is Route.MANUAL or not _is_newest(runtime, subject.world, kept):
        # The result of a manual check is used only if no program can query the register (`manual_checks/answers`).
        return None
    return kept.model_copy(update={"cached": True})


async def build_loaded_report(runtime: Runtime, subject: ReportSubject, since: datetime) -> RegistryReport | None:
    """A new report of loaded data, if that was retrieved since then or the register has no live access; `notes` have its age.

    None if the register must be queried instead, or the data does not have the number.
    """
    try:
        extraction = await read_loaded_registration(runtime, subject.world, subject.registration)
    except SourceError:
        return None
    old = extraction is not None and extraction.origin.retrieved_at < since
    if extraction is None or (old and is_live_lookup_available(runtime, subject.world, subject.registration.jurisdiction)):
        return None
    return await _store_report(runtime, subject, extraction, is_effect=False)


async def obtain_report(runtime: Runtime, subject: ReportSubject) -> RegistryReport:
    """Look up the registration, and store a new report with its evidence. Raises `SourceError`."""
    return await _store_report(runtime, subject, await look_up_registration(runtime, subject.world, subject.registration))


def sign_report(runtime: Runtime, organization_id: UUID, report: RegistryReport) -> RegistryReport:
    """The report with a new signed URL of its PDF."""
    address = sign_url(runtime, organization_id, build_report_document_name(report.report_id))
    part = report.business_report.model_copy(update={"report_url": address.url, "report_url_expires_at": address.expires_at})
    return report.model_copy(update={"business_report": part})


def note_exceeded_age(report: RegistryReport, now: datetime, max_age_h: float | None) -> RegistryReport:
    """The report with a note if its loaded data is older than the requested age; unchanged if no age was requested."""
    if max_age_h is None or report.route is Route.LIVE or report.retrieved_at >= now - timedelta(hours=max_age_h):
        return report
    note = Message(
        "The register could not be queried now. This data was retrieved on {day}, which is earlier than `maxAge` allows.",
        day=report.retrieved_at.date().isoformat(),
    )
    return report.model_copy(update={"notes": (*report.notes, note)})


async def read_report(runtime: Runtime, organization_id: UUID, report_id: UUID) -> RegistryReport:
    """A stored report with a new signed URL of its PDF. Raises `NotFound`."""
    async with runtime.store.read() as connection:
        document = await registry_lookups.get_extract(connection, organization_id, report_id)
    if document is None:
        raise NotFound(Message("We couldn’t find that business report."))
    kept = document.parse(RegistryReport).model_copy(update={"cached": True})
    return sign_report(runtime, organization_id, kept)


async def read_evidence(runtime: Runtime, organization_id: UUID, report_id: UUID, number: int) -> tuple[Evidence, bytes]:
    """One raw response of a report, verified by its digest. Raises `NotFound`, `ServerBusy`, `InternalFailure`."""
    report = await read_report(runtime, organization_id, report_id)
    if not 0 <= number < len(report.evidence):
        raise NotFound(
            plural_message(
                "The report has {n} piece of evidence, numbered from 0.",
                "The report has {n} pieces of evidence, numbered from 0.",
                len(report.evidence),
            )
        )
    evidence = report.evidence[number]
    return evidence, await runtime.files.get(organization_id, build_evidence_name(report_id, number), evidence.sha256)


# ------------------------------------------------------------------------------------------------------------ lookup


def _is_newest(runtime: Runtime, world: World, kept: RegistryReport) -> bool:
    """Whether the report is of live data, or its loaded data is still current."""
    source = runtime.sources.get(kept.source)
    if kept.route is Route.LIVE or source is None:
        return kept.route is Route.LIVE
    load = get_current_load(runtime, world, source)
    return load is not None and load.retrieved_at == kept.retrieved_at


# ------------------------------------------------------------------------------------------------------------ storage


async def _store_report(
    runtime: Runtime, subject: ReportSubject, extraction: RegistrationResult, *, is_effect: bool = True
) -> RegistryReport:
    """Store the result of a lookup as a report with its evidence; `is_effect` is False if the request is for something else."""
    key, report = subject.key, build_report(runtime, subject.registration, extraction)
    report = await _store_evidence(runtime, subject.organization_id, report, extraction)
    row = registry_lookups.NewExtract(report.report_id, key, report.obtained_at, report.to_stored())
    async with runtime.store.write(is_effect=is_effect) as connection:
        await registry_lookups.insert_extract(connection, subject.organization_id, row)
        if is_effect:
            await complete_key(connection, sign_report(runtime, subject.organization_id, report))
        await record_events(connection, subject.organization_id, [build_ready_event(report)], runtime.clock())
    return report


def build_ready_event(report: RegistryReport) -> NewEvent:
    """The event of a new report."""
    return NewEvent(
        EventType.REPORT_READY,
        EventSubject(
            kind=EventSubjectKind.REGISTRY_ENTRY,
            name=report.legal_name,
            jurisdiction=report.jurisdiction,
            registration_number=report.registration_number,
        ),
        ReportReadyData(report_id=report.report_id),
        source=EventSource(key=report.source, as_of=report.as_of, retrieved_at=report.retrieved_at),
        resource=f"/v1/business-reports/{report.report_id}",
    )


def build_report(runtime: Runtime, registration: RegistrationQuery, extraction: RegistrationResult) -> RegistryReport:
    """The report of a result, without its evidence; nothing is stored."""
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
    """Store the raw responses of a report; for loaded data, the record that was read."""
    origin = extraction.origin
    contents = [
        EvidenceContent(answer.body, _describe_request(answer), answer.status, answer.content_type, answer.retrieved_at)
        for answer in extraction.answers
    ]
    if isinstance(origin, LoadRecord):
        url = origin.files[0].url if origin.files else extraction.source.metadata.page
        contents.append(EvidenceContent(extraction.entry.to_json().encode(), url, None, JSON, origin.retrieved_at))
    return await store_evidence(runtime, organization_id, report, contents)


@dataclass(frozen=True, slots=True)
class EvidenceContent:
    """What a report was made from: a raw response with its HTTP status, or another file with the page that it is of."""

    content: bytes
    url: str
    status: int | None
    content_type: str
    retrieved_at: datetime


async def store_evidence(
    runtime: Runtime, organization_id: UUID, report: RegistryReport, contents: Iterable[EvidenceContent]
) -> RegistryReport:
    """Store the files of a report that is not stored yet; returns the report with their descriptions. Raises `ServerBusy`."""
    rows = []
    for number, one in enumerate(contents):
        name = build_evidence_name(report.report_id, number)
        stored = await runtime.files.put(organization_id, name, one.content, one.content_type)
        rows.append(
            Evidence(
                evidence_url=f"/v1/business-reports/{report.report_id}/evidence/{number}",
                url=one.url,
                status=one.status,
                content_type=one.content_type,
                size=stored.size,
                sha256=stored.sha256,
                retrieved_at=one.retrieved_at,
            )
        )
    return report.model_copy(update={"evidence": tuple(rows)})


def _describe_request(answer: SourceResponse) -> str:
    """The request in one line: the URL with its query, or followed by its body."""
    call = answer.call
    query = "&".join(f"{name}={value}" for name, value in call.params)
    body = f" {json.dumps(call.json, ensure_ascii=False)}" if call.method == "POST" else ""
    return f"{call.url}?{query}" if query else f"{call.url}{body}"


def build_evidence_name(report_id: UUID, number: int) -> str:
    """The name of the stored file of one raw response of a report."""
    return f"reports/{report_id}/evidence-{number}.bin"
