"""`bonafide scim`: tokens are printed once, listed without their text and revoked; groups get roles."""

import pytest

from tests.support.cli_commands import Command

CREATE = ("scim", "token", "create", "--organization", "North", "--label", "Entra ID")


@pytest.fixture(autouse=True)
def _north(bonafide: Command) -> None:
    bonafide("users", "create", "--organization", "North", "--email", "ann@north.example", "--role", "owner")


def test_a_token_is_printed_once_and_revoked(bonafide: Command) -> None:
    created = bonafide(*CREATE, "--expires-in", "365d", "--json").json()
    assert created["token"].startswith("bf_scim_")
    listing = bonafide("scim", "token", "list", "--json")
    (token,) = listing.json()
    assert (token["id"], token["label"], token["world"], token["revokedAt"]) == (created["id"], "Entra ID", "live", None)
    assert created["token"] not in listing.said
    assert bonafide("scim", "token", "revoke", created["id"], "--json").json()["revokedAt"] is not None


def test_what_does_not_exist_is_reported(bonafide: Command) -> None:
    assert bonafide("scim", "token", "create", "--organization", "South", "--label", "Okta").status == 1
    assert bonafide("scim", "token", "revoke", "6f1c2a0e-8f5d-4c55-9d0a-2f6f4b8f3a11").status == 1
    assert bonafide("scim", "group", "role", "Compliance", "analyst", "--organization", "North").status == 1
    assert bonafide("scim", "group", "role", "Compliance", "janitor", "--organization", "North").status == 2
    assert bonafide("scim", "group", "list", "--organization", "North", "--json").json() == []
