"""Searches and screenings from a terminal: the same documents as the API's, and for a person never a silent gap."""

import json
from pathlib import Path

import pytest

from bonafide.model.search.match import Screening
from bonafide.model.search.result import SearchResult
from tests.support.cli_commands import Command, businesses, canonical

UNAVAILABLE = "sources unavailable: "


@pytest.mark.slow
def test_a_person_sees_the_best_match_and_why_it_scores_as_it_does(bonafide: Command, sandbox_dir: Path) -> None:
    found = bonafide("search", "Sandbox Bakery", "-v", "--sandbox", "--data-dir", sandbox_dir)
    assert found.status == 0
    lines = found.out.splitlines()
    assert lines[0].split()[:4] == ["Score", "Name", "Register", "Number"]
    assert "Sandbox Bakery Inc." in lines[1]
    assert "1000017" in lines[1]
    assert "for Sandbox Bakery Inc." in found.out
    assert "legal form Inc. added" in found.out
    assert "ab, fed, mb," in found.out


@pytest.mark.slow
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


@pytest.mark.slow
def test_a_register_in_trouble_is_told_from_one_that_has_nothing(bonafide: Command, sandbox_dir: Path) -> None:
    found = bonafide("search", "Sandbox Outage", "-j", "yt", "--sandbox", "--data-dir", sandbox_dir)
    assert "No register could be checked." in found.out
    assert "yt failed: " in found.out
    found = bonafide("search", "Zyxwv Qponm Kjihg", "-j", "yt", "--sandbox", "--data-dir", sandbox_dir)
    assert "No match in available sources." in found.out
    assert "sources checked" in found.out


def test_with_nothing_loaded_nobody_could_look(bonafide: Command) -> None:
    found = bonafide("search", "Fundy Example", "--sanctions", "--verbose")
    assert found.status == 0
    assert "No register could be checked." in found.out
    assert "0 sources checked" in found.out
    (blind,) = [line for line in found.out.split("\n\n") if UNAVAILABLE in line]
    assert "ab, bc, cbr, fed," in blind
    assert "us-sanctions-ofac-sdn" in blind
    assert "0 sanctions matches. 0 lists screened." in found.out


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
        (("search", "Fundy", "-j", "atlantis"), "'atlantis' is not a jurisdiction. Use a full name or one of AB, BC,"),
        (("search", "***"), "Invalid value: must have at least one letter or digit"),
        (("search", " "), "at least 1 character"),
        (("search", "a\x07b"), "control characters are not allowed"),
        (("search", "a\udcff"), "must be a string"),
        (("search", "x" * 301), "at most 300 characters"),
        (("search", "Fundy", "--limit", "51"), "--limit"),
        (("search",), "Missing argument"),
        (("screen", "..."), "Invalid value: must have at least one letter or digit"),
        (("screen", "x" * 301), "at most 300 characters"),
        (("screen", "Fundy", "--threshold", "0.5"), "--threshold"),
    ],
)
def test_what_is_no_question_is_refused(bonafide: Command, words: tuple[str, ...], sentence: str) -> None:
    found = bonafide(*words)
    assert (found.status, found.out) == (2, "")
    assert sentence in found.said


def test_a_listed_name_is_found_and_the_lists_that_were_screened_are_named(bonafide: Command, sandbox_dir: Path) -> None:
    found = bonafide("screen", "Sandbox Sanctioned Trading", "-v", "--sandbox", "--data-dir", sandbox_dir)
    assert (found.status, found.err) == (0, "")
    assert "Sandbox Sanctioned Trading Ltd." in found.out.splitlines()[0]
    assert "1 sanctions match. " in found.out
    assert "ca-sanctions-autonomous: " in found.out


@pytest.mark.slow
def test_a_match_fails_a_screening_on_request(bonafide: Command, sandbox_dir: Path) -> None:
    words = ("--sandbox", "--data-dir", sandbox_dir, "--fail-on", "hits")
    assert bonafide("screen", "Sandbox Sanctioned Trading", *words).status == 3
    assert bonafide("screen", "Zyxwv Qponm Kjihg", *words).status == 0


@pytest.mark.slow
def test_results_are_condensed_and_in_the_language_of_the_locale(
    bonafide: Command, sandbox_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("search", "Sandbox Bakery", "--sandbox", "--data-dir", sandbox_dir)
    assert "(-v to list)" in bonafide(*words).out
    monkeypatch.setenv("LC_ALL", "fr_CA.UTF-8")
    french = bonafide(*words).out
    assert french.splitlines()[0].split()[:3] == ["Score", "Nom", "Registre"]
    assert "sources consultées" in french
    assert "registres" in bonafide("search", "--help").out


@pytest.mark.slow
def test_a_screening_for_a_program_is_the_apis(bonafide: Command, sandbox_dir: Path) -> None:
    found = bonafide("screen", "Sandbox Sanctioned Trading", "--threshold", "0.9", "--sandbox", "--data-dir", sandbox_dir, "--json")
    screening = Screening.model_validate(found.json())
    assert screening.total_matches == 1
    assert {item.source for item in screening.lists} >= {"ca-sanctions-autonomous", "un-sanctions-consolidated"}
    assert screening.lists_not_screened == ()


def test_a_screening_of_no_list_is_a_failure_and_not_a_clean_result(bonafide: Command) -> None:
    found = bonafide("screen", "Fundy Example")
    assert found.status == 1
    assert "0 lists screened." in found.out
    assert "No sanctions list could be screened" in found.said
    found = bonafide("screen", "Fundy Example", "--json")
    assert found.status == 1
    assert json.loads(found.out)["lists"] == []
