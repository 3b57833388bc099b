"""Every command explains itself."""

import pytest
import typer.main
from cli_samples import Command
from typer.core import TyperGroup

from bonafide.cli import app


def _paths(group: TyperGroup, *above: str) -> list[tuple[str, ...]]:
    paths = []
    for name, command in group.commands.items():
        paths += _paths(command, *above, name) if isinstance(command, TyperGroup) else [(*above, name)]
    return paths


def _root() -> TyperGroup:
    root = typer.main.get_command(app)
    assert isinstance(root, TyperGroup)
    return root


PATHS = _paths(_root())


def test_the_commands_are_those_of_the_contract() -> None:
    assert {path[0] for path in PATHS} == {
        *("search", "verify", "screen", "compare", "sync", "sources", "keys", "users"),
        *("serve", "worker", "migrate", "demo", "sandbox", "bench", "settings", "audit", "businesses"),
        *("backup", "restore"),
    }
    assert {path[1] for path in PATHS if path[0] == "keys"} == {"create", "list", "revoke", "rotate", "set"}
    assert {path[1] for path in PATHS if path[0] == "users"} == {"create", "list", "link", "role", "disable", "enable", "unbind"}


@pytest.mark.parametrize("path", PATHS, ids=" ".join)
def test_a_command_says_how_it_is_used(bonafide: Command, path: tuple[str, ...]) -> None:
    found = bonafide(*path, "--help")
    assert found.status == 0
    assert f"Usage: bonafide {' '.join(path)}" in found.out
    assert "--data-dir" in found.out


def test_without_a_command_the_commands_are_listed(bonafide: Command) -> None:
    found = bonafide()
    assert found.status == 2
    assert "screen" in found.out + found.err


def test_an_unknown_command_is_wrong_usage(bonafide: Command) -> None:
    found = bonafide("verifyy")
    assert found.status == 2
    assert "No such command 'verifyy'" in found.said
