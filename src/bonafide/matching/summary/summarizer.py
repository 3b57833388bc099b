"""Write the analyst summary of a verification by rules: what was requested, what was found, and what could not be compared.

The same input always results in the same text. Each sentence names the field that it is based on and, if it is based on the
register, the report.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from bonafide.i18n.language import Language
from bonafide.i18n.message import Message, plural_message
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
from bonafide.matching.summary.screening_sentences import describe_screening, list_screening_steps
from bonafide.matching.summary.summary_context import FactSentence, SummaryContext
from bonafide.matching.verification.claim_comparison import NOT_ACTIVE
from bonafide.model.entity import StatusCode
from bonafide.model.search.match import Screening
from bonafide.model.verification.registry_report import RegistryReport
from bonafide.model.verification.results import CheckStatus, Findings, ResultStatus, Subject, SummarySentence, Thresholds

RESULT = "results.status"
_UNSURE = frozenset({CheckStatus.NOT_PUBLISHED, CheckStatus.NOT_CHECKED})


@dataclass(frozen=True, slots=True)
class Summary:
    """The sentences in order. `text` is the summary in the response, `documents` the sentences with their fields and evidence."""

    sentences: tuple[FactSentence, ...]
    language: Language

    @property
    def text(self) -> str:
        """The whole summary as one paragraph."""
        return " ".join(sentence.text for sentence in self.sentences)

    @property
    def documents(self) -> tuple[SummarySentence, ...]:
        """Each sentence with its field and evidence."""
        return tuple(sentence.to_document() for sentence in self.sentences)


def summarise(
    findings: Findings,
    subject: Subject,
    thresholds: Thresholds,
    report: RegistryReport | None,
    language: Language,
    sanctions: Screening | None = None,
) -> Summary:
    """Summarise a verification. `report` is None if the register does not have the number, `sanctions` if nobody was screened.

    In this order: the request, the result, the register's data, what matches, what differs and how significant that is, what could
    not be compared and why, the sanctions screening, and the next steps.
    """
    story = SummaryContext(findings, subject, thresholds, report, language, sanctions)
    return Summary(tuple(_write_sentences(story)), language)


def _write_sentences(story: SummaryContext) -> Iterator[FactSentence]:
    yield from _describe_request(story)
    yield describe_result(story)
    if story.report is not None:
        yield from describe_register(story, story.report)
        yield from describe_name(story)
        yield from describe_number(story)
        yield from describe_address(story)
        yield from describe_people(story)
    yield from describe_unknown_fields(story)
    if story.sanctions is not None:
        yield from describe_screening(story, story.sanctions)
    yield from describe_next_steps(story)


def _describe_request(story: SummaryContext) -> Iterator[FactSentence]:
    subject, wording = story.subject, story.wording
    name, number = wording.quoted(subject.legal_name), wording.quoted(subject.registration_number)
    template = Message("The request concerns {name}, registration number {number}, in {register}.")
    yield story.describe_request(template, "meta.submitted", name=name, number=number, register=story.register)
    address = subject.address.as_address().raw if subject.address is not None else None
    if address is not None:
        template = Message("The request states the address {address}.")
        yield story.describe_request(template, "meta.submitted.address", address=wording.quoted(address))
    if subject.people:
        people = [wording.person(person.name, ", ".join(person.roles) or None) for person in subject.people]
        yield story.describe_request(Message("The request names {people}."), "meta.submitted.people", people=wording.listed(people))


def describe_result(story: SummaryContext) -> FactSentence:
    """The result of the comparison."""
    findings = story.findings
    if findings.status is ResultStatus.DISCREPANCIES:
        count = findings.discrepancy_count
        template = plural_message("The comparison found {n} discrepancy.", "The comparison found {n} discrepancies.", count)
        return story.describe(template, "results.discrepancyCount", n=str(count))
    if findings.status is ResultStatus.NOT_FOUND:
        number = story.wording.quoted(story.subject.registration_number)
        template = Message("No registration with the number {number} was found in {register}.")
        return story.describe(template, RESULT, number=number, register=story.register)
    if findings.status is ResultStatus.INACTIVE:
        return story.describe(Message("Everything that could be compared matches, but the business is not active."), RESULT)
    return story.describe(Message("Everything that could be compared matches."), RESULT)


# ------------------------------------------------------------------------------------------------------------ next steps


def describe_next_steps(story: SummaryContext) -> Iterator[FactSentence]:
    """The next steps, the most important first."""
    steps = list(_list_next_steps(story))
    for template, field in steps:
        yield story.describe(template, field)
    screening_steps = [] if story.sanctions is None else list(list_screening_steps(story.sanctions))
    for template, field in screening_steps:
        yield story.describe_request(template, field)
    if not steps and not screening_steps:
        yield story.describe(Message("No further steps are required."), RESULT)


def _list_next_steps(story: SummaryContext) -> Iterator[tuple[Message, str]]:
    fields, report = story.findings.fields, story.report
    if fields.registration_number.status is CheckStatus.MISMATCHED:
        yield (
            Message("Check the number and the jurisdiction with the business, or search for the business by its name."),
            NUMBER,
        )
    if report is not None:
        yield from _list_register_steps(report)
    if fields.legal_name.status is CheckStatus.MISMATCHED:
        yield _choose_name_step(story), NAME
    if fields.address is not None and fields.address.status is CheckStatus.MISMATCHED:
        yield Message("Ask the business for proof of its address."), ADDRESS
    if story.list_people_with_status(CheckStatus.MISMATCHED):
        yield Message("Ask the business for a document that shows who acts for it."), PEOPLE
    if story.report is not None:
        yield from _list_unconfirmed_steps(story)


def _list_register_steps(report: RegistryReport) -> Iterator[tuple[Message, str]]:
    if report.status_code in {*NOT_ACTIVE, StatusCode.PENDING_DISSOLUTION, StatusCode.UNKNOWN}:
        yield Message("Have a person review the status before any agreement with the business."), STATUS_CODE
    if report.business_report.details.good_standing is False:
        yield Message("Ask the business why it is not in good standing."), GOOD_STANDING


def _choose_name_step(story: SummaryContext) -> Message:
    if find_former_name(story) is not None:
        return Message("Use the current legal name from now on.")
    score = story.findings.fields.legal_name.score
    if score is not None and score >= MISSPELT_NAME:
        return Message("Confirm the spelling of the name with the business.")
    return Message("Ask the business for a document that shows its legal name.")


def _list_unconfirmed_steps(story: SummaryContext) -> Iterator[tuple[Message, str]]:
    template = Message("Confirm with other documents what the register could not confirm.")
    address = story.findings.fields.address
    if address is not None and address.status in _UNSURE:
        yield template, ADDRESS
    elif any(person.status in _UNSURE for person in story.findings.people):
        yield template, PEOPLE
