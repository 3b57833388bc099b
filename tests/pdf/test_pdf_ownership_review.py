"""What the report of an ownership review says: both sides, classes and reasons, clocks, decisions, evidence."""

from typing import Any

import pytest

from bonafide.api.description.components import load_examples
from bonafide.i18n.language import Language
from bonafide.model.ownership.discrepancies import Discrepancy, OwnershipReview
from bonafide.model.records.documents import BusinessDocument
from bonafide.pdf.render import render
from bonafide.services.printing.ownership_reviews import ReviewContent, build_review_sheet
from tests.support.pdf.reports import DOCUMENT_ID, ISSUED_AT
from tests.support.pdf.sheets import text_of


def build_content(**changed: Any) -> ReviewContent:
    examples = {name: example["value"] for name, example in load_examples().items()}
    review = OwnershipReview.model_validate({**examples["ownership_review"], **changed})
    found = [Discrepancy.model_validate(one) for one in examples["discrepancy_page"]["discrepancies"]]
    document = BusinessDocument.model_validate(examples["document"])
    assert found[0].acknowledgement is not None
    proof = document.model_copy(update={"id": found[0].acknowledgement.document_id, "name": "proof.pdf"})
    used = tuple(found[: len(review.differences)])
    return ReviewContent(review, used, {document.id: document, proof.id: proof})


def printed(content: ReviewContent, language: str = "en") -> str:
    return " ".join(text_of(render(build_review_sheet(content, DOCUMENT_ID, ISSUED_AT, Language(language)))).split())


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_facts_are_in_both_languages(language: str) -> None:
    said = printed(build_content(), language)
    facts = (
        *("Sandbox Bakery Inc.", "Étienne Marchand", "Priya Ramanathan", "Margaret Okafor Lindquist"),
        *("BO-2026-004711", "proof.pdf", "isc-register-2026-11-20.pdf", "analyst@north.example"),
        *("Margaret Okafor-Lindqvist, president", "Harbour Pension Fund"),
    )
    assert [fact for fact in facts if fact not in said] == []
    assert "9f86d081884c7d659a2feaa0c55ad015" in said.replace(" ", "")


def test_each_difference_has_its_class_its_reason_and_its_clock() -> None:
    said = printed(build_content())
    assert "Étienne Marchand Missing in the register Reported" in said
    assert "Priya Ramanathan Not declared Open" in said
    assert "The register names no such individual." in said
    assert "20 December 2026, 14:33 UTC" in said
    assert "The register doesn’t name the person." in said
    assert "25 % or more" in said


def test_a_review_without_differences_says_so() -> None:
    said = printed(build_content(differences=(), agreed=()))
    assert "The declaration and the register agree." in said


def test_a_discrepancy_that_was_recorded_by_hand_has_no_sides() -> None:
    said = printed(build_content(declared=None, registry=None, documents=[]))
    assert "A person recorded the discrepancy without a comparison." in said
