"""A claim compared with what a register states, field by field: name, number, address, people.

What a register never publishes is no discrepancy, and neither is what the caller does not say. Every comparison says why it came
out as it did. Nothing is looked up here, and what it all means in words is `summary`'s business.
"""

from collections.abc import Collection, Sequence

from bonafide.matching import features
from bonafide.matching.identifiers import number_keys, number_likeness
from bonafide.matching.register_numbers import number_doubt
from bonafide.matching.verify_address import checked_address
from bonafide.matching.verify_name import checked_name
from bonafide.matching.verify_people import checked_people
from bonafide.model.entity import Part, StatusCode
from bonafide.model.organization import VerificationSettings
from bonafide.model.report import RegistryReport
from bonafide.model.verification import (
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
"""A business about to be dissolved is still active, and a status that the register doesn't publish says nothing."""
NO_ENTRY = "the register has no registration with this number"


def verified(subject: Subject, settings: VerificationSettings, report: RegistryReport, published: Collection[Part]) -> Findings:
    """Compare the claim with a report. `published` is what the report's source says of businesses at all, by its route."""
    fields = CheckedFields(
        legal_name=checked_name(subject.legal_name, settings.legal_name.threshold, report),
        registration_number=_checked_number(subject.registration_number, settings.registration_number.threshold, report),
        address=_address(subject, settings, report, published),
    )
    people = _people(subject, settings, report, published)
    count = _discrepancies(fields, people)
    return Findings(status=_status(count, report.status_code), fields=fields, people=people, discrepancy_count=count)


def not_found(subject: Subject, settings: VerificationSettings) -> Findings:
    """What a verification comes to whose number the register does not have: nothing but the number could be compared."""
    fields = CheckedFields(
        legal_name=_unchecked(subject.legal_name, settings.legal_name.threshold),
        registration_number=CheckedField(
            status=CheckStatus.MISMATCHED,
            score=0.0,
            threshold=settings.registration_number.threshold,
            provided=subject.registration_number,
            registry=None,
            reason=_with_doubt(NO_ENTRY, subject),
        ),
        address=_unchecked_address(subject, settings),
    )
    people = tuple(
        CheckedPerson(
            name=person.name,
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


def thresholds_of(settings: VerificationSettings) -> Thresholds:
    """The thresholds that applied (`meta.thresholds`)."""
    return Thresholds(
        legal_name=settings.legal_name.threshold,
        registration_number=settings.registration_number.threshold,
        address=settings.address.threshold if settings.address.enabled else None,
        people=settings.people.threshold if settings.people.enabled else None,
    )


# ------------------------------------------------------------------------------------------------------------ the whole


def _status(discrepancies: int, status: StatusCode) -> ResultStatus:
    if discrepancies > 0:
        return ResultStatus.DISCREPANCIES
    return ResultStatus.INACTIVE if status in NOT_ACTIVE else ResultStatus.VERIFIED


def _discrepancies(fields: CheckedFields, people: Sequence[CheckedPerson]) -> int:
    checked = [fields.legal_name, fields.registration_number, fields.address, *people]
    return sum(field is not None and field.status is CheckStatus.MISMATCHED for field in checked)


# ------------------------------------------------------------------------------------------------------------ the parts


def _checked_number(number: str, threshold: float, report: RegistryReport) -> CheckedField:
    """The number against the one of the register's that is most like it. Spelling does not count, nor a register's letters."""
    scored = [(round(number_likeness(number, own.value), features.DECIMALS), own) for own in report.registration_numbers]
    score, best = max(scored, key=lambda item: item[0], default=(None, None))
    if score is None or best is None:
        status, reason = CheckStatus.NOT_PUBLISHED, "the register's entry states no number"
    elif not number_keys(number).isdisjoint(number_keys(best.value)):
        status, reason = CheckStatus.MATCHED, f"the same number ({best.label})"
    else:
        status = CheckStatus.MATCHED if score >= threshold else CheckStatus.MISMATCHED
        reason = f"{best.value} ({best.label}) instead of {number}"
    return CheckedField(
        status=status,
        score=score,
        threshold=threshold,
        provided=number,
        registry=best.value if best is not None else None,
        reason=reason,
    )


def _address(
    subject: Subject, settings: VerificationSettings, report: RegistryReport, published: Collection[Part]
) -> CheckedAddress | None:
    if subject.address is None or not settings.address.enabled:
        return None
    return checked_address(
        subject.address.as_address(), settings.address.threshold, report.addresses, published=Part.ADDRESSES in published
    )


def _people(
    subject: Subject, settings: VerificationSettings, report: RegistryReport, published: Collection[Part]
) -> tuple[CheckedPerson, ...]:
    if not settings.people.enabled:
        return ()
    return checked_people(subject.people, settings.people.threshold, report.people, published=Part.PEOPLE in published)


# ------------------------------------------------------------------------------------------------------------ no entry


def _unchecked(provided: str | None, threshold: float) -> CheckedField:
    return CheckedField(
        status=CheckStatus.NOT_CHECKED, score=None, threshold=threshold, provided=provided, registry=None, reason=NO_ENTRY
    )


def _unchecked_address(subject: Subject, settings: VerificationSettings) -> CheckedAddress | None:
    if subject.address is None or not settings.address.enabled:
        return None
    provided = subject.address.as_address().raw
    return CheckedAddress(**_unchecked(provided, settings.address.threshold).model_dump(), fields={})


def _with_doubt(reason: str, subject: Subject) -> str:
    doubt = number_doubt(subject.registration_number, (subject.jurisdiction,))
    return f"{reason}. {doubt}" if doubt is not None else reason
