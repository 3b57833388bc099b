"""What the register says of a business, in sentences: name, status, age, standing, by which route and of which day.

Nothing is compared here; that is told by `field_sentences`.
"""

from collections.abc import Iterator

from bonafide.matching.summary.summary_context import FactSentence, SummaryContext
from bonafide.model.entity import StatusCode
from bonafide.model.verification.registry_report import RegistryReport

GOOD_STANDING = "registryData.businessReport.details.goodStanding"
STATUS = "registryData.status"
STATUS_CODE = "registryData.statusCode"


def describe_register(story: SummaryContext, report: RegistryReport) -> Iterator[FactSentence]:
    """What it states, whatever was claimed."""
    wording = story.wording
    yield story.say("legal_name", "registryData.legalName", register=story.register, name=wording.quoted(report.legal_name))
    yield _describe_status(story, report)
    if report.incorporation_date is not None:
        yield story.say("formed", "registryData.incorporationDate", date=wording.day(report.incorporation_date))
    yield story.say(_choose_good_standing_phrase(report.business_report.details.good_standing), GOOD_STANDING)
    yield _describe_route(story, report)


def _describe_status(story: SummaryContext, report: RegistryReport) -> FactSentence:
    wording, is_clear = story.wording, report.status_code is not StatusCode.UNKNOWN
    code = wording.word("statuses", report.status_code)
    if report.status is None:
        return story.say("status_code", STATUS_CODE, code=code) if is_clear else story.say("status_unpublished", STATUS)
    status = wording.quoted(report.status)
    return story.say("status", STATUS, status=status, code=code) if is_clear else story.say("status_unclear", STATUS, status=status)


def _choose_good_standing_phrase(is_good: bool | None) -> str:  # noqa: FBT001 - a field of the report
    if is_good is None:
        return "standing_unpublished"
    return "good_standing" if is_good else "not_good_standing"


def _describe_route(story: SummaryContext, report: RegistryReport) -> FactSentence:
    """How the register was looked at, and how old that is. The phrases are named for the routes."""
    retrieved = story.wording.instant(report.retrieved_at)
    if report.as_of is None:
        return story.say(report.route, "registryData.retrievedAt", retrieved=retrieved)
    return story.say(f"{report.route}_as_of", "registryData.asOf", retrieved=retrieved, as_of=story.wording.day(report.as_of))
