"""Compare the rows of a batch with the loaded data of their registers. Live registers are not queried."""

from collections.abc import Iterator

from pydantic import ValidationError

from bonafide.errors import SourceError, SourceNotFound, ValidationFailed
from bonafide.i18n.message import Message
from bonafide.matching.verification.claim_comparison import build_not_found_findings, compare_claim
from bonafide.model.accounts.account_settings import VerificationSettings
from bonafide.model.batches.rows import NAME, BatchCheck, BatchInputRow, BatchMatch, BatchResultRow, BatchRowStatus
from bonafide.model.verification.registry_report import RegistryReport
from bonafide.model.verification.requests import VerifyRequest
from bonafide.model.verification.results import CheckedField, CheckStatus, Findings, ResultStatus, Subject
from bonafide.runtime import Runtime
from bonafide.services.batches.row_checks import BatchTask, RowChecker, RowRefused, format_data_date, read_address
from bonafide.services.lookup.registration_lookup import (
    NotInPartialData,
    RegistrationResult,
    look_up_loaded,
    simulate_failure,
)
from bonafide.services.reports.business_reports import build_report
from bonafide.services.reports.printed_profile import list_report_parts
from bonafide.services.verification.spec import build_subject
from bonafide.sources.framework.live import RegistrationQuery

NOT_LOADED = Message("The register of {jurisdiction} is not loaded, and a batch does not query live registers.")
_STATUS = {
    ResultStatus.VERIFIED: BatchRowStatus.VERIFIED,
    ResultStatus.DISCREPANCIES: BatchRowStatus.DISCREPANCIES,
    ResultStatus.NOT_FOUND: BatchRowStatus.NOT_FOUND,
    ResultStatus.INACTIVE: BatchRowStatus.INACTIVE,
}
_FIELDS = {"legalName": NAME, "people": "people"}


class VerificationRowChecker(RowChecker):
    """Compares rows with registers, as strictly as the organization's settings say."""

    def __init__(self, runtime: Runtime, task: BatchTask, settings: VerificationSettings) -> None:
        super().__init__(task)
        self._runtime = runtime
        self._settings = settings

    def check_values(self, row: BatchInputRow, result: BatchResultRow) -> None:
        """Compare a row."""
        subject = self._read_subject(row)
        registration = RegistrationQuery(subject.jurisdiction, subject.registration_number)
        try:
            simulate_failure(self._runtime, self.task.world, registration)
            extraction = look_up_loaded(self._runtime, self.task.world, registration, ())
        except NotInPartialData as error:
            self._leave_unchecked(result, subject, error.message)
            return
        except SourceNotFound:
            self._add_findings(result, build_not_found_findings(subject, self._settings))
            result.checked = 1
            return
        except SourceError as error:
            self._leave_unchecked(result, subject, error.message)
            return
        if extraction is None:
            reason = NOT_LOADED.fill(jurisdiction=Message(subject.jurisdiction.label))
            self._leave_unchecked(result, subject, reason)
            return
        report = build_report(self._runtime, registration, extraction)
        findings = compare_claim(subject, self._settings, report, list_report_parts(report, extraction.source))
        self._add_findings(result, findings)
        self._add_entry(result, report, extraction)

    def _read_subject(self, row: BatchInputRow) -> Subject:
        values = row.values
        claim: dict[str, object] = {
            wire: values[field]
            for wire, field in (
                ("legalName", NAME), ("jurisdiction", "jurisdiction"), ("registrationNumber", "registrationNumber"),
            )
            if field in values
        }  # fmt: skip
        address = read_address(values)
        if address is not None:
            claim["address"] = address
        if "people" in values:
            claim["people"] = [{"name": part.strip()} for part in values["people"].split(";") if part.strip()]
        for field in (NAME, "jurisdiction", "registrationNumber"):
            if field not in values:
                raise RowRefused(Message("{column}: {problem}", column=field, problem=Message("is required")))
        try:
            return build_subject(VerifyRequest.model_validate(claim), None)
        except ValidationError as error:
            raise RowRefused.of_validation(error, _FIELDS) from None
        except ValidationFailed as error:
            problem = error.details[0]
            raise RowRefused(Message("{column}: {problem}", column=problem.path, problem=problem.message)) from None

    def _leave_unchecked(self, result: BatchResultRow, subject: Subject, reason: Message) -> None:
        key = subject.jurisdiction.value.lower()
        self.coverage.count_not_checked(key, reason)
        result.status = BatchRowStatus.NOT_CHECKED
        result.not_checked = [key]
        result.warnings = [self.write(reason)]

    def _add_findings(self, result: BatchResultRow, findings: Findings) -> None:
        result.status = _STATUS[findings.status]
        result.checks = list(self._build_checks(findings))
        scores = [check.score for check in result.checks if check.score is not None]
        result.score = min(scores) if scores else None

    def _build_checks(self, findings: Findings) -> Iterator[BatchCheck]:
        fields = findings.fields
        yield self._build_check("legalName", fields.legal_name)
        yield self._build_check("registrationNumber", fields.registration_number)
        if fields.address is not None:
            yield self._build_check("address", fields.address)
        for person in findings.people:
            if person.provided is not None:
                registry = person.registry.name if person.registry is not None else None
                reason = self.write(person.reason)
                yield BatchCheck("people", person.status.value, person.score, person.provided, registry, reason)

    def _build_check(self, field: str, checked: CheckedField) -> BatchCheck:
        score = checked.score if checked.status is not CheckStatus.NOT_PROVIDED else None
        return BatchCheck(field, checked.status.value, score, checked.provided, checked.registry, self.write(checked.reason))

    def _add_entry(self, result: BatchResultRow, report: RegistryReport, extraction: RegistrationResult) -> None:
        as_of = format_data_date(extraction.origin)
        self.coverage.count_checked(report.source, as_of)
        result.checked, result.total_matches = 1, 1
        numbers = report.registration_numbers
        result.matches = [
            BatchMatch(
                score=result.score if result.score is not None else 0.0,
                name=report.legal_name,
                matched_name=None,
                source=report.source,
                entry_id=extraction.entry.entry_id,
                entity_type=report.entity_type,
                jurisdiction=report.jurisdiction.value,
                registration_number=numbers[0].value if numbers else report.registration_number,
                status=report.status,
                as_of=as_of,
                reasons=[],
            )
        ]
