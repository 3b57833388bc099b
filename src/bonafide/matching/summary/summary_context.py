"""The data that a summary is written from, the phrases of each language, and sentences with their field and their evidence.

The phrases are in `summary.yml`. What is said, and in which order, is decided in `summarizer` and `field_sentences`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from string import Formatter
from typing import Any

from bonafide.i18n.language import Language
from bonafide.matching.text.tables import read_table
from bonafide.model.jurisdiction import Jurisdiction
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

_INNER_QUOTES = str.maketrans(dict.fromkeys("“”„«»", '"'))
"""A name that closes its own quotation could go on in the summary's voice."""


@dataclass(frozen=True, slots=True)
class FilledPhrase:
    """A phrase with its values in place; `values` are those, in the order and spelling of the text."""

    text: str
    values: tuple[str, ...]


class LanguagePhrases:
    """One language. Everything but `phrase` gives a value for a phrase: a text that is taken from the document."""

    def __init__(self, table: dict[str, Any]) -> None:
        self._phrases: dict[str, str] = table["phrases"]
        self._formats: dict[str, Any] = table["formats"]
        self._words: dict[str, dict[str, str]] = table["words"]

    def phrase(self, key: str, **values: str) -> FilledPhrase:
        """A sentence. Raises `KeyError` for a phrase or a value that is not there."""
        text, used = "", []
        for literal, name, _, _ in Formatter().parse(self._phrases[key]):
            text += literal
            if name is not None:
                text += values[name]
                used.append(values[name])
        return FilledPhrase(text, tuple(used))

    def quoted(self, text: str) -> str:
        """Somebody's own words, in one line and in quotation marks."""
        return str(self._formats["quoted"]).format(" ".join(text.translate(_INNER_QUOTES).split()))

    def person(self, name: str, role: str | None) -> str:
        """A person with what they are said to be."""
        if role is None:
            return self.quoted(name)
        return str(self._formats["person"]).format(name=self.quoted(name), role=self.quoted(role))

    def percent(self, score: float) -> str:
        """A score or a threshold, exactly: 0.9496 must not read as the 0.95 that it misses."""
        number = f"{(Decimal(str(score)) * 100).normalize():f}".replace(".", self._formats["decimal"])
        return str(self._formats["percent"]).format(number)

    def day(self, day: date) -> str:
        """A date."""
        ordinal = self._formats["first"] if day.day == 1 else str(day.day)
        month = self._formats["months"][day.month - 1]
        return str(self._formats["date"]).format(day=ordinal, month=month, year=day.year)

    def instant(self, instant: datetime) -> str:
        """A date and time in UTC, to the minute."""
        at = instant.astimezone(UTC)
        return str(self._formats["instant"]).format(date=self.day(at.date()), hour=f"{at.hour:02}", minute=f"{at.minute:02}")

    def listed(self, items: Sequence[str]) -> str:
        """One or more things in a row."""
        *others, last = items
        return str(self._formats["and"]).join([", ".join(others), last]) if others else last

    def register(self, jurisdiction: Jurisdiction) -> str:
        """A register by its place."""
        return self._words["registers"][jurisdiction]

    def word(self, kind: str, code: str) -> str:
        """The common word for a code; kinds are `statuses` and `parts` (of an address)."""
        return self._words[kind].get(code, code)


PHRASES = {language: LanguagePhrases(read_table("summary")[language]) for language in Language}


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
