"""Compare a claim with what a register states, field by field: name, number, address, people.

Data that a register never publishes, and data that the caller does not submit, are not discrepancies. Every comparison has a
reason. The package `summary` describes the result in sentences.
"""

from collections.abc import Collection, Sequence

from bonafide.i18n.message import Message
from bonafide.matching.identifiers.number_evidence import append_problem
from bonafide.matching.identifiers.number_formats import find_number_problem
from bonafide.matching.identifiers.number_matching import build_number_keys, compare_numbers
from bonafide.matching.scoring import score_parameters
from bonafide.matching.verification.field_checks import check_address, check_name, check_people
from bonafide.matching.verification.registry_only import list_registry_only_data, list_unclaimed_people
from bonafide.model.accounts.account_settings import VerificationSettings
from bonafide.model.entity import Part, StatusCode
from bonafide.model.verification.registry_report import RegistryReport
from bonafide.model.verification.results import (
    CheckedAddress,
    CheckedField,
    CheckedFields,
    CheckedPerson,
    CheckStatus,
    Findings,
    ResultStatus,
    Subject,
    Thresholds,
)

NOT_ACTIVE = frozenset({
    StatusCode.INACTIVE, StatusCode.DISSOLVED, StatusCode.AMALGAMATED, StatusCode.CONTINUED_OUT, StatusCode.CANCELLED,
})  # fmt: skip
"""A business with a pending dissolution is still active; an unpublished status is unknown."""
NO_ENTRY = Message("the register has no registration with this number")


def compare_claim(
    subject: Subject, settings: VerificationSettings, report: RegistryReport, published: Collection[Part]
) -> Findings:
    """Compare the claim with a report. `published` are the parts that the report's source publishes by its route."""
    fields = CheckedFields(
        legal_name=check_name(subject.legal_name, settings.legal_name.threshold, report),
        registration_number=_check_number(subject.registration_number, settings.registration_number.threshold, report),
        address=_check_address(subject, settings, report, published),
    )
    claimed = _check_people(subject, settings, report, published)
    unclaimed = list_unclaimed_people(claimed, settings.people.threshold, report.people) if settings.people.enabled else ()
    registry_only = list_registry_only_data(subject, settings, report)
    not_provided = len(unclaimed) + len(registry_only.addresses) + len(registry_only.names)
    count = _count_discrepancies(fields, claimed) + (not_provided if settings.count_not_provided else 0)
    return Findings(
        status=_get_result_status(count, report.status_code),
        fields=fields,
        people=(*claimed, *unclaimed),
        discrepancy_count=count,
        registry_only=registry_only,
        not_provided_count=not_provided,
        counts_not_provided=settings.count_not_provided,
    )


def build_not_found_findings(subject: Subject, settings: VerificationSettings) -> Findings:
    """The findings if the register does not have the number: only the number could be compared."""
    fields = CheckedFields(
        legal_name=_build_unchecked_field(subject.legal_name, settings.legal_name.threshold),
        registration_number=CheckedField(
            status=CheckStatus.MISMATCHED,
            score=0.0,
            threshold=settings.registration_number.threshold,
            provided=subject.registration_number,
            registry=None,
            reason=append_problem(NO_ENTRY, find_number_problem(subject.registration_number, (subject.jurisdiction,))),
        ),
        address=_build_unchecked_address(subject, settings),
    )
    people = tuple(
        CheckedPerson(
            name=person.name,
            provided=person.name,
            role=", ".join(person.roles) or None,
            status=CheckStatus.NOT_CHECKED,
            score=None,
            threshold=settings.people.threshold,
            reason=NO_ENTRY,
            registry=None,
        )
        for person in (subject.people if settings.people.enabled else ())
    )
    return Findings(status=ResultStatus.NOT_FOUND, fields=fields, people=people, discrepancy_count=1)


def build_thresholds(settings: VerificationSettings, sanctions: float | None = None) -> Thresholds:
    """The thresholds that applied (`meta.thresholds`). `sanctions` is None if no list was screened."""
    return Thresholds(
        legal_name=settings.legal_name.threshold,
        registration_number=settings.registration_number.threshold,
        address=settings.address.threshold if settings.address.enabled else None,
        people=settings.people.threshold if settings.people.enabled else None,
        sanctions=sanctions,
    )


# ------------------------------------------------------------------------------------------------------------ result


def _get_result_status(discrepancies: int, status: StatusCode) -> ResultStatus:
    if discrepancies > 0:
        return ResultStatus.DISCREPANCIES
    return ResultStatus.INACTIVE if status in NOT_ACTIVE else ResultStatus.VERIFIED


def _count_discrepancies(fields: CheckedFields, people: Sequence[CheckedPerson]) -> int:
    checked = [fields.legal_name, fields.registration_number, fields.address, *people]
    return sum(field is not None and field.status is CheckStatus.MISMATCHED for field in checked)


# ------------------------------------------------------------------------------------------------------------ parts


def _check_number(number: str, threshold: float, report: RegistryReport) -> CheckedField:
    """Compare the number with the most similar one in the register. Spelling and a register's letters are ignored."""
    scored = [(round(compare_numbers(number, own.value), score_parameters.DECIMALS), own) for own in report.registration_numbers]
    score, best = max(scored, key=lambda item: item[0], default=(None, None))
    if score is None or best is None:
        status, reason = CheckStatus.NOT_PUBLISHED, Message("the register entry has no number")
    elif not build_number_keys(number).isdisjoint(build_number_keys(best.value)):
        status, reason = CheckStatus.MATCHED, Message("same number ({label})", label=Message(best.label))
    else:
        status = CheckStatus.MATCHED if score >= threshold else CheckStatus.MISMATCHED
        reason = Message("{found} ({label}) instead of {submitted}", found=best.value, label=Message(best.label), submitted=number)
    return CheckedField(
        status=status,
        score=score,
        threshold=threshold,
        provided=number,
        registry=best.value if best is not None else None,
        reason=reason,
    )


def _check_address(
    subject: Subject, settings: VerificationSettings, report: RegistryReport, published: Collection[Part]
) -> CheckedAddress | None:
    if subject.address is None or not settings.address.enabled:
        return None
    return check_address(
        subject.address.as_address(), settings.address.threshold, report.addresses, published=Part.ADDRESSES in published
    )


def _check_people(
    subject: Subject, settings: VerificationSettings, report: RegistryReport, published: Collection[Part]
) -> tuple[CheckedPerson, ...]:
    if not settings.people.enabled:
        return ()
    return check_people(subject.people, settings.people.threshold, report.people, published=Part.PEOPLE in published)


# ------------------------------------------------------------------------------------------------------------ no entry


def _build_unchecked_field(provided: str | None, threshold: float) -> CheckedField:
    return CheckedField(
        status=CheckStatus.NOT_CHECKED, score=None, threshold=threshold, provided=provided, registry=None, reason=NO_ENTRY
    )


def _build_unchecked_address(subject: Subject, settings: VerificationSettings) -> CheckedAddress | None:
    if subject.address is None or not settings.address.enabled:
        return None
    provided = subject.address.as_address().raw
    return CheckedAddress(**_build_unchecked_field(provided, settings.address.threshold).model_dump(), fields={})
