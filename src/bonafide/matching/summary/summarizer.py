"""Write the analyst summary of a verification: what was requested, found and left open, in rule-based sentences.

The same input gives the same text. No sentence says what no field says: each names its field and, where it rests on the register,
the report. Nothing is looked up, and nothing is judged beyond what the comparison came to. The phrases stand in `summary.yml`.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from bonafide.i18n.language import Language
from bonafide.matching.summary.field_sentences import (
    ADDRESS,
    GOOD_STANDING,
    MISSPELT_NAME,
    NAME,
    NUMBER,
    PEOPLE,
    STATUS_CODE,
    describe_address,
    describe_name,
    describe_number,
    describe_people,
    describe_register,
    describe_unknown_fields,
    find_former_name,
)
from bonafide.matching.summary.summary_context import FactSentence, SummaryContext
from bonafide.matching.verification.claim_comparison import NOT_ACTIVE
from bonafide.model.entity import StatusCode
from bonafide.model.verification.registry_report import RegistryReport
from bonafide.model.verification.results import CheckStatus, Findings, ResultStatus, Subject, SummarySentence, Thresholds

RESULT = "results.status"
_UNSURE = frozenset({CheckStatus.NOT_PUBLISHED, CheckStatus.NOT_CHECKED})


@dataclass(frozen=True, slots=True)
class Summary:
    """The sentences in order. `text` is what the answer shows, `documents` what it shows of where each sentence comes from."""

    sentences: tuple[FactSentence, ...]
    language: Language

    @property
    def text(self) -> str:
        """All of it as one paragraph."""
        return " ".join(sentence.text for sentence in self.sentences)

    @property
    def documents(self) -> tuple[SummarySentence, ...]:
        """Each sentence with its field and evidence."""
        return tuple(sentence.to_document() for sentence in self.sentences)


def summarise(
    findings: Findings, subject: Subject, thresholds: Thresholds, report: RegistryReport | None, language: Language
) -> Summary:
    """Tell what a verification came to. `report` is None when the register has no such number.

    In this order: what was asked, what it came to, what the register says, what matches and what differs and how much that
    matters, what could not be compared and why, what to do next.
    """
    story = SummaryContext(findings, subject, thresholds, report, language)
    return Summary(tuple(_write_sentences(story)), language)


def _write_sentences(story: SummaryContext) -> Iterator[FactSentence]:
    yield from _describe_request(story)
    yield _describe_result(story)
    if story.report is not None:
        yield from describe_register(story, story.report)
        yield from describe_name(story)
        yield from describe_number(story)
        yield from describe_address(story)
        yield from describe_people(story)
    yield from describe_unknown_fields(story)
    yield from _describe_next_steps(story)


def _describe_request(story: SummaryContext) -> Iterator[FactSentence]:
    subject, wording = story.subject, story.wording
    name, number = wording.quoted(subject.legal_name), wording.quoted(subject.registration_number)
    yield story.ask("asked", "meta.submitted", name=name, number=number, register=story.register)
    address = subject.address.as_address().raw if subject.address is not None else None
    if address is not None:
        yield story.ask("asked_address", "meta.submitted.address", address=wording.quoted(address))
    if subject.people:
        people = [wording.person(person.name, ", ".join(person.roles) or None) for person in subject.people]
        yield story.ask("asked_people", "meta.submitted.people", people=wording.listed(people))


def _describe_result(story: SummaryContext) -> FactSentence:
    findings = story.findings
    if findings.status is ResultStatus.DISCREPANCIES:
        key = "discrepancy" if findings.discrepancy_count == 1 else "discrepancies"
        return story.say(key, "results.discrepancyCount", count=str(findings.discrepancy_count))
    if findings.status is ResultStatus.NOT_FOUND:
        number = story.wording.quoted(story.subject.registration_number)
        return story.say("not_found", RESULT, number=number, register=story.register)
    return story.say(findings.status, RESULT)


# ------------------------------------------------------------------------------------------------------------ next steps


def _describe_next_steps(story: SummaryContext) -> Iterator[FactSentence]:
    """What follows, the gravest first."""
    steps = list(_list_next_steps(story))
    for key, field in steps:
        yield story.say(key, field)
    if not steps:
        yield story.say("next_nothing", RESULT)


def _list_next_steps(story: SummaryContext) -> Iterator[tuple[str, str]]:
    fields, report = story.findings.fields, story.report
    if fields.registration_number.status is CheckStatus.MISMATCHED:
        yield "next_number", NUMBER
    if report is not None:
        yield from _list_register_steps(report)
    if fields.legal_name.status is CheckStatus.MISMATCHED:
        yield _choose_name_step(story), NAME
    if fields.address is not None and fields.address.status is CheckStatus.MISMATCHED:
        yield "next_address", ADDRESS
    if story.list_people_with_status(CheckStatus.MISMATCHED):
        yield "next_people", PEOPLE
    if story.report is not None:
        yield from _list_unconfirmed_steps(story)


def _list_register_steps(report: RegistryReport) -> Iterator[tuple[str, str]]:
    if report.status_code in {*NOT_ACTIVE, StatusCode.PENDING_DISSOLUTION, StatusCode.UNKNOWN}:
        yield "next_status", STATUS_CODE
    if report.business_report.details.good_standing is False:
        yield "next_standing", GOOD_STANDING


def _choose_name_step(story: SummaryContext) -> str:
    if find_former_name(story) is not None:
        return "next_former"
    score = story.findings.fields.legal_name.score
    return "next_spelling" if score is not None and score >= MISSPELT_NAME else "next_name"


def _list_unconfirmed_steps(story: SummaryContext) -> Iterator[tuple[str, str]]:
    address = story.findings.fields.address
    if address is not None and address.status in _UNSURE:
        yield "next_unchecked", ADDRESS
    elif any(person.status in _UNSURE for person in story.findings.people):
        yield "next_unchecked", PEOPLE
