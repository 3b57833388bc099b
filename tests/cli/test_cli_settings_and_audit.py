"""`bonafide settings` and `bonafide audit`."""

import base64
import sqlite3
from pathlib import Path

import pytest

from tests.support.cli_commands import Command

ONE_RED_PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="


@pytest.fixture
def north(bonafide: Command) -> str:
    bonafide("keys", "create", "--organization", "North")
    return "North"


def test_settings_are_shown_with_their_defaults(bonafide: Command, north: str) -> None:
    shown = bonafide("settings", "show", "--organization", north, "--json").json()
    assert shown["search"]["sanctionsThreshold"] == 0.85
    assert "verification.registrationNumber.threshold" in bonafide("settings", "show", "--organization", north).out


def test_settings_are_set_by_their_paths(bonafide: Command, north: str) -> None:
    changes = ("search.sanctionsScreening=true", "verification.people.threshold=0.9")
    assert bonafide("settings", "set", *changes, "--organization", north, "--json").json()["search"]["sanctionsScreening"] is True
    shown = bonafide("settings", "show", "--organization", north, "--json").json()
    assert shown["verification"]["people"] == {"enabled": True, "threshold": 0.9}


def test_test_keys_have_settings_of_their_own(bonafide: Command, north: str) -> None:
    bonafide("keys", "create", "--organization", north, "--test")
    bonafide("settings", "set", "search.sanctionsScreening=true", "--organization", north, "--test")
    assert not bonafide("settings", "show", "--organization", north, "--json").json()["search"]["sanctionsScreening"]
    assert bonafide("settings", "show", "--organization", north, "--test", "--json").json()["search"]["sanctionsScreening"]


def test_a_logo_is_read_from_a_file_and_not_printed(bonafide: Command, north: str, tmp_path: Path) -> None:
    logo = tmp_path / "logo.png"
    logo.write_bytes(base64.b64decode(ONE_RED_PIXEL))
    shown = bonafide("settings", "set", f"branding.logo=@{logo}", "branding.name=North & Sons", "--organization", north).out
    assert f"image, {len(ONE_RED_PIXEL)} characters of base64" in shown
    branding = bonafide("settings", "show", "--organization", north, "--json").json()["branding"]
    assert (branding["logo"], branding["name"]) == (ONE_RED_PIXEL, "North & Sons")


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ("branding.logo=@missing.png", "missing.png can’t be read"),
        ("branding.primary=#ffee00", "the contrast of this colour"),
        ("search.sanctionsThreshold=0.2", "search.sanctionsThreshold: must be at least 0.7"),
        ("search.sanctionScreening=true", "search.sanctionScreening: Extra inputs are not permitted"),
        ("search=none", "search: must be an object"),
        ("search.sanctionsScreening", "is not a setting with a value"),
        ("matchSelection.reviewThreshold=0.99", "must not be above autoSelectThreshold"),
    ],
)
def test_what_is_no_setting_is_refused_with_the_reason(bonafide: Command, north: str, change: str, sentence: str) -> None:
    found = bonafide("settings", "set", change, "--organization", north)
    assert found.status in {1, 2}
    assert sentence in found.said


def test_an_unknown_organization_is_said_to_be_unknown(bonafide: Command, north: str) -> None:
    for words in (("settings", "show"), ("settings", "set", "search.sanctionsScreening=true"), ("audit", "verify")):
        found = bonafide(*words, "--organization", "South")
        assert (found.status, found.said) == (
            1,
            "bonafide: There is no live organization named 'South'. Known organizations: North.",
        )


class TestAudit:
    @pytest.fixture
    def noted(self, bonafide: Command, north: str) -> str:
        """The state of a trail of three entries."""
        for value in ("true", "false", "true"):
            bonafide("settings", "set", f"search.sanctionsScreening={value}", "--organization", north)
        (checked,) = bonafide("audit", "verify", "--json").json()
        assert (checked["organization"], checked["whole"], checked["problems"]) == ("North", True, [])
        return str(checked["noted"])

    def run(self, data_dir: Path, statement: str) -> None:
        connection = sqlite3.connect(data_dir / "bonafide.sqlite3")
        with connection:
            connection.execute(statement)
        connection.close()

    def test_a_whole_trail_passes_and_says_what_to_note(self, bonafide: Command, noted: str) -> None:
        assert noted.startswith("3:")
        found = bonafide("audit", "verify")
        assert (found.status, "North" in found.out, noted in found.out) == (0, True, True)
        assert bonafide("audit", "verify", "--organization", "North", "--noted", noted).status == 0

    @pytest.mark.usefixtures("noted")
    def test_an_edited_entry_fails_the_command(self, bonafide: Command, data_dir: Path) -> None:
        self.run(data_dir, "UPDATE audit_entries SET actor = 'nobody' WHERE id = 2")
        found = bonafide("audit", "verify")
        assert found.status == 1
        assert "North: entry 2 or the one before it" in found.out

    def test_a_trail_that_was_cut_with_its_ledger_fails_against_what_was_noted(
        self, bonafide: Command, noted: str, data_dir: Path
    ) -> None:
        self.run(data_dir, "UPDATE ledgers SET entries = 2, head = (SELECT hash FROM audit_entries WHERE id = 2)")
        self.run(data_dir, "DELETE FROM audit_entries WHERE id = 3")
        assert bonafide("audit", "verify").status == 0
        found = bonafide("audit", "verify", "--organization", "North", "--noted", noted)
        assert (found.status, "had 3 entries when its hash was recorded" in found.out) == (1, True)

    def test_what_was_noted_must_be_of_one_organization_and_in_its_form(self, bonafide: Command, noted: str) -> None:
        assert "--noted requires --organization" in bonafide("audit", "verify", "--noted", noted).said
        assert "a number of entries and a hash" in bonafide("audit", "verify", "--organization", "North", "--noted", "3").said
