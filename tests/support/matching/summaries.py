"""What the tests of summaries share: an invented register's report, a claim, and what a verification of it comes to."""

from datetime import UTC, date, datetime
from typing import Any
from uuid import UUID

from bonafide.i18n.language import Language
from bonafide.matching.summary.summarizer import Summary, summarise
from bonafide.matching.verification.claim_comparison import build_not_found_findings, build_thresholds, compare_claim
from bonafide.model.accounts.account_settings import VerificationSettings
from bonafide.model.entity import Address, NameHistoryItem, Part, Person, RegistrationNumber, StatusCode
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.loading import Route
from bonafide.model.query import AddressInput
from bonafide.model.search.match import BusinessReport, BusinessReportDetails
from bonafide.model.verification.registry_report import RegistryReport
from bonafide.model.verification.results import ClaimedPerson, Findings, Subject

REPORT_ID = UUID("7d1c6c1e-6a67-4b8c-9a55-1d2d0f6f2a11")
RETRIEVED = datetime(2026, 11, 20, 14, 33, 5, 125000, tzinfo=UTC)
ADDRESS = AddressInput(street="12 Harbour Road", city="St. John's", province="NL", postal_code="A1C 5M2")
PEOPLE = (ClaimedPerson(name="Ines Whitbourne", roles=("Director",)),)


def report_of(*, good_standing: bool | None = True, history: tuple[NameHistoryItem, ...] = (), **changes: Any) -> RegistryReport:
    """What the invented register says of Cod & Capelin Ltd."""
    details = BusinessReportDetails(good_standing=good_standing, name_history=history)
    values: dict[str, Any] = {
        "report_id": REPORT_ID,
        "search_id": REPORT_ID,
        "jurisdiction": Jurisdiction.NL,
        "jurisdiction_label": "Newfoundland and Labrador",
        "registration_number": "77001",
        "legal_name": "Cod & Capelin Ltd.",
        "alternate_names": (),
        "registration_numbers": (RegistrationNumber(label="Corporation Number", value="77001"),),
        "entity_type": "Corporation",
        "entity_type_code": None,
        "status": "In force",
        "status_code": StatusCode.ACTIVE,
        "incorporation_date": date(2011, 3, 1),
        "addresses": (Address(street="12 Harbour Road", city="St. John's", province="NL", postal_code="A1C 5M2"),),
        "people": (Person(name="Ines Whitbourne", roles=("Director",)),),
        "home_jurisdiction": None,
        "home_number": None,
        "source": "nl",
        "source_url": None,
        "route": Route.LIVE,
        "as_of": date(2026, 11, 1),
        "retrieved_at": RETRIEVED,
        "obtained_at": RETRIEVED,
        "cached": False,
        "evidence": (),
        "source_files": (),
        "notes": (),
    }
    return RegistryReport(**{**values, **changes}, business_report=BusinessReport(details=details))


def subject_of(**changes: Any) -> Subject:
    """A claim that agrees with the report in everything."""
    values: dict[str, Any] = {
        "legal_name": "Cod & Capelin Ltd.",
        "jurisdiction": Jurisdiction.NL,
        "jurisdiction_label": "Newfoundland and Labrador",
        "registration_number": "77001",
        "address": ADDRESS,
        "people": PEOPLE,
    }
    return Subject(**{**values, **changes})


def findings_of(
    subject: Subject, report: RegistryReport | None, settings: VerificationSettings, published: tuple[Part, ...] = tuple(Part)
) -> Findings:
    """What the comparison comes to."""
    return (
        compare_claim(subject, settings, report, published) if report is not None else build_not_found_findings(subject, settings)
    )


def summary_of(
    subject: Subject,
    report: RegistryReport | None,
    language: Language = Language.ENGLISH,
    *,
    settings: VerificationSettings | None = None,
    published: tuple[Part, ...] = tuple(Part),
) -> Summary:
    """The summary of a verification."""
    applied = settings if settings is not None else VerificationSettings()
    findings = findings_of(subject, report, applied, published)
    return summarise(findings, subject, build_thresholds(applied), report, language)
