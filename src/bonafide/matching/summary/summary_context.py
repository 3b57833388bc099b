"""The data of a summary, the values of its sentences in each language, and sentences with their field and evidence.

The sentences themselves are in `summarizer` and `field_sentences`; their French is in the catalogue.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from string import Formatter

from babel.dates import format_date

from bonafide.i18n.catalog import translate, translate_template
from bonafide.i18n.language import Language
from bonafide.i18n.message import Message, context_message
from bonafide.matching.scoring.score_parameters import truncate_score
from bonafide.model.entity import StatusCode
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.search.match import Screening
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
"""Quotation marks inside a quoted name are replaced, so that a name can't end its quotation and continue as part of the summary."""
_LOCALES = {Language.ENGLISH: "en_CA", Language.FRENCH: "fr_CA"}
_QUOTED = Message("“{text}”")
_PERSON = Message("{name} (as {role})")
_INSTANT = Message("{date} at {hour}:{minute} UTC")
_LAST_ITEM = Message("{items} and {last}")
_REGISTERS: Mapping[Jurisdiction, Message] = {
    Jurisdiction.AB: Message("the business register of Alberta"),
    Jurisdiction.BC: Message("the business register of British Columbia"),
    Jurisdiction.MB: Message("the business register of Manitoba"),
    Jurisdiction.NB: Message("the business register of New Brunswick"),
    Jurisdiction.NL: Message("the business register of Newfoundland and Labrador"),
    Jurisdiction.NS: Message("the business register of Nova Scotia"),
    Jurisdiction.NT: Message("the business register of the Northwest Territories"),
    Jurisdiction.NU: Message("the business register of Nunavut"),
    Jurisdiction.ON: Message("the business register of Ontario"),
    Jurisdiction.PE: Message("the business register of Prince Edward Island"),
    Jurisdiction.QC: Message("the business register of Quebec"),
    Jurisdiction.SK: Message("the business register of Saskatchewan"),
    Jurisdiction.YT: Message("the business register of Yukon"),
    Jurisdiction.FED: Message("the federal business register"),
}
_STATUSES: Mapping[StatusCode, Message] = {
    StatusCode.ACTIVE: context_message("business", "active"),
    StatusCode.INACTIVE: context_message("business", "inactive"),
    StatusCode.DISSOLVED: context_message("business", "dissolved"),
    StatusCode.AMALGAMATED: context_message("business", "amalgamated"),
    StatusCode.CONTINUED_OUT: context_message("business", "continued in another jurisdiction"),
    StatusCode.CANCELLED: context_message("business", "cancelled"),
    StatusCode.PENDING_DISSOLUTION: context_message("business", "about to be dissolved"),
}
_ADDRESS_PARTS: Mapping[str, Message] = {
    "street": Message("the street"),
    "unit": Message("the unit"),
    "city": Message("the city"),
    "province": Message("the province"),
    "postalCode": Message("the postal code"),
    "country": Message("the country"),
}


@dataclass(frozen=True, slots=True)
class FilledPhrase:
    """A sentence with its values; `values` has them in the order and spelling of the text."""

    text: str
    values: tuple[str, ...]


class LanguagePhrases:
    """Writes sentences in one language. Every method except `fill` returns a value for a sentence."""

    def __init__(self, language: Language) -> None:
        self._language = language

    def fill(self, template: Message, **values: str) -> FilledPhrase:
        """The sentence of a template. Raises `KeyError` for a missing value."""
        text, used = "", []
        for literal, name, _, _ in Formatter().parse(translate_template(template, self._language)):
            text += literal
            if name is not None:
                text += values[name]
                used.append(values[name])
        return FilledPhrase(text, tuple(used))

    def quoted(self, text: str) -> str:
        """A submitted or published text, in one line and in quotation marks."""
        return self._format(_QUOTED, text=" ".join(text.translate(_INNER_QUOTES).split()))

    def person(self, name: str, role: str | None) -> str:
        """A person with their stated role."""
        return self.quoted(name) if role is None else self._format(_PERSON, name=self.quoted(name), role=self.quoted(role))

    def score(self, score: float) -> str:
        """A score with two decimals, rounded down."""
        return self._write_number(f"{truncate_score(score):.2f}")

    def threshold(self, threshold: float) -> str:
        """A threshold with at least two decimals, exactly."""
        number = f"{threshold:.2f}"
        return self._write_number(number if float(number) == threshold else str(threshold))

    def day(self, day: date) -> str:
        """A date."""
        locale = _LOCALES[self._language]
        if self._language is Language.FRENCH and day.day == 1:
            return f"1er {format_date(day, 'MMMM y', locale=locale)}"
        return format_date(day, "long", locale=locale)

    def instant(self, instant: datetime) -> str:
        """A date and time in UTC, to the minute."""
        at = instant.astimezone(UTC)
        return self._format(_INSTANT, date=self.day(at.date()), hour=f"{at.hour:02}", minute=f"{at.minute:02}")

    def listed(self, items: Sequence[str]) -> str:
        """One or more things in a row."""
        *others, last = items
        return self._format(_LAST_ITEM, items=", ".join(others), last=last) if others else last

    def register(self, jurisdiction: Jurisdiction) -> str:
        """The register of a jurisdiction."""
        return translate(_REGISTERS[jurisdiction], self._language)

    def status(self, code: StatusCode) -> str:
        """The common word for the status of a business. A business with an unknown status has no such word."""
        word = _STATUSES.get(code)
        return translate(word, self._language) if word is not None else code.value

    def address_part(self, name: str) -> str:
        """The name of a part of an address."""
        return translate(_ADDRESS_PARTS[name], self._language)

    def _write_number(self, number: str) -> str:
        return number.replace(".", ",") if self._language is Language.FRENCH else number

    def _format(self, template: Message, **values: str) -> str:
        return translate_template(template, self._language).format(**values)


PHRASES = {language: LanguagePhrases(language) for language in Language}


@dataclass(frozen=True, slots=True)
class FactSentence:
    """One sentence; `values` are the texts in it that come from the document, in their order and spelling in the sentence.

    `field` is a path in the response of a verification. `evidence` is None if the sentence is not based on the register's report.
    """

    text: str
    values: tuple[str, ...]
    field: str
    evidence: SummaryEvidence | None

    def to_document(self) -> SummarySentence:
        """The sentence in the response."""
        return SummarySentence(text=self.text, field=self.field, evidence=self.evidence)


@dataclass(frozen=True, slots=True)
class SummaryContext:
    """A verification to summarise in one language.

    `report` is None if the register does not have the number, `sanctions` if no list was to be screened.
    """

    findings: Findings
    subject: Subject
    thresholds: Thresholds
    report: RegistryReport | None
    language: Language
    sanctions: Screening | None = None

    @property
    def wording(self) -> LanguagePhrases:
        """The language's wording."""
        return PHRASES[self.language]

    @property
    def register(self) -> str:
        """The register of the request's jurisdiction."""
        return self.wording.register(self.subject.jurisdiction)

    @property
    def evidence(self) -> SummaryEvidence | None:
        """The report."""
        if self.report is None:
            return None
        return SummaryEvidence(source=self.report.source, as_of=self.report.as_of, report_id=self.report.report_id)

    def describe_request(self, template: Message, field: str, **values: str) -> FactSentence:
        """A sentence that is based on the request, or on sanctions lists, and not on the report."""
        filled = self.wording.fill(template, **values)
        return FactSentence(filled.text, filled.values, field, None)

    def describe(self, template: Message, field: str, **values: str) -> FactSentence:
        """A sentence that is based on the report."""
        filled = self.wording.fill(template, **values)
        return FactSentence(filled.text, filled.values, field, self.evidence)

    def list_people_with_status(self, status: CheckStatus) -> list[CheckedPerson]:
        """The claimed people whose comparison has this status."""
        return [person for person in self.findings.people if person.status is status]

    def format_people(self, people: Iterable[CheckedPerson]) -> str:
        """People in a row, each with the claimed role."""
        return self.wording.listed([self.wording.person(person.name, person.role) for person in people])
