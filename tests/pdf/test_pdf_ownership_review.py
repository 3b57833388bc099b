"""What the report of an ownership review says: both sides, classes and reasons, clocks, decisions, evidence."""

from dataclasses import replace
from typing import Any

import pytest

from bonafide.api.description.components import load_examples
from bonafide.i18n.language import Language
from bonafide.matching.ownership.stated_owners import NOT_AN_INDIVIDUAL
from bonafide.model.ownership.discrepancies import Discrepancy, DiscrepancyStatus, OwnershipReview
from bonafide.model.ownership.owner_comparison import AgreedOwner, DifferenceKind, StatedOwner, UncomparedOwner
from bonafide.model.ownership.roll_up import ShareRange
from bonafide.model.ownership.statement import PartyKind
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
    gone = tuple(one for one in found if one.id in review.gone)
    return ReviewContent(review, used, gone, {document.id: document, proof.id: proof})


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
    assert "25% or more" in said


def test_a_review_without_differences_says_so_only_if_everybody_could_be_compared() -> None:
    review = build_content().review
    assert review.declared is not None
    complete = review.declared.model_copy(update={"uncompared": (), "unknown_share": None})
    agreeing = printed(build_content(differences=(), declared=complete))
    assert "The declaration and the register agree." in agreeing
    said = printed(build_content(differences=()))
    assert "The declaration and the register agree." not in said
    assert "No difference was found among the individuals that could be compared. Declared: Not compared" in said
    assert said.count("Nobody is identified behind 15% to 45% of the shares.") == 2
    known = review.declared.model_copy(update={"unknown_share": ShareRange(min=0.7, max=0.7)})
    assert "Nobody is identified behind 70% of the shares." in printed(build_content(declared=known))


def test_what_the_register_leaves_open_is_printed() -> None:
    review = build_content().review
    assert review.registry is not None
    unknown = UncomparedOwner(name="Lakeside Trust", kind=PartyKind.TRUST, reason=NOT_AN_INDIVIDUAL)
    registry = review.registry.model_copy(update={"uncompared": (unknown,), "unknown_share": ShareRange(min=0.3, max=0.3)})
    said = printed(build_content(registry=registry))
    assert "Lakeside Trust" in said
    assert "Nobody is identified behind 30% of the shares." in said


def test_individuals_who_agree_are_printed_with_their_facts() -> None:
    jane = StatedOwner.model_validate(
        {"name": "Jane Doe", "from": "2021-04-01", "share": {"exact": 0.3}, "address": "1 Main St, Guelph ON"}
    )
    said = printed(build_content(agreed=(AgreedOwner(declared=jane, registry=jane),)))
    agreed = said[said.index("Both sides agree") : said.index("What was compared")]
    assert [agreed.count(fact) for fact in ("1 April 2021", "30%", "1 Main St, Guelph ON")] == [2, 2, 2]


def test_what_is_not_found_any_more_is_printed() -> None:
    gone = build_content().discrepancies[1].id
    said = printed(build_content(differences=(), gone=(gone,)))
    place = said.index("Not found any more")
    assert "Priya Ramanathan Not declared Open" in said[place:]


def test_the_class_that_the_review_found_stands_beside_the_class_now() -> None:
    content = build_content()
    changed = content.discrepancies[1].model_copy(update={"kind": DifferenceKind.IMMATERIAL, "due_at": None})
    said = printed(replace(content, discrepancies=(content.discrepancies[0], changed, *content.discrepancies[2:])))
    assert "Priya Ramanathan Immaterial Found as: Not declared Open" in said


def test_an_acknowledgement_is_printed_after_the_discrepancy_was_reopened() -> None:
    content = build_content()
    reopened = content.discrepancies[0].model_copy(
        update={"status": DiscrepancyStatus.OPEN, "acknowledgement": None, "resolution": None}
    )
    said = printed(replace(content, discrepancies=(reopened, *content.discrepancies[1:])))
    assert "BO-2026-004711" in said
    assert "proof.pdf" in said


def test_a_discrepancy_that_was_recorded_by_hand_has_no_sides() -> None:
    said = printed(build_content(declared=None, registry=None, documents=[]))
    assert "A person recorded the discrepancy without a comparison." in said
