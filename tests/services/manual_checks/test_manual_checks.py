"""Manual checks: they are opened where no program can query a register, and their results count as the register's data."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest

from bonafide.errors import Conflict, NotFound, ScopeMissing, ValidationFailed
from bonafide.model.accounts.account_settings import AccountSettings
from bonafide.model.accounts.organizations import Principal, Scope
from bonafide.model.cases.policy import CaseItemKind
from bonafide.model.entity import StatusCode
from bonafide.model.events.event import EventType
from bonafide.model.loading import Route
from bonafide.model.manual_checks.manual_check import ManualCheck, ManualCheckOrigin, ManualCheckStatus
from bonafide.model.manual_checks.requests import ManualCheckCancellation, ManualCheckRequest
from bonafide.model.search.result import CoverageStatus
from bonafide.model.verification.registry_report import RegistryReport, ReportRequest
from bonafide.model.verification.results import CheckStatus, ResultStatus
from bonafide.runtime import Runtime
from bonafide.services.accounts.organizations import change_settings
from bonafide.services.manual_checks.attachments import MAX_CHECK_FILES, add_check_file, read_check_file
from bonafide.services.manual_checks.reading import read_check_audit_log, read_manual_check
from bonafide.services.manual_checks.renewal import renew_results
from bonafide.services.manual_checks.report_requests import get_business_report
from bonafide.services.manual_checks.requests import cancel_manual_check, create_manual_check
from bonafide.services.records.audit_check import verify_audit_log
from bonafide.services.records.uploads import UploadedDocument
from bonafide.services.reports.business_reports import read_evidence
from bonafide.store.cases import manual_checks
from bonafide.store.cases.manual_checks import StoredCheckFile
from tests.support.services.cases import count_open, list_all, read_only_case
from tests.support.services.events import list_events
from tests.support.services.manual_checks import (
    ANN,
    BOB,
    CLAIM,
    add_record,
    create,
    list_checks,
    record_absence,
    record_seen,
    verify,
    verify_record,
)
from tests.support.services.runtimes import clock_of, search
from tests.support.services.verifications import stands

pytestmark = pytest.mark.anyio
PDF = b"%PDF-1.7 a page of the register"


@pytest.fixture
def runtime(empty_runtime: Runtime) -> Runtime:
    return empty_runtime


async def open_by_verification(runtime: Runtime, north: Principal) -> ManualCheck:
    """The check that a failed verification of a record has opened."""
    record = await add_record(runtime, north.organization_id)
    await verify(runtime, north, businessId=str(record.id))
    (listed,) = await list_checks(runtime, north.organization_id)
    return await read_manual_check(runtime, north.organization_id, listed.id)


async def list_check_events(runtime: Runtime, organization: UUID) -> list[EventType]:
    return [event.type for event in await list_events(runtime, organization) if event.type.startswith("manual_check.")]


async def test_a_failed_verification_of_a_record_opens_one_check(runtime: Runtime, north: Principal) -> None:
    record = await add_record(runtime, north.organization_id)
    first = await verify(runtime, north, businessId=str(record.id))
    assert (await stands(runtime, north, first))["status"] == "failed"
    await verify(runtime, north, businessId=str(record.id))
    (check,) = await list_checks(runtime, north.organization_id)
    assert (check.business_id, check.verification_id, check.source) == (record.id, first, "nl")
    assert (check.name, check.registration_number, check.origin) == (CLAIM["legalName"], "77001", ManualCheckOrigin.VERIFICATION)
    assert (check.status, check.due_at) == (ManualCheckStatus.OPEN, check.opened_at + timedelta(days=10))
    assert check.url == runtime.sources["nl"].metadata.page
    case = await read_only_case(runtime, north.organization_id)
    assert count_open(case) == {CaseItemKind.MANUAL_CHECK: 1}
    assert [item.ref for item in case.items] == [f"/v1/manual-checks/{check.id}"]
    assert case.due_at == check.due_at
    assert (await verify_audit_log(runtime, north.organization_id)).problems == []


async def test_without_a_record_nobody_has_to_look_unless_somebody_wants_it(runtime: Runtime, north: Principal) -> None:
    verification = await verify(runtime, north)
    await search(runtime, north, name="Cod & Capelin Ltd.", jurisdictions=["NL"])
    assert await list_checks(runtime, north.organization_id) == []
    check = await create(runtime, north, verificationId=str(verification))
    assert (check.business_id, check.source, check.name, check.registration_number) == (None, "nl", CLAIM["legalName"], "77001")
    again = await create_manual_check(runtime, north, ManualCheckRequest(verification_id=verification), BOB)
    assert (again.created, again.check) == (False, check)
    # One case has both the failed verification and the check.
    assert count_open(await read_only_case(runtime, north.organization_id)) == {CaseItemKind.MANUAL_CHECK: 1}
    await record_seen(runtime, north.organization_id, check.id)
    assert [case.status for case in await list_all(runtime, north.organization_id)] == ["decided"]


async def test_what_was_seen_counts_in_verifications(runtime: Runtime, north: Principal) -> None:
    organization, check = north.organization_id, await open_by_verification(runtime, north)
    upload = UploadedDocument("page.pdf", PDF)
    attachment = await add_check_file(runtime, organization, check.id, upload, ANN)
    done = await record_seen(runtime, organization, check.id, attachmentId=str(attachment.id))
    assert (done.status, done.result is not None, done.attachments) == (ManualCheckStatus.DONE, True, (attachment,))
    assert await read_check_file(runtime, organization, check.id, attachment.id) == (attachment, PDF)
    clock_of(runtime).advance(days=30)
    record = await add_record(runtime, organization)
    result = await verify_record(runtime, north, record)
    report = result.registry_data
    assert report is not None
    assert (result.results.status, report.route, report.status_code) == (ResultStatus.VERIFIED, Route.MANUAL, StatusCode.ACTIVE)
    assert [str(note) for note in report.notes] == [f"Seen by {ANN.actor} on {report.retrieved_at.date()}."]
    assert result.manual_check is not None
    assert (result.manual_check.id, result.manual_check.result) == (check.id, done.result)
    evidence, content = await read_evidence(runtime, organization, report.report_id, 0)
    assert (content, evidence.sha256) == (PDF, attachment.sha256)
    assert await list_check_events(runtime, organization) == [EventType.MANUAL_CHECK_OPENED, EventType.MANUAL_CHECK_COMPLETED]
    page = await read_check_audit_log(runtime, organization, check.id, 10, 0)
    assert [(entry.field, entry.actor) for entry in page.entries] == [
        ("manual_check.opened", north.identity),
        ("manual_check.attached", ANN.actor),
        ("manual_check.completed", ANN.actor),
    ]
    assert (await verify_audit_log(runtime, organization)).problems == []


async def get_report(runtime: Runtime, principal: Principal, number: str) -> RegistryReport:
    request = ReportRequest.model_validate({"jurisdiction": "NL", "registrationNumber": number})
    return await get_business_report(runtime, principal, request)


async def test_a_business_report_is_that_of_the_manual_check(runtime: Runtime, north: Principal, south: Principal) -> None:
    check = await create(runtime, north, businessId=str((await add_record(runtime, north.organization_id)).id))
    with pytest.raises(ValidationFailed, match="is unavailable"):
        await get_report(runtime, north, "77001")
    done = await record_seen(runtime, north.organization_id, check.id, registrationNumber="77009")
    assert done.result is not None
    clock_of(runtime).advance(days=30)
    for number in ("77-001", "77009"):
        report = await get_report(runtime, north, number)
        assert (report.report_id, report.registration_number) == (done.result.report_id, number)
        assert (report.route, report.source, report.cached) == (Route.MANUAL, "nl", True)
        assert (report.retrieved_at, report.as_of) == (done.result.retrieved_at, done.result.retrieved_at.date())
        assert [str(note) for note in report.notes] == [f"Seen by {ANN.actor} on {report.as_of}."]
    with pytest.raises(ValidationFailed, match="is unavailable"):
        await get_report(runtime, south, "77001")
    clock_of(runtime).advance(days=336)
    with pytest.raises(ValidationFailed, match="is unavailable"):
        await get_report(runtime, north, "77001")


async def test_a_business_that_was_not_in_the_register_has_no_report(runtime: Runtime, north: Principal) -> None:
    check = await create(runtime, north, businessId=str((await add_record(runtime, north.organization_id)).id))
    await record_absence(runtime, north.organization_id, check.id)
    with pytest.raises(NotFound, match=rf"^{ANN.actor} searched the register on .* no registration with the number 77001\.$"):
        await get_report(runtime, north, "77001")


async def test_of_results_of_the_same_instant_the_last_one_counts(runtime: Runtime, north: Principal) -> None:
    organization, record = north.organization_id, await add_record(runtime, north.organization_id)
    seen_at = clock_of(runtime).now.isoformat()
    for name in ("First Ltd.", "Second Ltd.", "Third Ltd."):
        clock_of(runtime).advance(minutes=1)
        check = await create(runtime, north, businessId=str(record.id))
        await record_seen(runtime, organization, check.id, name=name, retrievedAt=seen_at)
        assert (await get_report(runtime, north, "77001")).legal_name == name
        (match,) = (await search(runtime, north, businessId=str(record.id))).businesses or ()
        assert match.legal_name.name == name


async def test_a_check_of_a_source_that_is_gone_cannot_be_done(runtime: Runtime, north: Principal) -> None:
    check = await open_by_verification(runtime, north)
    sources = {key: source for key, source in runtime.sources.items() if key != check.source}
    with pytest.raises(Conflict, match="no longer has the source nl"):
        await record_seen(replace(runtime, sources=sources), north.organization_id, check.id)


async def test_the_evidence_of_a_result_that_was_refused_is_removed(runtime: Runtime, north: Principal) -> None:
    organization, check = north.organization_id, await open_by_verification(runtime, north)
    attachment = await add_check_file(runtime, organization, check.id, UploadedDocument("page.pdf", PDF), ANN)
    both = (record_seen(runtime, organization, check.id, who, attachmentId=str(attachment.id)) for who in (ANN, BOB))
    results = await asyncio.gather(*both, return_exceptions=True)
    assert sorted(type(one).__name__ for one in results) == ["Conflict", "ManualCheck"]
    assert len([name async for _, name in runtime.files.list_all()]) == 2


async def test_what_was_not_recorded_is_not_a_discrepancy(runtime: Runtime, north: Principal) -> None:
    check = await open_by_verification(runtime, north)
    await record_seen(runtime, north.organization_id, check.id, people=[], address=None)
    claimed = {"people": [{"name": "Ada Sample"}], "address": {"city": "Gander"}}
    reply = await verify(runtime, north, **claimed)
    results = (await stands(runtime, north, reply))["results"]
    assert results["status"] == "verified"
    assert {results["people"][0]["status"], results["fields"]["address"]["status"]} == {CheckStatus.NOT_PUBLISHED}


async def test_an_absence_is_definite(runtime: Runtime, north: Principal) -> None:
    check = await open_by_verification(runtime, north)
    done = await record_absence(runtime, north.organization_id, check.id)
    body = await stands(runtime, north, await verify(runtime, north))
    assert (body["results"]["status"], body["registryData"]) == ("not_found", None)
    assert body["manualCheck"]["result"]["seenBy"] == ANN.actor
    assert done.result is not None
    assert (done.result.report_id, done.result.found) == (None, False)


async def test_the_newest_result_counts_also_for_the_number_that_was_seen(runtime: Runtime, north: Principal) -> None:
    organization, first = north.organization_id, await open_by_verification(runtime, north)
    await record_absence(runtime, organization, first.id)
    clock_of(runtime).advance(minutes=1)
    second = await create(runtime, north, businessId=str(first.business_id))
    await record_seen(runtime, organization, second.id, BOB, registrationNumber="77009")
    by_claim = await stands(runtime, north, await verify(runtime, north))
    assert by_claim["results"]["fields"]["registrationNumber"]["status"] == "mismatched"
    by_seen = await stands(runtime, north, await verify(runtime, north, registrationNumber="077009"))
    assert (by_seen["results"]["status"], by_seen["registryData"]["registrationNumber"]) == ("verified", "077009")


async def test_a_result_ages_and_is_renewed_once_for_monitored_records(runtime: Runtime, north: Principal) -> None:
    organization, check = north.organization_id, await open_by_verification(runtime, north)
    done = await record_seen(runtime, organization, check.id)
    assert done.result is not None
    assert done.result.expires_at == done.result.retrieved_at + timedelta(days=365)
    clock_of(runtime).advance(days=366)
    failed = await stands(runtime, north, await verify(runtime, north))
    assert failed["status"] == "failed"
    assert await renew_results(runtime) == 0  # the record is not monitored
    await add_record(runtime, organization, isMonitored=True)
    again = await create(runtime, north, businessId=str(check.business_id))
    await record_seen(runtime, organization, again.id)
    clock_of(runtime).advance(days=366)
    assert sum(await asyncio.gather(renew_results(runtime), renew_results(runtime))) == 1
    (renewed,) = await list_checks(runtime, organization, status=ManualCheckStatus.OPEN)
    assert (renewed.origin, renewed.business_id) == (ManualCheckOrigin.RENEWAL, check.business_id)


async def test_a_search_of_a_record_opens_the_check_of_its_register_and_uses_the_result(runtime: Runtime, north: Principal) -> None:
    organization, record = north.organization_id, await add_record(runtime, north.organization_id)
    first = await search(runtime, north, businessId=str(record.id))
    (check,) = await list_checks(runtime, organization)
    assert (check.search_id, check.source, check.origin) == (first.meta.search_id, "nl", ManualCheckOrigin.SEARCH)
    await record_seen(runtime, organization, check.id)
    second = await search(runtime, north, businessId=str(record.id))
    (row,) = [row for row in second.meta.coverage if row.source == "nl"]
    assert (row.status, row.route, row.matches) == (CoverageStatus.SEARCHED, Route.MANUAL, 1)
    assert row.note == f"Seen by {ANN.actor} on {row.as_of}."
    assert [match.route for match in second.businesses or ()] == [Route.MANUAL]
    assert [one.status for one in await list_checks(runtime, organization)] == [ManualCheckStatus.DONE]
    # The result is about this record and says nothing of others.
    other = await search(runtime, north, name=CLAIM["legalName"])
    assert not other.businesses


async def test_an_organization_can_do_without_such_checks(runtime: Runtime, north: Principal) -> None:
    sent = {"cases": {"items": {"manualCheck": {"enabled": False}}}}
    await change_settings(runtime, north.organization_id, AccountSettings.model_validate(sent), ANN)
    record = await add_record(runtime, north.organization_id)
    await verify(runtime, north, businessId=str(record.id))
    await search(runtime, north, businessId=str(record.id))
    assert await list_checks(runtime, north.organization_id) == []


async def test_of_two_who_look_one_is_told_what_happened(runtime: Runtime, north: Principal) -> None:
    organization, check = north.organization_id, await open_by_verification(runtime, north)
    both = await asyncio.gather(
        record_seen(runtime, organization, check.id, ANN),
        record_absence(runtime, organization, check.id, BOB),
        return_exceptions=True,
    )
    (done,) = [one for one in both if isinstance(one, ManualCheck)]
    (refused,) = [one for one in both if isinstance(one, Conflict)]
    assert done.result is not None
    assert refused.message.startswith(f"{done.result.seen_by} recorded the result of this manual check on ")
    with pytest.raises(Conflict, match="recorded the result"):
        await cancel_manual_check(runtime, organization, check.id, ManualCheckCancellation(), ANN)


async def test_a_cancelled_check_is_settled(runtime: Runtime, north: Principal) -> None:
    organization, check = north.organization_id, await open_by_verification(runtime, north)
    request = ManualCheckCancellation(note="The client has withdrawn.")
    cancelled = await cancel_manual_check(runtime, organization, check.id, request, ANN)
    assert (cancelled.status, cancelled.cancelled_by, cancelled.cancel_note) == (
        ManualCheckStatus.CANCELLED,
        ANN.actor,
        "The client has withdrawn.",
    )
    assert [count_open(case) for case in await list_all(runtime, organization)] == [{}]
    with pytest.raises(Conflict, match=f"^{ANN.actor} cancelled this manual check on "):
        await cancel_manual_check(runtime, organization, check.id, request, BOB)
    assert (await record_seen(runtime, organization, check.id)).status is ManualCheckStatus.DONE


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"retrievedAt": "2031-01-01T00:00:00Z"}, "retrievedAt"),
        ({"retrievedAt": "2001-01-01T00:00:00Z"}, "retrievedAt"),
        ({"registrationNumber": "--"}, "registrationNumber"),
        ({"attachmentId": "2b5c8e1f-4a6d-4f3b-9c7e-8d1a2b3c4d5e"}, "attachmentId"),
    ],
)
async def test_a_result_that_cannot_be_is_refused(runtime: Runtime, north: Principal, changes: dict[str, Any], field: str) -> None:
    check = await open_by_verification(runtime, north)
    with pytest.raises(ValidationFailed) as refused:
        await record_seen(runtime, north.organization_id, check.id, **changes)
    assert [problem.path for problem in refused.value.details] == [field]
    assert (await read_manual_check(runtime, north.organization_id, check.id)).status is ManualCheckStatus.OPEN


async def test_a_request_names_a_register_that_exists(runtime: Runtime, north: Principal) -> None:
    record = await add_record(runtime, north.organization_id, jurisdiction=None, registrationNumber=None)
    for fields in ({}, {"source": "un-sanctions-consolidated"}, {"source": "nl", "jurisdiction": "ON"}):
        with pytest.raises(ValidationFailed):
            await create(runtime, north, businessId=str(record.id), **fields)
    check = await create(runtime, north, businessId=str(record.id), jurisdiction="ON")
    assert (check.source, check.registration_number) == ("on", None)
    with pytest.raises(NotFound):
        await create(runtime, north, searchId=str(record.id))
    blind = replace(north, scopes=frozenset({Scope.CASES_WRITE}))
    with pytest.raises(ScopeMissing):
        await create(runtime, blind, businessId=str(record.id), jurisdiction="ON")


async def test_a_check_has_a_limited_number_of_files(runtime: Runtime, north: Principal) -> None:
    organization, check = north.organization_id, await open_by_verification(runtime, north)
    first = await add_check_file(runtime, organization, check.id, UploadedDocument("page.pdf", PDF), ANN)
    async with runtime.store.write() as connection:
        for _ in range(MAX_CHECK_FILES - 1):
            row = StoredCheckFile(uuid4(), check.id, first.uploaded_at, first.to_json())
            await manual_checks.add_file(connection, organization, row)
    with pytest.raises(ValidationFailed, match="limit"):
        await add_check_file(runtime, organization, check.id, UploadedDocument("page.pdf", PDF), ANN)
    with pytest.raises(ValidationFailed):
        await add_check_file(runtime, organization, check.id, UploadedDocument("page.txt", b"text"), ANN)
