"""The commands by name: where each one is defined, and its line in the list of commands.

`bonafide --help` and the start of a command import no other command: importing all of them costs seconds of processor time.
"""

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any, NamedTuple

import typer
from typer.core import TyperCommand, TyperGroup


class CommandEntry(NamedTuple):
    """A command that is imported when it runs."""

    target: str
    """`module:attribute` of a function, a `typer.Typer` or a `TyperGroup`."""
    help: str
    """The first paragraph of the command's own help."""


class CommandTable(Mapping[str, TyperCommand | TyperGroup]):
    """Commands by name, imported when they are looked up. Iterating imports nothing.

    `entry_point_group` names the entry points that add the commands of further packages. Each is a mapping from names to
    `CommandEntry` or to a tuple of the same two strings; the module that defines it should be cheap to import.
    """

    def __init__(self, entries: Mapping[str, CommandEntry], entry_point_group: str | None = None) -> None:
        self._entries = dict(entries)
        self._entry_point_group = entry_point_group

    def __getitem__(self, name: str) -> TyperCommand | TyperGroup:
        """Import a command. Raises `KeyError` for an unknown name."""
        # The entry points are read only where they are needed: scanning the installed packages takes as long as a short command.
        entry = self._entries[name] if name in self._entries else self._load_entries()[name]
        return _import_command(name, entry.target)

    def __iter__(self) -> Iterator[str]:
        """The names, those of further packages last."""
        return iter(self._load_entries())

    def __len__(self) -> int:
        return len(self._load_entries())

    def get_help(self, name: str) -> str:
        """The line of a command in the list of commands. Raises `KeyError`."""
        return self._load_entries()[name].help

    def _load_entries(self) -> dict[str, CommandEntry]:
        if self._entry_point_group is not None:
            from bonafide.plugins import load_entry_points  # noqa: PLC0415 - slow to import, and no built-in command needs it

            for table in load_entry_points(self._entry_point_group):
                self._entries |= {name: CommandEntry(*entry) for name, entry in table.items()}
            self._entry_point_group = None
        return self._entries


class CommandGroup(TyperGroup):
    """A group of commands whose help shows the whole first paragraph of each; with a `CommandTable` it imports none of them."""

    def format_commands(self, _ctx: typer.Context, formatter: Any) -> None:  # type: ignore[override]  # click's types are private
        """Write the list of commands."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, self._get_help(name)) for name in self.commands])

    def list_commands(self, _ctx: typer.Context) -> list[str]:  # type: ignore[override]  # as in `format_commands`
        """The names of the commands."""
        return list(self.commands)

    def _get_help(self, name: str) -> str:
        if isinstance(self.commands, CommandTable):
            return self.commands.get_help(name)
        return get_first_paragraph(self.commands[name].help)


def create_lazy_group(name: str, help_text: str, table: CommandTable) -> CommandGroup:
    """A group of the commands of a table."""
    return CommandGroup(name=name, help=help_text, commands=table, no_args_is_help=True, rich_markup_mode=None)  # type: ignore[arg-type]  # only read


def get_first_paragraph(help_text: str | None) -> str:
    """The first paragraph of a command's help, in one line."""
    return " ".join((help_text or "").split("\n\n")[0].split())


def _import_command(name: str, target: str) -> TyperCommand | TyperGroup:
    module, _, attribute = target.partition(":")
    found = getattr(import_module(module), attribute)
    if isinstance(found, TyperGroup):
        return found
    # Without rich: its import takes longer than most of these commands.
    holder = typer.Typer(add_completion=False, rich_markup_mode=None)
    if isinstance(found, typer.Typer):
        holder.add_typer(found, name=name, cls=CommandGroup)
    else:
        holder.command(name)(found)
    command = typer.main.get_group(holder).commands[name]
    assert isinstance(command, TyperCommand | TyperGroup)  # noqa: S101 - typer makes no other kind
    return command
