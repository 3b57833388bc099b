"""API keys on the command line: made, listed, changed and revoked, for a person and for a program."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from bonafide.model.accounts.organizations import Scope
from tests.support.cli_commands import Command

UNKNOWN = str(uuid4())


@pytest.fixture
def key(bonafide: Command) -> dict[str, Any]:
    """A new key of North, as it was printed."""
    made: dict[str, Any] = bonafide("keys", "create", "--organization", "North", "--expires-in", "30d", "--json").json()
    return made


def listed(bonafide: Command) -> dict[str, dict[str, Any]]:
    """Every key by its id."""
    return {row["id"]: row for row in bonafide("keys", "list", "--json").json()}


def instant(text: str) -> datetime:
    return datetime.fromisoformat(text)


def test_a_new_key_is_printed_with_exactly_the_fields_of_the_contract(key: dict[str, Any]) -> None:
    assert list(key) == ["id", "key", "prefix", "last4", "expiresAt"]
    assert key["key"].startswith(key["prefix"])
    assert key["prefix"].startswith("bf_live_")
    assert key["key"].endswith(key["last4"])
    lifetime = instant(key["expiresAt"]) - datetime.now(UTC)
    assert timedelta(days=29, hours=23) < lifetime <= timedelta(days=30)


def test_a_key_without_a_lifetime_does_not_expire(bonafide: Command) -> None:
    assert bonafide("keys", "create", "--organization", "North", "--json").json()["expiresAt"] is None


def test_a_test_key_is_one_of_the_sandbox(bonafide: Command) -> None:
    made = bonafide("keys", "create", "--organization", "North", "--test", "--json").json()
    assert made["key"].startswith("bf_test_")
    assert listed(bonafide)[made["id"]]["world"] == "sandbox"


def test_a_list_shows_what_was_asked_for_and_never_the_key(bonafide: Command) -> None:
    made = bonafide(
        *("keys", "create", "--organization", "North", "--label", "nightly", "--owner", "ada@north.example"),
        *("--scopes", "search:read,search:write", "--rate-limit", "7", "--json"),
    ).json()
    row = listed(bonafide)[made["id"]]
    assert (row["organization"], row["label"], row["owner"]) == ("North", "nightly", "ada@north.example")
    assert (row["scopes"], row["rateLimit"], row["revokedAt"]) == (["search:read", "search:write"], 7, None)
    assert made["key"] not in bonafide("keys", "list").out + bonafide("keys", "list", "--json").out


def test_a_key_has_every_scope_unless_told_otherwise(bonafide: Command, key: dict[str, Any]) -> None:
    assert listed(bonafide)[key["id"]]["scopes"] == list(Scope)


def test_a_person_is_shown_the_key_alone_on_a_line_and_told_that_it_is_not_shown_again(bonafide: Command) -> None:
    found = bonafide("keys", "create", "--organization", "North")
    first, second = found.out.splitlines()
    assert first.startswith("bf_live_")
    assert "of North. It is not shown again." in second


def test_a_person_can_copy_the_id_from_the_list(bonafide: Command, key: dict[str, Any]) -> None:
    bonafide("keys", "create", "--organization", "A rather long name of an organization", "--label", "and a label as long as that")
    assert key["id"] in bonafide("keys", "list").out


def test_a_revoked_key_is_marked_so(bonafide: Command, key: dict[str, Any]) -> None:
    assert bonafide("keys", "revoke", key["id"]).out == f"Key {key['id']} of North revoked.\n"
    assert listed(bonafide)[key["id"]]["revokedAt"] is not None
    assert "revoked 2" in bonafide("keys", "list").out


def test_a_rotated_key_is_a_new_one_and_the_old_one_expires_after_the_overlap(bonafide: Command, key: dict[str, Any]) -> None:
    new = bonafide("keys", "rotate", key["id"], "--overlap", "2h", "--json").json()
    assert list(new) == ["id", "key", "prefix", "last4", "expiresAt"]
    assert new["key"] != key["key"]
    left = instant(listed(bonafide)[key["id"]]["expiresAt"]) - datetime.now(UTC)
    assert timedelta(hours=1, minutes=59) < left <= timedelta(hours=2)


def test_a_revoked_key_is_not_rotated(bonafide: Command, key: dict[str, Any]) -> None:
    bonafide("keys", "revoke", key["id"])
    found = bonafide("keys", "rotate", key["id"])
    assert (found.status, found.said) == (1, "bonafide: This API key is revoked or expired. Create a new one.")


def test_limit_and_lifetime_are_changed(bonafide: Command, key: dict[str, Any]) -> None:
    row = bonafide("keys", "set", key["id"], "--rate-limit", "9", "--expires-in", "1h", "--json").json()
    assert row["rateLimit"] == 9
    assert instant(row["expiresAt"]) < instant(key["expiresAt"])
    assert bonafide("keys", "set", key["id"], "--rate-limit", "10").out == f"Key {key['id']} of North changed.\n"
    assert listed(bonafide)[key["id"]]["rateLimit"] == 10


def test_a_key_is_made_lenient_and_strict_again(bonafide: Command, key: dict[str, Any]) -> None:
    assert listed(bonafide)[key["id"]]["lenient"] is False
    assert bonafide("keys", "set", key["id"], "--lenient", "--json").json()["lenient"] is True
    assert bonafide("keys", "set", key["id"], "--rate-limit", "9", "--json").json()["lenient"] is True
    assert bonafide("keys", "set", key["id"], "--strict", "--json").json()["lenient"] is False
    made = bonafide("keys", "create", "--organization", "North", "--lenient", "--json").json()
    assert listed(bonafide)[made["id"]]["lenient"] is True


@pytest.mark.parametrize("words", [("revoke",), ("rotate",), ("set", "--rate-limit", "3")], ids=lambda words: words[0])
def test_an_unknown_id_is_said_to_be_unknown(bonafide: Command, words: tuple[str, ...]) -> None:
    found = bonafide("keys", words[0], UNKNOWN, *words[1:])
    assert (found.status, found.out, found.said) == (1, "", "bonafide: We couldn’t find that API key.")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("create", "--organization", "North", "--scopes", "search:fly"), "Unknown scope. Use:"),
        (("create", "--organization", "North", "--expires-in", "soon"), "'soon' is not a duration"),
        (("create", "--organization", "North", "--expires-in", "99999d"), "The maximum is 3650d"),
        (("create", "--organization", "North", "--expires-in", "0s"), "--expires-in: must be at least"),
        (("create", "--organization", "North", "--rate-limit", "0"), "--rate-limit: must be at least"),
        (("create", "--organization", "North", "--owner", "nobody"), "--owner: "),
        (("create", "--organization", " "), "--organization: "),
        (("create",), "Missing option '--organization'"),
        (("revoke", "7"), "Input should be a valid UUID"),
        (("rotate", UNKNOWN, "--overlap", "soon"), "'soon' is not a duration"),
        (("set", UNKNOWN, "--rate-limit", "3000000"), "--rate-limit: must be at most"),
        (("set", UNKNOWN, "--expires-in", "0s"), "--expires-in: must be at least"),
        (("set", UNKNOWN), "Give at least one of"),
    ],
)
def test_what_can_not_be_done_is_refused_with_the_reason(bonafide: Command, words: tuple[str, ...], sentence: str) -> None:
    found = bonafide("keys", *words)
    assert found.status in {1, 2}
    assert sentence in found.said
    assert bonafide("keys", "list", "--json").json() == []


def test_names_that_look_like_markup_are_shown_as_they_are(bonafide: Command) -> None:
    made = bonafide("keys", "create", "--organization", "[bold]North[/] :bomb:", "--label", "[red]x")
    assert "of [bold]North[/] :bomb:. It" in made.out
    shown = bonafide("keys", "list").out
    assert "[red]x" in shown
    assert "[bold]North[/]" in shown
    (key_id,) = listed(bonafide)
    assert "[bold]North[/] :bomb: changed" in bonafide("keys", "set", key_id, "--rate-limit", "3").out


def test_the_data_directory_of_the_command_line_wins_over_that_of_the_environment(bonafide: Command, tmp_path: Path) -> None:
    bonafide("keys", "create", "--organization", "North", "--data-dir", tmp_path / "elsewhere")
    assert listed(bonafide) == {}
    assert len(bonafide("keys", "list", "--json", "--data-dir", tmp_path / "elsewhere").json()) == 1


def test_the_id_of_an_organization_names_it(bonafide: Command, key: dict[str, Any]) -> None:
    organization = listed(bonafide)[key["id"]]["organizationId"]
    made = bonafide("keys", "create", "--organization", organization, "--json").json()
    assert listed(bonafide)[made["id"]]["organization"] == "North"
    assert listed(bonafide)[made["id"]]["organizationId"] == organization
    assert bonafide("settings", "show", "--organization", organization).status == 0


def test_an_unknown_id_of_an_organization_creates_nothing(bonafide: Command, key: dict[str, Any]) -> None:
    found = bonafide("keys", "create", "--organization", UNKNOWN)
    assert (found.status, found.said) == (1, f"bonafide: There is no live organization with the ID {UNKNOWN}.")
    live = listed(bonafide)[key["id"]]["organizationId"]
    found = bonafide("keys", "create", "--organization", live, "--test")
    assert (found.status, found.said) == (1, f"bonafide: There is no sandbox organization with the ID {live}.")
    assert list(listed(bonafide)) == [key["id"]]
