"""The data that a summary is written from, and sentences with the field that they describe and their evidence.

What is said, and in which order, is decided in `summary`, `register_sentences` and `field_sentences`.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from bonafide.matching.summary.phrases import PHRASES, LanguagePhrases
from bonafide.model.language import Language
from bonafide.model.verification.registry_report import RegistryReport
from bonafide.model.verification.results import (
    CheckedPerson,
    CheckStatus,
    Findings,
    Subject,
    SummaryEvidence,
    SummarySentence,
    Thresholds,
)


@dataclass(frozen=True, slots=True)
class FactSentence:
    """One sentence; `values` are the texts in it that were taken from the document, in order and as they are written there.

    `field` is a path in the answer of a verification, `evidence` None where the sentence rests on the request alone.
    """

    text: str
    values: tuple[str, ...]
    field: str
    evidence: SummaryEvidence | None

    def to_document(self) -> SummarySentence:
        """For the answer."""
        return SummarySentence(text=self.text, field=self.field, evidence=self.evidence)


@dataclass(frozen=True, slots=True)
class SummaryContext:
    """A verification that is to be told in one language. `report` is None when the register has no such number."""

    findings: Findings
    subject: Subject
    thresholds: Thresholds
    report: RegistryReport | None
    language: Language

    @property
    def wording(self) -> LanguagePhrases:
        """The language's phrases and formats."""
        return PHRASES[self.language]

    @property
    def register(self) -> str:
        """The register that was to be looked at."""
        return self.wording.register(self.subject.jurisdiction)

    @property
    def evidence(self) -> SummaryEvidence | None:
        """The report."""
        if self.report is None:
            return None
        return SummaryEvidence(source=self.report.source, as_of=self.report.as_of, report_id=self.report.report_id)

    def ask(self, key: str, field: str, **values: str) -> FactSentence:
        """A sentence that rests on the request alone."""
        worded = self.wording.phrase(key, **values)
        return FactSentence(worded.text, worded.values, field, None)

    def say(self, key: str, field: str, **values: str) -> FactSentence:
        """A sentence that rests on the report."""
        worded = self.wording.phrase(key, **values)
        return FactSentence(worded.text, worded.values, field, self.evidence)

    def list_people_with_status(self, status: CheckStatus) -> list[CheckedPerson]:
        """Those of the people claimed of whom the comparison came to this."""
        return [person for person in self.findings.people if person.status is status]

    def format_people(self, people: Iterable[CheckedPerson]) -> str:
        """People in a row, each with the role that was claimed."""
        return self.wording.listed([self.wording.person(person.name, person.role) for person in people])
