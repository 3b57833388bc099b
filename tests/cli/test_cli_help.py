"""Every command explains itself."""

import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.core import TyperCommand, TyperGroup

from bonafide import __version__
from bonafide.cli import app
from bonafide.cli.command_table import CommandTable, get_first_paragraph
from bonafide.cli.examples import EXAMPLES
from tests.support.cli_commands import Command


def _paths(group: TyperGroup, *above: str) -> list[tuple[str, ...]]:
    paths = []
    for name, command in group.commands.items():
        paths += _paths(command, *above, name) if isinstance(command, TyperGroup) else [(*above, name)]
    return paths


PATHS = _paths(app)


def test_the_commands_are_those_of_the_contract() -> None:
    assert {path[0] for path in PATHS} == {
        *("search", "verify", "screen", "batch", "compare", "sync", "sources", "keys", "users", "export"),
        *("serve", "mcp", "worker", "migrate", "demo", "sandbox", "bench", "settings", "audit", "businesses"),
        *("backup", "restore", "ownership", "events", "mail", "webhooks", "monitor", "scim", "risk", "retention"),
    }
    assert {path[1] for path in PATHS if path[0] == "keys"} == {"create", "list", "revoke", "rotate", "set"}
    assert {path[1] for path in PATHS if path[0] == "webhooks"} == {
        *("list", "add", "rotate", "pause", "resume", "remove", "test", "deliveries", "replay", "listen")
    }
    assert {path[1] for path in PATHS if path[0] == "users"} == {"create", "list", "link", "role", "disable", "enable", "unbind"}


WITHOUT_DATA = {("bench", "fit"), ("bench", "monitor"), ("bench", "ownership")}
"""The commands that read no data directory."""


@pytest.mark.parametrize("path", PATHS, ids=" ".join)
def test_a_command_says_how_it_is_used(bonafide: Command, path: tuple[str, ...]) -> None:
    found = bonafide(*path, "--help")
    assert found.status == 0
    assert f"Usage: bonafide {' '.join(path)}" in found.out
    assert ("--data-dir" in found.out) == (path not in WITHOUT_DATA)


@pytest.mark.parametrize("path", [path for path in PATHS if path[0] not in {"bench", "demo", "sandbox"}], ids=" ".join)
def test_the_help_of_a_command_ends_with_examples_that_it_accepts(bonafide: Command, path: tuple[str, ...]) -> None:
    command: TyperCommand | TyperGroup = app
    for name in path:
        assert isinstance(command, TyperGroup)
        found = command.commands[name]
        assert isinstance(found, TyperCommand | TyperGroup)
        command = found
    usage = next(line for line in bonafide(*path, "--help").out.splitlines() if line.startswith("Usage:"))
    assert "{" not in usage
    assert "[[" not in usage
    for example in EXAMPLES[" ".join(path)]:
        assert example in bonafide(*path, "--help").out
        words = shlex.split(example.partition(" > ")[0])
        assert words[1 : len(path) + 1] == list(path)
        command.make_context(" ".join(path), words[len(path) + 1 :]).close()


def test_the_version_is_shown(bonafide: Command) -> None:
    assert bonafide("--version").out == f"bonafide {__version__}\n"


def test_without_a_command_the_commands_are_listed(bonafide: Command) -> None:
    found = bonafide()
    assert found.status == 2
    assert "screen" in found.out + found.err


def test_an_unknown_command_is_wrong_usage(bonafide: Command) -> None:
    found = bonafide("verifyy")
    assert found.status == 2
    assert "No such command 'verifyy'" in found.said


def _tables(group: TyperGroup) -> Iterator[CommandTable]:
    if isinstance(group.commands, CommandTable):
        yield group.commands
    for command in group.commands.values():
        if isinstance(command, TyperGroup):
            yield from _tables(command)


def test_the_line_of_a_command_in_the_list_is_the_first_paragraph_of_its_own_help() -> None:
    tables = list(_tables(app))
    assert len(tables) == 3  # the commands, and those of `bench` and `sandbox`
    for table in tables:
        assert {name: table.get_help(name) for name in table} == {
            name: get_first_paragraph(command.help) for name, command in table.items()
        }


def test_a_package_that_is_described_but_not_installed_adds_no_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    described = tmp_path / "gone-1.0.dist-info"
    described.mkdir()
    (described / "METADATA").write_text("Metadata-Version: 2.1\nName: gone\nVersion: 1.0\n", encoding="utf-8")
    (described / "entry_points.txt").write_text("[bonafide.tests]\ngone = bonafide_gone:COMMANDS\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    assert dict(CommandTable({}, "bonafide.tests")) == {}


def test_a_package_that_fails_to_import_is_not_left_out_silently(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    described = tmp_path / "broken-1.0.dist-info"
    described.mkdir()
    (described / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 1.0\n", encoding="utf-8")
    (described / "entry_points.txt").write_text("[bonafide.tests]\nbroken = bonafide_broken:COMMANDS\n", encoding="utf-8")
    (tmp_path / "bonafide_broken.py").write_text("import bonafide_needs_this\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ModuleNotFoundError, match="bonafide_needs_this"):
        len(CommandTable({}, "bonafide.tests"))
