"""`bonafide users`: people made, listed, changed and disabled; a password comes through a pipe, never as an argument."""

from typing import Any

import pytest

from tests.support.cli_commands import Command

ANN = "ann@north.example"
PASSWORD = b"seventeen quiet otters\n"
CREATE = ("users", "create", "--organization", "North", "--email", ANN)


@pytest.fixture(autouse=True)
def _cheap_passwords(monkeypatch: pytest.MonkeyPatch) -> None:
    """What makes guessing dear must not make tests slow."""
    for name, value in {"MEMORY_KIB": "8", "PASSES": "1", "LANES": "1"}.items():
        monkeypatch.setenv(f"BONAFIDE_PASSWORD_{name}", value)


def listed(bonafide: Command, *words: str) -> dict[str, Any]:
    """Each user by e-mail."""
    return {user["email"]: user for user in bonafide("users", "list", "--json", *words).json()}


def test_a_new_user_is_told_the_link_to_hand_over(bonafide: Command) -> None:
    made = bonafide(*CREATE, "--role", "owner", "--name", "Ann", "--json").json()
    assert list(made) == ["id", "email", "organization", "role", "link"]
    assert made["link"].startswith("http://127.0.0.1:8080/console/link?token=")
    (user,) = listed(bonafide).values()
    assert (user["id"], user["name"], user["hasPassword"], user["isDisabled"]) == (made["id"], "Ann", False, False)
    assert [(place["organization"], place["world"], place["role"]) for place in user["memberships"]] == [
        ("North", "live", "owner"),
        ("North", "sandbox", "owner"),
    ]


def test_a_password_is_read_from_a_pipe(bonafide: Command) -> None:
    made = bonafide(*CREATE, "--password-stdin", "--json", stdin=PASSWORD).json()
    assert made["link"] is None
    assert listed(bonafide)[ANN]["hasPassword"]


@pytest.mark.parametrize(
    ("piped", "sentence"), [(b"short\n", "at least 12 characters"), (b"", "at least 12"), (b"password1234\n", "too common")]
)
def test_a_bad_password_makes_nobody(bonafide: Command, piped: bytes, sentence: str) -> None:
    found = bonafide(*CREATE, "--password-stdin", stdin=piped)
    assert found.status == 1
    assert sentence in found.said
    assert listed(bonafide) == {}


def test_no_command_takes_a_password_as_an_argument(bonafide: Command) -> None:
    assert bonafide(*CREATE, "--password", "seventeen quiet otters").status == 2


def test_a_user_of_the_sandbox_is_of_that_alone(bonafide: Command) -> None:
    bonafide(*CREATE, "--test")
    assert [place["world"] for place in listed(bonafide)[ANN]["memberships"]] == ["sandbox"]


def test_a_person_reads_the_link_on_a_line_of_its_own(bonafide: Command) -> None:
    first, link, note = bonafide(*CREATE).out.splitlines()
    assert first == f"{ANN} is a member of North (analyst)."
    assert link.startswith("http://127.0.0.1:8080/console/link?token=")
    assert "works once" in note


def test_another_organization_gets_the_same_person(bonafide: Command) -> None:
    bonafide(*CREATE, "--password-stdin", stdin=PASSWORD)
    found = bonafide(
        "users", "create", "--organization", "South", "--email", "ANN@north.example", "--role", "viewer", "--json"
    ).json()
    assert found["link"] is None
    assert {place["organization"] for place in listed(bonafide)[ANN]["memberships"]} == {"North", "South"}
    assert listed(bonafide, "--organization", "South").keys() == {ANN}
    assert listed(bonafide, "--organization", "West") == {}


def test_a_link_is_made_anew_each_time(bonafide: Command) -> None:
    bonafide(*CREATE)
    links = {bonafide("users", "link", ANN, "--json").json()["link"] for _ in range(2)}
    assert len(links) == 2


def test_a_role_is_changed(bonafide: Command) -> None:
    bonafide(*CREATE, "--role", "owner")
    bonafide("users", "create", "--organization", "North", "--email", "ben@north.example")
    told = bonafide("users", "role", "ben@north.example", "viewer", "--organization", "North").out
    assert told == "ben@north.example: North (live, viewer), North (sandbox, viewer); no password\n"
    refused = bonafide("users", "role", ANN, "viewer", "--organization", "North")
    assert (refused.status, refused.said) == (1, "bonafide: An organization needs an owner. Make another member an owner first.")


def test_a_user_is_disabled_and_enabled_again(bonafide: Command) -> None:
    bonafide(*CREATE, "--password-stdin", stdin=PASSWORD)
    assert "disabled on 2" in bonafide("users", "disable", ANN).out
    assert listed(bonafide)[ANN]["isDisabled"]
    assert "disabled" in bonafide("users", "list").out
    assert bonafide("users", "link", ANN).said == "bonafide: This user is disabled. Enable the user first."
    assert bonafide("users", "enable", ANN, "--json").json()["isDisabled"] is False


def test_who_somebody_is_at_the_provider_is_forgotten(bonafide: Command) -> None:
    bonafide(*CREATE)
    assert bonafide("users", "unbind", ANN).out.startswith(f"{ANN}: North")


@pytest.mark.parametrize(
    "words", [("link",), ("disable",), ("enable",), ("unbind",), ("role", "viewer", "--organization", "North")]
)
def test_who_is_not_known_is_said_to_be_so(bonafide: Command, words: tuple[str, ...]) -> None:
    found = bonafide("users", words[0], "nobody@north.example", *words[1:])
    assert (found.status, found.out, found.said) == (1, "", "bonafide: There is no user with this email address.")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--organization", "North", "--email", "ann"), "--email: "),
        (("--organization", " ", "--email", ANN), "--organization: "),
        (("--organization", "North", "--email", ANN, "--role", "king"), "--role"),
        (("--organization", "North"), "Missing option '--email'"),
    ],
)
def test_what_can_not_be_done_is_refused_with_the_reason(bonafide: Command, words: tuple[str, ...], sentence: str) -> None:
    found = bonafide("users", "create", *words)
    assert found.status == 2
    assert sentence in found.said


def test_what_was_changed_is_in_the_trail(bonafide: Command) -> None:
    bonafide(*CREATE)
    (live, sandbox) = sorted(bonafide("audit", "verify", "--json").json(), key=lambda trail: trail["world"])
    assert (live["whole"], sandbox["whole"]) == (True, True)
    assert live["noted"].startswith("1:")


def test_names_that_look_like_markup_are_shown_as_they_are(bonafide: Command) -> None:
    bonafide("users", "create", "--organization", "[bold]North[/]", "--email", ANN, "--name", "[red]x")
    shown = bonafide("users", "list").out
    assert "[red]x" in shown
    assert "[bold]North[/]" in shown
