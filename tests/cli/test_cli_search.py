"""Searches and screenings from a terminal: the same documents as the API's, and for a person never a silent gap."""

import json
from pathlib import Path

import pytest

from bonafide.model.search.match import Screening
from bonafide.model.search.result import SearchResult
from tests.support.cli_commands import Command, businesses, canonical

NOBODY = "Nobody could look at"


def test_a_person_sees_the_best_match_and_why_it_scores_as_it_does(bonafide: Command, sandbox_dir: Path) -> None:
    found = bonafide("search", "Sandbox Bakery", "--sandbox", "--data-dir", sandbox_dir)
    assert found.status == 0
    lines = found.out.splitlines()
    assert lines[0].split()[:4] == ["Score", "Name", "Register", "Number"]
    assert "Sandbox Bakery Inc." in lines[1]
    assert "1000017" in lines[1]
    assert "for Sandbox Bakery Inc." in found.out
    assert "legal form Inc. added" in found.out
    assert "Looked at ab, fed, mb," in found.out


def test_a_program_gets_the_document_that_the_api_answers_with(bonafide: Command, sandbox_dir: Path) -> None:
    words = ("Sandbox Twin Holdings", "-j", "on", "-j", "Alberta", "--sanctions", "--limit", "5", "--number", "1000025")
    found = bonafide("search", *words, "--sandbox", "--data-dir", sandbox_dir, "--json")
    document = SearchResult.model_validate_json(found.out)
    assert found.out.rstrip("\n") == document.to_json()
    assert document.businesses is not None
    assert [match.jurisdiction for match in document.businesses[:2]] == ["ON", "AB"]
    params = document.meta.submitted.params
    assert (params.jurisdictions, params.registration_number, params.limit) == (("ON", "AB"), "1000025", 5)
    assert document.sanctions is not None
    assert document.meta.searched_by == "cli@local.invalid"


def test_regulators_entries_are_listed_too(bonafide: Command, sandbox_dir: Path) -> None:
    found = bonafide("search", "Sandbox Cannabis", "--sandbox", "--data-dir", sandbox_dir)
    assert any("Sandbox Cannabis" in line and "agcoCannabis" in line for line in found.out.splitlines())


def test_a_register_in_trouble_is_told_from_one_that_has_nothing(bonafide: Command, sandbox_dir: Path) -> None:
    found = bonafide("search", "Sandbox Outage", "-j", "yt", "--sandbox", "--data-dir", sandbox_dir)
    assert "No register could be looked at." in found.out
    assert "yt failed: " in found.out
    found = bonafide("search", "Zyxwv Qponm Kjihg", "-j", "yt", "--sandbox", "--data-dir", sandbox_dir)
    assert "No register entry scores high enough." in found.out
    assert "Looked at yt," in found.out


def test_with_nothing_loaded_nobody_could_look(bonafide: Command) -> None:
    found = bonafide("search", "Fundy Example", "--sanctions")
    assert found.status == 0
    assert "No register could be looked at." in found.out
    assert "Looked at nothing" in found.out
    (blind,) = [line for line in found.out.split("\n\n") if NOBODY in line]
    assert "ab, bc, cbr, fed," in blind
    assert "us-sanctions-ofac-sdn" in blind
    assert "0 sanctions matches. Screened: no list." in found.out


def test_names_that_look_like_markup_are_shown_as_they_are(bonafide: Command, tmp_path: Path) -> None:
    rows = ("1,[bold]Fundy[/] Example :bomb: Ltd.,[red]Active,active,X", "2,Fundy [/nothing] Example Ltd.,Active,active,X")
    bonafide("sync", "ns", "--file", canonical(tmp_path, *rows, *businesses(9)))
    found = bonafide("search", "bold Fundy Example bomb")
    assert found.status == 0
    assert "[bold]Fundy[/] Example :bomb: Ltd." in found.out.splitlines()[1]
    assert "[red]Active" in found.out
    assert "for [bold]Fundy[/] Example :bomb: Ltd." in found.out
    assert "Fundy [/nothing] Example Ltd." in bonafide("search", "Fundy nothing Example").out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("search", "Fundy", "-j", "atlantis"), "'atlantis' is not a jurisdiction; one of AB, BC,"),
        (("search", "***"), "Invalid value: needs at least one letter or digit"),
        (("search", " "), "at least 1 character"),
        (("search", "a\x07b"), "control characters are not allowed"),
        (("search", "a\udcff"), "valid string"),
        (("search", "x" * 301), "at most 300 characters"),
        (("search", "Fundy", "--limit", "51"), "--limit"),
        (("search",), "Missing argument"),
        (("screen", "..."), "Invalid value: needs at least one letter or digit"),
        (("screen", "x" * 301), "at most 300 characters"),
        (("screen", "Fundy", "--threshold", "0.5"), "--threshold"),
    ],
)
def test_what_is_no_question_is_refused(bonafide: Command, words: tuple[str, ...], sentence: str) -> None:
    found = bonafide(*words)
    assert (found.status, found.out) == (2, "")
    assert sentence in found.said


def test_a_listed_name_is_found_and_the_lists_that_were_screened_are_named(bonafide: Command, sandbox_dir: Path) -> None:
    found = bonafide("screen", "Sandbox Sanctioned Trading", "--sandbox", "--data-dir", sandbox_dir)
    assert (found.status, found.err) == (0, "")
    assert "Sandbox Sanctioned Trading Ltd." in found.out.splitlines()[0]
    assert "1 sanctions matches. Screened: " in found.out
    assert "ca-sanctions-autonomous (" in found.out


def test_a_screening_for_a_program_is_the_apis(bonafide: Command, sandbox_dir: Path) -> None:
    found = bonafide("screen", "Sandbox Sanctioned Trading", "--threshold", "0.9", "--sandbox", "--data-dir", sandbox_dir, "--json")
    screening = Screening.model_validate(found.json())
    assert screening.total_matches == 1
    assert {item.source for item in screening.lists} >= {"ca-sanctions-autonomous", "un-sanctions-consolidated"}
    assert screening.lists_not_screened == ()


def test_a_screening_of_no_list_is_a_failure_and_not_a_clean_result(bonafide: Command) -> None:
    found = bonafide("screen", "Fundy Example")
    assert found.status == 1
    assert "Screened: no list." in found.out
    assert "No sanctions list could be searched" in found.said
    found = bonafide("screen", "Fundy Example", "--json")
    assert found.status == 1
    assert json.loads(found.out)["lists"] == []
