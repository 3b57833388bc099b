"""What an ownership report says: the owners and why, the diagram, the table, the statements; and that no name breaks it."""

from datetime import UTC, datetime

import pytest

from bonafide.i18n.language import Language
from bonafide.model.ownership.answer import OwnershipAnswer, RecordedStatement
from bonafide.model.ownership.statement import Claimant
from bonafide.pdf.render import render
from bonafide.services.printing.pdf_reports import DocumentIssue, build_ownership_sheet
from bonafide.services.screening.owner_screening import ALL_UNKNOWN
from tests.support.ownership.answers import BUSINESS_ID, DAY, NOT_LOOKED_UP, build_answer, build_statement
from tests.support.pdf.reports import DOCUMENT_ID, ISSUED_AT
from tests.support.pdf.sheets import text_of

PARTIES = {"Bakery": "business", "Holding": "business", "Jane": "person", "x": "unknown"}
STATEMENT = build_statement(
    PARTIES, [("Jane", "Holding", "shares", 0.6), ("Holding", "Bakery", "shares", 0.5), ("x", "Bakery", "shares", 0.5)]
)
RECORDED = RecordedStatement(
    claimed_by=Claimant.DECLARED,
    as_of=DAY,
    declared_by="Jane Doe, president",
    recorded_at=datetime(2026, 11, 20, 14, 33, tzinfo=UTC),
    recorded_by="ann@north.example",
)


def printed(answer: OwnershipAnswer, language: Language = Language.ENGLISH) -> str:
    return text_of(render(build_ownership_sheet(answer, "Bakery", DocumentIssue(DOCUMENT_ID, ISSUED_AT, language))))


def stated(answer: OwnershipAnswer) -> OwnershipAnswer:
    return answer.model_copy(update={"statements": (RECORDED,)})


def test_it_gives_the_owners_and_why() -> None:
    text = printed(stated(build_answer(STATEMENT)))
    assert "Ownership report" in text
    assert "Jane owns 60% of Holding, which owns 50% of Bakery: 30%" in text
    assert "Unknown share" in text
    assert "70%" in text


def test_owners_who_were_not_screened_are_never_clear() -> None:
    assert "The owners were not screened." in printed(stated(build_answer(STATEMENT)))
    assert "not screened" not in printed(stated(build_answer(STATEMENT, listed=[])))


def test_an_owner_with_open_hits_is_marked_and_the_chain_given() -> None:
    text = printed(stated(build_answer(STATEMENT, listed=["Jane"])))
    assert "Open sanctions hit" in text
    assert "On a sanctions list" not in text
    assert text.count("Jane owns 60% of Holding") == 2


def test_the_statements_say_who_recorded_them() -> None:
    text = printed(stated(build_answer(STATEMENT)))
    assert "Jane Doe, president" in text
    assert "ann@north.example" in text
    assert "Declared by the business" in text


def test_the_diagram_is_text_in_the_document() -> None:
    text = printed(stated(build_answer(STATEMENT)))
    assert "This business" in text


def test_without_a_statement_it_says_that_nothing_is_known() -> None:
    nothing = OwnershipAnswer(
        business_id=BUSINESS_ID,
        party=None,
        as_of=DAY,
        statements=(),
        lei_lookup=NOT_LOOKED_UP,
        parties=(),
        interests=(),
        beneficial_owners=(),
        screened_parties=(),
        deemed_sanctioned=None,
        deemed_sanctioned_reason=None,
        unknown_share=ALL_UNKNOWN,
    )
    assert "Nobody has stated who owns this business." in printed(nothing)


@pytest.mark.parametrize("name", ["ᐃᓄᒃ ᓄᓇᕗᑦ", "</svg><script>", '#import "x"', "مصنع", "𝕏" * 60, "é" * 300])
def test_no_name_breaks_the_document(name: str) -> None:
    parties = tuple(party.model_copy(update={"name": name}) if party.id == "Jane" else party for party in STATEMENT.parties)
    assert printed(stated(build_answer(STATEMENT.model_copy(update={"parties": parties}))))


@pytest.mark.parametrize("language", Language)
def test_a_structure_of_a_hundred_parties_has_a_diagram(language: Language) -> None:
    owners = {f"Owner {number}": "person" for number in range(100)}
    interests = [(owner, "Bakery", "shares", 0.005) for owner in owners]
    assert "Owner 99" in printed(stated(build_answer(build_statement(PARTIES | owners, interests))), language)
