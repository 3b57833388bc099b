"""What a verification report says: the claim beside the register, and what could not be compared."""

import pytest

from bonafide.api.description.components import load_examples
from bonafide.model.screening.requests import ScreeningAnswer
from bonafide.model.verification.results import ResultStatus
from tests.support.pdf.reports import DOCUMENT_ID, printed_verification, verification
from tests.support.pdf.sheets import pages_of, root_object, structure_of, text_of


def test_claim_and_register_stand_side_by_side_with_the_reason() -> None:
    text = text_of(printed_verification(verification()))
    assert "0.90 Maple Foundary Inc. Maple Foundry Inc. 'foundary' read as 'foundry' (1 letter)." in text
    assert "Legal name" in text
    assert "differs" in text
    assert "Hamilton instead of Ottawa." in text


def test_it_gives_outcome_discrepancies_and_thresholds() -> None:
    first = pages_of(printed_verification(verification()))[0]
    assert "Discrepancies 2" in first or "Discrepancies Discrepancies" in first
    assert "legal name 0.95, registration number 1.00, address 0.95, people 0.95" in first
    assert "The name differs by one letter." in first


def test_what_could_not_be_compared_says_why() -> None:
    text = text_of(printed_verification(verification()))
    assert "Jane Nobody (not published): The register does not name people this way." in text


def test_without_an_entry_nothing_is_shown_of_the_register() -> None:
    text = text_of(printed_verification(verification(status=ResultStatus.NOT_FOUND)))
    assert "Not in the register" in text
    assert "The register has no registration with this number. Check the number and the jurisdiction, or search by name." in text


@pytest.mark.parametrize("status", ResultStatus)
@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_outcome_is_printed(status: ResultStatus, language: str) -> None:
    assert printed_verification(verification(status=status), language).startswith(b"%PDF-")


def test_it_is_all_in_french() -> None:
    text = text_of(printed_verification(verification(), "fr"))
    assert "Rapport de vérification" in text
    assert "Données fournies comparées au registre" in text
    for english in ("Submitted", "not published"):
        assert english not in text, english


def test_it_is_tagged_and_every_page_has_its_number() -> None:
    pdf = printed_verification(verification())
    pages = pages_of(pdf)
    assert all(f"Page {number} of {len(pages)}" in page for number, page in enumerate(pages, start=1))
    assert all(f"Document {DOCUMENT_ID}" in page for page in pages)
    assert list(structure_of(pdf)).count("/H1") == 1
    assert str(root_object(pdf, "/Lang")) == "en-CA"


def test_the_screening_is_printed_with_its_hits_and_lists() -> None:
    screening = ScreeningAnswer.model_validate(load_examples()["screening"]["value"]).screening
    thresholds = verification().meta.thresholds.model_copy(update={"sanctions": 0.85})
    document = verification()
    meta = document.meta.model_copy(update={"thresholds": thresholds})
    text = text_of(printed_verification(document.model_copy(update={"meta": meta, "sanctions": screening})))
    assert "Sanctions screening" in text
    assert screening.matches[0].legal_name.name in text
    assert "Lists that could not be screened" in text
    assert "Lowest score of a hit 0.85" in " ".join(text.split())


def test_without_a_screening_the_report_has_no_such_part() -> None:
    assert "Sanctions screening" not in text_of(printed_verification(verification()))
