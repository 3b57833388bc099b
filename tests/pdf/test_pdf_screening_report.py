"""What a screening report says: the hits with their explanation, the lists, and what could not be screened or compared."""

from typing import Any

import pytest

from bonafide.api.description.components import load_examples
from bonafide.i18n.language import Language
from bonafide.model.screening.history import ScreeningOutcome
from bonafide.model.screening.requests import ScreeningAnswer
from bonafide.pdf.print_models import PrintedScreeningReport, PrintedSource
from bonafide.pdf.render import render
from tests.support.pdf.reports import DOCUMENT_ID, ISSUED_AT
from tests.support.pdf.sheets import text_of

LIST = "ca-sanctions-autonomous"
HIT = {"subject": "Sandbox", "source": LIST, "entryId": "1", "name": "Some Listed Party", "score": 0.97, "previousScore": None}
CHANGES = {
    "previousScreeningId": str(DOCUMENT_ID),
    "previousScreenedAt": "2026-10-20T14:33:00.000Z",
    "new": [HIT],
    "gone": [{**HIT, "name": "Former Listed Party", "score": None, "previousScore": 0.91}],
    "changed": [],
    "listsNotCompared": ["un-sanctions-consolidated"],
    "subjectsNotCompared": [],
}


def printed(language: str = "en", **changed: Any) -> str:
    answer = ScreeningAnswer.model_validate({**load_examples()["screening"]["value"], **changed})
    title = PrintedSource(title="Canada’s list", publisher="Global Affairs Canada", page="https://list.example")
    sheet = PrintedScreeningReport(
        language=Language(language),
        document_id=DOCUMENT_ID,
        issued_at=ISSUED_AT,
        screening=answer,
        outcome=ScreeningOutcome.INCOMPLETE,
        sources={LIST: title},
    )
    return text_of(render(sheet))


def test_it_gives_the_hits_the_lists_and_their_loads() -> None:
    text = printed()
    assert "Screening report" in text
    assert "Canada’s list" in text
    assert "5f0c9a1d3b7e2468" in text
    assert "Our customer was formed in Ontario in 2025" in text
    assert "Incomplete" in text


def test_what_could_not_be_screened_stands_in_it() -> None:
    assert "un-sanctions-consolidated (UNAVAILABLE)" in printed()


def test_a_repeated_screening_prints_its_changes() -> None:
    text = printed(changes=CHANGES)
    assert "Compared with the screening of" in text
    assert "Some Listed Party" in text
    assert "Former Listed Party" in text
    assert "What could not be compared" in text


@pytest.mark.parametrize("language", ["en", "fr"])
def test_both_languages_are_printed(language: str) -> None:
    assert "Sandbox Sanctioned Trading" in printed(language, changes=CHANGES)


def test_ownership_by_listed_parties_has_its_chains() -> None:
    screening = load_examples()["screening"]["value"]["screening"]
    steps = screening["subjects"][0]["ownershipPath"]
    path = {"party": "jordan", "name": "Jordan Sample", "steps": steps}
    text = printed(screening=screening | {"ownership": screening["ownership"] | {"status": "deemed", "paths": [path]}})
    assert "Sanctioned by ownership" in text
    assert "Jordan Sample has 30% of the shares of Sandbox Sanctioned Trading Ltd." in text
    assert "1 owner could not be screened and may be listed." in text
    # The owner of the path has no open hit.
    assert "Hits of these owners were dismissed after the screening" in text


def test_a_name_without_hits_is_not_printed_as_clear_if_a_party_has_some() -> None:
    screening = load_examples()["screening"]["value"]["screening"]
    (party,) = screening["subjects"]
    with_hits = party | {"totalMatches": 1, "matches": screening["matches"]}
    text = printed(screening=screening | {"matches": [], "totalMatches": 0, "subjects": [with_hits]})
    assert "Parties that were screened with it have hits." in text
    assert "No matches on sanctions lists." not in text
    text = printed(screening=screening | {"matches": [], "totalMatches": 0})
    assert "Parties that were screened with it have hits." not in text
    assert "No matches on sanctions lists." in text


def test_an_undetermined_ownership_is_not_printed_as_clear() -> None:
    text = printed()
    assert "Undetermined" in text
    assert "dismissed after the screening" not in text
