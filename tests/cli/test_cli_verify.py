"""Verifications from a terminal: for a person a table, for a program the API's document; a register is asked while one waits."""

from pathlib import Path

import pytest

from bonafide.model.verification.results import VerifyResponse
from tests.support.cli_commands import Command

BAKERY = ("Sandbox Bakery Inc.", "-j", "on", "--number", "1000017")


def test_a_person_sees_what_matches_and_why(bonafide: Command, sandbox_dir: Path) -> None:
    claim = ("--city", "Toronto", "--person", "Luc Beauvallon:Secretary", "--person", "Okafor-Lindqvist, Margaret")
    found = bonafide("verify", *BAKERY, *claim, "--sandbox", "--data-dir", sandbox_dir)
    assert (found.status, found.err) == (0, "")
    lines = found.out.splitlines()
    assert lines[0] == "discrepancies"
    assert lines[1].split()[:3] == ["Field", "Outcome", "Score"]
    assert [line.split()[0] for line in lines[2:5]] == ["legal", "number", "city"]
    assert "not as Secretary" in found.out
    assert "on (import), as of" in found.out


def test_a_program_gets_the_document_that_the_api_answers_with(bonafide: Command, sandbox_dir: Path) -> None:
    found = bonafide("verify", *BAKERY, "--max-age", "48", "--sandbox", "--data-dir", sandbox_dir, "--json")
    document = VerifyResponse.model_validate_json(found.out)
    assert found.out.rstrip("\n") == document.to_json()
    assert (document.results.status, document.meta.submitted.max_age) == ("verified", 48)
    assert document.meta.verified_by == "cli@local.invalid"


def test_the_parties_are_screened_on_request(bonafide: Command, sandbox_dir: Path) -> None:
    words = ("verify", "Sandbox Sanctioned Trading Ltd.", "-j", "on", "--number", "1000017", "--sandbox", "--data-dir", sandbox_dir)
    found = bonafide(*words, "--sanctions", "--verbose")
    assert (found.status, found.err) == (0, "")
    assert "1 sanctions match." in found.out
    assert "ca-sanctions-autonomous" in found.out
    assert "sanctions match" not in bonafide(*words).out


def test_discrepancies_fail_a_verification_on_request(bonafide: Command, sandbox_dir: Path) -> None:
    words = ("--sandbox", "--data-dir", sandbox_dir, "--fail-on", "discrepancies")
    assert bonafide("verify", *BAKERY, *words).status == 0
    assert bonafide("verify", *BAKERY, "--person", "Nobody Known", *words).status == 3


def test_one_that_fails_tells_why_and_is_a_failure(bonafide: Command, sandbox_dir: Path) -> None:
    words = (
        "verify",
        "Sandbox Failing Registry",
        "-j",
        "Alberta",
        "--number",
        "2010000041",
        "--sandbox",
        "--data-dir",
        sandbox_dir,
    )
    found = bonafide(*words)
    assert (found.status, found.out) == (1, "")
    assert "The register of Alberta refuses queries for this number." in found.said
    found = bonafide(*words, "--json")
    assert found.status == 1
    assert '"status":"failed"' in found.out


def test_with_nothing_loaded_nobody_could_look(bonafide: Command) -> None:
    found = bonafide("verify", "Fundy Example", "-j", "nu", "--number", "12")
    assert found.status == 1
    assert "The register of Nunavut is unavailable" in found.said


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("X", "-j", "atlantis", "--number", "1"), "'atlantis' is not a jurisdiction"),
        (("***", "-j", "on", "--number", "1"), "must have at least one letter or digit"),
        (("X", "-j", "on"), "--number"),
        (("X", "-j", "on", "--number", "1", "--person", ":Director"), "at least 1 character"),
    ],
)
def test_what_is_no_claim_is_refused(bonafide: Command, words: tuple[str, ...], sentence: str) -> None:
    found = bonafide("verify", *words)
    assert (found.status, found.out) == (2, "")
    assert sentence in found.said
