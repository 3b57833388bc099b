"""Complete a verification with its document, or fail it with a reason, and update the business record.

A verification ends in one short transaction, and only the first result is stored. The summary is in the requester's language, by
rules or paraphrased by a language model. For a reader of the other language it is written by rules.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from bonafide.errors import NotFound
from bonafide.i18n.language import Language
from bonafide.i18n.message import Message, join_sentences
from bonafide.matching.risk.record_facts import (
    SCREENING_PATHS,
    VERIFICATION_PATHS,
    build_screening_facts,
    build_verification_facts,
)
from bonafide.matching.summary.digest import SummaryDigest, build_digest
from bonafide.matching.summary.summarizer import Summary, summarise
from bonafide.matching.summary.summary_context import SummaryContext
from bonafide.matching.verification.claim_comparison import build_not_found_findings, build_thresholds, compare_claim
from bonafide.model.events.event import EventBusiness, NewEvent
from bonafide.model.manual_checks.manual_check import ManualCheckEvidence, ManualCheckOrigin
from bonafide.model.records.business_record import Author, BusinessRecord, SystemFields, VerificationStatus
from bonafide.model.search.match import Screening
from bonafide.model.search.result import CheckErrors
from bonafide.model.verification.registry_report import RegistryReport
from bonafide.model.verification.results import Findings, Results, ResultStatus, SummarySource, VerificationMeta, VerifyResponse
from bonafide.runtime import Runtime
from bonafide.services.events.recording import record_events
from bonafide.services.lookup.registration_lookup import get_register_page
from bonafide.services.manual_checks.opening import (
    NeededCheck,
    cancel_answered_checks,
    find_register,
    open_check,
    read_due_period,
)
from bonafide.services.reports.business_reports import note_exceeded_age, sign_report
from bonafide.services.reports.printed_profile import list_report_parts
from bonafide.services.risk.record_rating import CheckFacts, record_check
from bonafide.services.screening.record_hits import update_open_hits
from bonafide.services.verification.paraphrase import Paraphrase, request_paraphrase
from bonafide.services.verification.sanctions import screen_verification
from bonafide.services.verification.spec import Verification
from bonafide.services.verification.verification_events import (
    build_completion_event,
    build_failure_event,
    to_screening_document,
)
from bonafide.store.database.engine import Connection
from bonafide.store.records import verifications

_RECORDED = {
    ResultStatus.VERIFIED: VerificationStatus.VERIFIED,
    ResultStatus.DISCREPANCIES: VerificationStatus.DISCREPANCIES,
    ResultStatus.NOT_FOUND: VerificationStatus.DISCREPANCIES,
    # A business that is not active is not verified, even if the whole claim is correct.
    ResultStatus.INACTIVE: VerificationStatus.DISCREPANCIES,
}


@dataclass(frozen=True, slots=True)
class VerificationFacts:
    """Everything that a verification found, without its summary."""

    meta: VerificationMeta
    findings: Findings
    report: RegistryReport | None
    """None if the register does not have the number."""
    sanctions: Screening | None
    """None if no list was to be screened."""
    errors: CheckErrors | None
    manual_check: ManualCheckEvidence | None = None
    """The manual check of which the result is used; None if a program could query the register."""

    def summarise(self, language: Language) -> Summary:
        """The summary by rules."""
        meta = self.meta
        return summarise(self.findings, meta.submitted, meta.thresholds, self.report, language, self.sanctions)

    def shorten(self, language: Language) -> SummaryDigest:
        """The short summary by rules."""
        meta = self.meta
        return build_digest(SummaryContext(self.findings, meta.submitted, meta.thresholds, self.report, language, self.sanctions))


def build_verification_document(facts: VerificationFacts, summary: Summary, paraphrase: Paraphrase | None) -> VerifyResponse:
    """Build the whole document, with the paraphrase instead of the rule-based summary if there is one."""
    findings = facts.findings
    results = Results(
        **{name: getattr(findings, name) for name in Findings.model_fields},
        analyst_summary=paraphrase.text if paraphrase is not None else summary.text,
        summary_language=summary.language,
        summary_source=SummarySource.MODEL if paraphrase is not None else SummarySource.RULES,
        summary_model=paraphrase.model if paraphrase is not None else None,
        summary_sentences=summary.documents,
    )
    return VerifyResponse(
        meta=facts.meta,
        results=results,
        registry_data=facts.report,
        sanctions=facts.sanctions,
        manual_check=facts.manual_check,
        errors=facts.errors,
    )


def translate_summary(document: VerifyResponse, language: Language | None) -> VerifyResponse:
    """Return the document with its summary in a language; unchanged if it is in that language, or for None."""
    if language is None or document.results.summary_language is language:
        return document
    facts = _extract_facts(document)
    translated = build_verification_document(facts, facts.summarise(language), None)
    return translated.model_copy(update={"accepted_discrepancies": document.accepted_discrepancies})


def build_summary_digest(document: VerifyResponse, language: Language) -> SummaryDigest:
    """The short summary of a document in a language. Like `translate_summary`, it applies the rules to what the document has."""
    return _extract_facts(document).shorten(language)


def _extract_facts(document: VerifyResponse) -> VerificationFacts:
    return VerificationFacts(
        document.meta,
        document.results,
        document.registry_data,
        document.sanctions,
        document.errors,
        document.manual_check,
    )


async def build_verification_response(
    runtime: Runtime, verification: Verification, report: RegistryReport | None, manual_check: ManualCheckEvidence | None = None
) -> VerifyResponse:
    """Build the document: the claim compared with the report, and the parties screened if that was requested.

    Without a report, the register does not have the number. `manual_check` is where a person has seen that, or what the report has.
    """
    spec, subject = verification.spec, verification.spec.subject
    screened = await screen_verification(runtime, verification, report)
    now = runtime.clock()
    if report is None:
        findings = build_not_found_findings(subject, spec.settings)
    else:
        source = runtime.sources.get(report.source)
        published = list_report_parts(report, source) if source is not None else ()
        findings = compare_claim(subject, spec.settings, report, published)
        report = note_exceeded_age(report, verification.created_at, subject.max_age)
        report = sign_report(runtime, verification.organization_id, report)
    meta = VerificationMeta(
        verification_id=verification.id,
        external_id=spec.external_id,
        business_id=spec.business_id,
        verified_at=now,
        verified_by=spec.asked_by.identity,
        duration=max(round((now - verification.created_at).total_seconds() * 1000), 0),
        submitted=subject,
        thresholds=build_thresholds(spec.settings, spec.sanctions_threshold),
    )
    sanctions = screened.screening if screened is not None else None
    errors = CheckErrors(sanctions_screening=screened.error) if screened is not None and screened.error is not None else None
    facts = VerificationFacts(meta, findings, report, sanctions, errors, manual_check)
    summary = facts.summarise(spec.asked_by.language)
    left_s = (verification.deadline_at - runtime.clock()).total_seconds()
    return build_verification_document(facts, summary, await request_paraphrase(runtime, summary, left_s))


async def store_response(runtime: Runtime, connection: Connection, verification: Verification, document: VerifyResponse) -> None:
    """Store the document with its event, and its result in the record. Nothing changes if the verification had already ended."""
    now, outcome = runtime.clock(), document.results.status
    completed = verifications.CompletedVerification(document.to_stored(), outcome)
    if not await verifications.complete(connection, verification.organization_id, verification.id, completed, now):
        return
    runtime.metrics.count_verification(outcome)
    status = _RECORDED[outcome]
    changes: dict[str, Any] = {
        "verification_status": status,
        "last_verified_at": document.meta.verified_at,
        "has_unresolved_discrepancies": status is not VerificationStatus.VERIFIED,
    }
    if document.sanctions is not None:
        changes["last_screened_at"] = document.meta.verified_at
    record, rated = await _update_record(connection, verification, now, changes, _list_facts(document))
    new = [build_completion_event(verification, document, record), *rated]
    screened = to_screening_document(verification, document)
    if record is not None and screened is not None:
        new += await update_open_hits(connection, verification.organization_id, record, screened)
    if record is not None and document.manual_check is None:
        jurisdiction = verification.spec.subject.jurisdiction
        new += await cancel_answered_checks(connection, verification.organization_id, record.id, jurisdiction, now)
    await record_events(connection, verification.organization_id, new, now)


def _list_facts(document: VerifyResponse) -> list[CheckFacts]:
    """What the verification has found out about its record."""
    checks = [CheckFacts(build_verification_facts(document), VERIFICATION_PATHS)]
    if document.sanctions is not None:
        found = build_screening_facts(document.sanctions, document.meta.verified_at.date())
        checks.append(CheckFacts(found, SCREENING_PATHS))
    return checks


async def fail_verification(runtime: Runtime, verification: Verification, reason: Message, *, needs_person: bool = False) -> bool:
    """Store the reason of a failure. Returns False, and changes nothing, if the verification had already ended.

    With `needs_person`, a manual check is opened for the record of the verification.
    """
    now = runtime.clock()
    is_enabled, due_after = await read_due_period(runtime, verification.organization_id) if needs_person else (False, None)
    async with runtime.store.write() as connection:
        if not await verifications.fail(connection, verification.organization_id, verification.id, reason, now):
            return False
        failed = {"verification_status": VerificationStatus.FAILED}
        record, _ = await _update_record(connection, verification, now, failed, ())
        # The event of the check is first: the item of the case then refers to the check.
        new = [build_failure_event(verification, record)]
        needed = _build_needed_check(runtime, verification, record) if is_enabled and record is not None else None
        if needed is not None:
            author = Author(verification.spec.asked_by.identity, verification.spec.asked_by.request_id)
            opened = await open_check(connection, verification.organization_id, needed, due_after, now, author)
            new = [*([opened.event] if opened.event is not None else []), *new]
        await record_events(connection, verification.organization_id, new, now)
    runtime.metrics.count_verification("failed")
    return True


def _build_needed_check(runtime: Runtime, verification: Verification, record: BusinessRecord) -> NeededCheck | None:
    """The look at the register that the verification needs; None for an unknown register."""
    subject = verification.spec.subject
    source = find_register(runtime, subject.jurisdiction)
    if source is None:
        return None
    return NeededCheck(
        source=source,
        jurisdiction=subject.jurisdiction,
        origin=ManualCheckOrigin.VERIFICATION,
        opened_by=verification.spec.asked_by.identity,
        business=EventBusiness.from_record(record),
        name=subject.legal_name,
        registration_number=subject.registration_number,
        verification_id=verification.id,
    )


async def _update_record(
    connection: Connection, verification: Verification, now: datetime, outcome: dict[str, Any], checks: Sequence[CheckFacts]
) -> tuple[BusinessRecord | None, list[NewEvent]]:
    """Store the outcome in the record of the verification; returns the record, if there is one, and the events of its rating."""
    business_id = verification.spec.business_id
    if business_id is None:
        return None, []
    fields = SystemFields(latest_verification_id=verification.id, last_verification_job_id=verification.id, **outcome)
    requester = verification.spec.asked_by
    author = Author(requester.identity, requester.request_id)
    organization_id = verification.organization_id
    try:
        return await record_check(connection, organization_id, business_id, fields, checks, author, now)
    except NotFound:
        return None, []  # the record was erased while the verification ran


def explain_failure(runtime: Runtime, verification: Verification, problem: Message) -> Message:
    """Return the problem, and the page of the register for a manual search."""
    page = get_register_page(runtime, verification.spec.subject.jurisdiction)
    if page is None or page in problem:
        return problem
    return join_sentences(problem, Message("You can search the register yourself: {page}", page=page))


def explain_timeout(runtime: Runtime, verification: Verification, problem: Message | None) -> Message:
    """Explain a failure by the deadline, with the last problem of the register if there was one."""
    limit_s = (verification.deadline_at - verification.created_at).total_seconds()
    timeout = Message("The verification was not completed within {seconds:g} s. Try again later.", seconds=limit_s)
    return explain_failure(runtime, verification, timeout if problem is None else join_sentences(problem, timeout))
