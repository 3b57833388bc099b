"""Complete a verification with its document or with a reason, and update the business record.

Each ending is one short transaction, and only the first counts. What the fields come to is `matching/verify`'s business.
"""

from datetime import datetime
from typing import Any

from bonafide.matching.verification.claim_comparison import build_not_found_findings, build_thresholds, compare_claim
from bonafide.model.records.business_record import Author, SystemFields, VerificationStatus
from bonafide.model.verification.registry_report import RegistryReport
from bonafide.model.verification.results import Findings, ResultStatus, VerificationMeta, VerifyResponse
from bonafide.runtime import Runtime
from bonafide.services.lookup.registration_lookup import get_register_page
from bonafide.services.records import business_records
from bonafide.services.reports.business_reports import sign_report
from bonafide.services.reports.printed_profile import get_published_parts
from bonafide.services.verification.spec import Verification
from bonafide.services.verification.summary import build_verification_document, paraphrase_summary
from bonafide.store.database.engine import Connection
from bonafide.store.records import verifications

_RECORDED = {
    ResultStatus.VERIFIED: VerificationStatus.VERIFIED,
    ResultStatus.DISCREPANCIES: VerificationStatus.DISCREPANCIES,
    ResultStatus.NOT_FOUND: VerificationStatus.DISCREPANCIES,
    # A business that is no more must not pass for verified, though all that was claimed of it is right.
    ResultStatus.INACTIVE: VerificationStatus.DISCREPANCIES,
}


async def build_verification_response(
    runtime: Runtime, verification: Verification, report: RegistryReport | None
) -> VerifyResponse:
    """The document: the claim compared with the report; without one, that the register has no such number."""
    order, now = verification.order, runtime.clock()
    findings = _compute_findings(runtime, verification, report)
    meta = VerificationMeta(
        verification_id=verification.id,
        external_id=order.external_id,
        business_id=order.business_id,
        verified_at=now,
        verified_by=order.asked_by.identity,
        duration=max(round((now - verification.created_at).total_seconds() * 1000), 0),
        submitted=order.subject,
        thresholds=build_thresholds(order.settings),
    )
    shown = sign_report(runtime, verification.organization_id, report) if report is not None else None
    document = build_verification_document(meta, findings, shown, order.asked_by.language)
    return await paraphrase_summary(runtime, verification, document)


def _compute_findings(runtime: Runtime, verification: Verification, report: RegistryReport | None) -> Findings:
    subject, settings = verification.order.subject, verification.order.settings
    if report is None:
        return build_not_found_findings(subject, settings)
    source = runtime.sources.get(report.source)
    published = get_published_parts(source, report.route) if source is not None else ()
    return compare_claim(subject, settings, report, published)


async def store_response(runtime: Runtime, connection: Connection, verification: Verification, document: VerifyResponse) -> None:
    """Keep the document, and what it says on the record; where the verification was over already, nothing changes."""
    now, outcome = runtime.clock(), document.results.status
    answer = verifications.CompletedVerification(document.to_json(), outcome)
    if not await verifications.complete(connection, verification.organization_id, verification.id, answer, now):
        return
    runtime.metrics.count_verification(outcome)
    status = _RECORDED[outcome]
    learned = {
        "verification_status": status,
        "last_verified_at": document.meta.verified_at,
        "has_unresolved_discrepancies": status is not VerificationStatus.VERIFIED,
    }
    await _update_record(connection, verification, now, learned)


async def store_failure(runtime: Runtime, connection: Connection, verification: Verification, reason: str) -> bool:
    """Keep why there is no document; False when the verification was over already, and nothing changes."""
    now = runtime.clock()
    if not await verifications.fail(connection, verification.organization_id, verification.id, reason, now):
        return False
    runtime.metrics.count_verification("failed")
    await _update_record(connection, verification, now, {"verification_status": VerificationStatus.FAILED})
    return True


async def _update_record(connection: Connection, verification: Verification, now: datetime, outcome: dict[str, Any]) -> None:
    business_id = verification.order.business_id
    if business_id is None:
        return
    fields = SystemFields(latest_verification_id=verification.id, last_verification_job_id=verification.id, **outcome)
    asker = verification.order.asked_by
    author = Author(asker.identity, asker.request_id)
    await business_records.record_system_fields(connection, verification.organization_id, business_id, fields, author, now)


def explain_failure(runtime: Runtime, verification: Verification, problem: str) -> str:
    """A problem with where a person can look instead."""
    page = get_register_page(runtime, verification.order.subject.jurisdiction)
    if page is None or page in problem:
        return problem
    return f"{problem.rstrip('. ')}. A person can look here: {page}"


def explain_timeout(runtime: Runtime, verification: Verification, problem: str | None) -> str:
    """Why a verification has failed that its register did not answer in time."""
    told = f"{problem.rstrip('. ')}. " if problem is not None else ""
    limit_s = (verification.deadline_at - verification.created_at).total_seconds()
    return explain_failure(runtime, verification, f"{told}The verification was not finished within {limit_s:g} s; try again later")
