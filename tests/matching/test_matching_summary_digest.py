"""The short summary of a verification: the result, at most five points with their sources, and the next steps."""

from typing import Any

import pytest

from bonafide.i18n.language import Language
from bonafide.matching.summary.digest import MAX_POINTS, SummaryDigest, SummarySourceKind, build_digest
from bonafide.matching.summary.summary_context import SummaryContext
from bonafide.matching.verification.claim_comparison import build_thresholds
from bonafide.model.accounts.account_settings import VerificationSettings
from bonafide.model.entity import StatusCode
from bonafide.model.query import AddressInput
from bonafide.model.verification.registry_report import RegistryReport
from bonafide.model.verification.results import ClaimedPerson, Subject
from tests.support.matching.summaries import findings_of, report_of, subject_of, summary_of

REGISTER, SUBMITTED = SummarySourceKind.REGISTER, SummarySourceKind.SUBMITTED
MANY = tuple(ClaimedPerson(name=name) for name in ("Ann Alpha", "Ben Beta", "Cara Gamma", "Dan Delta", "Eve Epsilon"))


def digest_of(
    subject: Subject, report: RegistryReport | None, language: Language = Language.ENGLISH, **settings: Any
) -> SummaryDigest:
    chosen = VerificationSettings(**settings)
    findings = findings_of(subject, report, chosen)
    return build_digest(SummaryContext(findings, subject, build_thresholds(chosen), report, language))


def points_of(digest: SummaryDigest) -> list[str]:
    return [point.text for point in digest.points]


def test_a_business_that_matches_has_its_status_and_its_matches() -> None:
    digest = digest_of(subject_of(), report_of())
    assert digest.verdict.text == "Everything that could be compared matches."
    status, matches = points_of(digest)
    assert status.endswith("the business is active. The business is in good standing.")
    assert matches.startswith("The legal name matches. The registration number matches. The address matches")
    assert [step.text for step in digest.steps] == ["No further steps are required."]
    assert digest.sources == (REGISTER,)


def test_what_differs_comes_first_with_its_significance() -> None:
    digest = digest_of(subject_of(legal_name="Herring Holdings Ltd."), report_of())
    first, *rest = points_of(digest)
    assert first.startswith("The legal name differs: the request states “Herring Holdings Ltd.”")
    assert first.endswith("This is a serious difference: these are two different names.")
    assert not any("The legal name matches" in text for text in rest)


def test_a_difference_of_the_address_is_one_point_without_its_parts() -> None:
    elsewhere = AddressInput(street="99 Other Road", city="Gander", province="NL", postal_code="A1V 1A1")
    first = points_of(digest_of(subject_of(address=elsewhere), report_of()))[0]
    assert first.startswith("The address differs in ")
    assert first.endswith("This is a serious difference: it is a different place.")
    assert "99 Other Road" not in first


def test_an_ended_registration_comes_before_what_differs() -> None:
    report = report_of(status="Dissolved", status_code=StatusCode.DISSOLVED)
    digest = digest_of(subject_of(legal_name="Herring Holdings Ltd."), report)
    assert "the business is dissolved" in points_of(digest)[0]


def test_many_differences_leave_room_for_the_rest_and_are_counted() -> None:
    digest = digest_of(subject_of(people=MANY), report_of())
    texts = points_of(digest)
    assert len(texts) == MAX_POINTS
    assert [text for text in texts if "whom the register does not name" in text] == texts[:3]
    assert digest.more == len(MANY) - 3


def test_a_number_that_was_not_found_says_what_could_not_be_compared() -> None:
    digest = digest_of(subject_of(), None)
    assert digest.verdict.text.startswith("No registration with the number “77001” was found")
    assert any("could not be compared because no registration was found" in text for text in points_of(digest))
    assert [step.text for step in digest.steps] == [
        "Check the number and the jurisdiction with the business, or search for the business by its name."
    ]
    assert digest.verdict.sources == (REGISTER,)


def test_what_was_not_submitted_rests_on_the_request() -> None:
    digest = digest_of(subject_of(address=None, people=()), report_of())
    last = digest.points[-1]
    assert last.text.startswith("The address was not compared because the request states none.")
    assert last.sources == (SUBMITTED,)
    assert digest.sources == (REGISTER, SUBMITTED)


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("people", [(), MANY])
def test_every_sentence_is_one_of_the_summary(language: Language, people: tuple[ClaimedPerson, ...]) -> None:
    subject = subject_of(legal_name="Herring Holdings Ltd.", people=people)
    digest = digest_of(subject, report_of(), language)
    whole = summary_of(subject, report_of(), language)
    left = " ".join(point.text for point in (digest.verdict, *digest.points, *digest.steps))
    for sentence in sorted((sentence.text for sentence in whole.sentences), key=len, reverse=True):
        left = left.replace(sentence, "")
    assert left.strip() == ""
