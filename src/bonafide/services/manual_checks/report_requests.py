"""Answer a request for a business report: with a register's data or, if no program can query it, with a manual check."""

from bonafide.errors import ApiError, NotFound, ServerBusy, SourceError, SourceNotFound, ValidationFailed
from bonafide.model.accounts.organizations import Principal
from bonafide.model.verification.registry_report import RegistryReport, ReportRequest
from bonafide.runtime import Runtime
from bonafide.services.lookup.registration_lookup import NoSourceAvailable, NotInPartialData
from bonafide.services.manual_checks.answers import find_manual_answer
from bonafide.services.reports.business_reports import (
    REPORT_CACHE,
    ReportSubject,
    find_recent_report,
    get_max_age,
    note_exceeded_age,
    obtain_report,
    sign_report,
)
from bonafide.sources.framework.live import RegistrationQuery

DEFAULT_RETRY_S = 5


async def get_business_report(runtime: Runtime, principal: Principal, request: ReportRequest) -> RegistryReport:
    """The report of a registration: the organization's recent one, or a new one, or that of a manual check.

    A manual check counts if no program can query the register. Raises `NotFound` if the register does not have the number,
    `ServerBusy` if it is temporarily unavailable, and `ValidationFailed` if it has no automated access and nobody has checked it.
    """
    subject = ReportSubject(
        principal.organization_id, principal.world, RegistrationQuery(request.jurisdiction, request.registration_number)
    )
    report = await find_recent_report(runtime, subject, runtime.clock() - get_max_age(runtime, request.max_age))
    runtime.metrics.count_cache(REPORT_CACHE, hit=report is not None)
    if report is None:
        report = await _obtain_or_raise(runtime, subject)
    report = note_exceeded_age(report, runtime.clock(), request.max_age)
    return sign_report(runtime, principal.organization_id, report)


async def _obtain_or_raise(runtime: Runtime, subject: ReportSubject) -> RegistryReport:
    """A new report or that of a manual check, with failures as API errors: an unavailable register is never a 404."""
    try:
        return await obtain_report(runtime, subject)
    except (NoSourceAvailable, NotInPartialData) as error:
        answer = await find_manual_answer(runtime, subject.organization_id, subject.registration)
        if answer is None:
            raise _to_api_error(error) from error
        if answer.report is None:
            raise NotFound(answer.describe_absence(subject.registration.number)) from error
        return answer.report
    except SourceError as error:
        raise _to_api_error(error) from error


def _to_api_error(error: SourceError) -> ApiError:
    if isinstance(error, SourceNotFound):
        return NotFound(error.message)
    if isinstance(error, NoSourceAvailable):
        return ValidationFailed.of_field("jurisdiction", error.message)
    wait_s = error.retry_after_s if error.retry_after_s is not None else DEFAULT_RETRY_S
    return ServerBusy(error.message, headers={"Retry-After": str(max(1, round(wait_s)))})
