"""The commands by name: where each one is defined, and its line in the list of commands.

`bonafide --help` and the start of a command import no other command: importing all of them costs seconds of processor time. The
help is in the language of the locale, and ends with examples.
"""

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Annotated, Any, NamedTuple

import typer
from typer.core import TyperArgument, TyperCommand, TyperGroup, TyperOption

from bonafide.cli.examples import EXAMPLES
from bonafide.cli.translation import localize, localize_help
from bonafide.i18n.message import Message


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
        return localize(self._load_entries()[name].help)

    def _load_entries(self) -> dict[str, CommandEntry]:
        if self._entry_point_group is not None:
            from bonafide.plugins import load_entry_points  # noqa: PLC0415 - slow to import, and no built-in command needs it

            for table in load_entry_points(self._entry_point_group):
                self._entries |= {name: CommandEntry(*entry) for name, entry in table.items()}
            self._entry_point_group = None
        return self._entries


class Command(TyperCommand):
    """A command whose usage line is written as in POSIX: `NAME`, `[NAME]`, `[NAME]...`."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """The parts of the usage line."""
        return [piece.replace("{", "").replace("}", "") for piece in super().collect_usage_pieces(ctx)]


class CommandGroup(TyperGroup):
    """A group of commands whose help shows the whole first paragraph of each; with a `CommandTable` it imports none of them."""

    def format_commands(self, _ctx: typer.Context, formatter: Any) -> None:  # type: ignore[override]  # click's types are private
        """Write the list of commands."""
        with formatter.section(localize(Message("Commands"))):
            formatter.write_dl([(name, self._get_help(name)) for name in self.commands])

    def list_commands(self, _ctx: typer.Context) -> list[str]:  # type: ignore[override]  # as in `format_commands`
        """The names of the commands."""
        return list(self.commands)

    def _get_help(self, name: str) -> str:
        if isinstance(self.commands, CommandTable):
            return self.commands.get_help(name)
        return get_first_paragraph(self.commands[name].help)


def create_lazy_group(name: str, help_text: str, table: CommandTable, version: str | None = None) -> CommandGroup:
    """A group of the commands of a table, with an option `--version` if there is one."""
    options = _build_options(name, version) if version is not None else []
    return CommandGroup(
        name=name,
        help=localize(help_text),
        commands=table,  # type: ignore[arg-type]  # only read
        params=options,
        no_args_is_help=True,
        rich_markup_mode=None,
    )


def _build_options(name: str, version: str) -> list[Any]:
    """The options of the whole program, as typer makes them of a signature."""
    holder = typer.Typer(add_completion=False, rich_markup_mode=None)

    def show(is_given: bool) -> None:
        if is_given:
            typer.echo(f"{name} {version}")
            raise typer.Exit

    help_text = localize(Message("Show the version and exit."))

    @holder.callback()
    def _options(
        _version: Annotated[bool, typer.Option("--version", is_eager=True, callback=show, help=help_text)] = False,
    ) -> None:
        """Holds the options."""

    return list(typer.main.get_group(holder).params)


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
        _set_classes(found)
        holder.add_typer(found, name=name, cls=CommandGroup)
    else:
        holder.command(name, cls=Command)(found)
    command = typer.main.get_group(holder).commands[name]
    assert isinstance(command, TyperCommand | TyperGroup)  # noqa: S101 - typer makes no other kind
    _complete_help(name, command)
    return command


def _set_classes(group: typer.Typer) -> None:
    """Set the classes of the commands of a group and of the groups in it."""
    for command in group.registered_commands:
        command.cls = Command
    for nested in group.registered_groups:
        nested.cls = CommandGroup
        if nested.typer_instance is not None:
            _set_classes(nested.typer_instance)


def _complete_help(path: str, command: TyperCommand | TyperGroup) -> None:
    """Translate the help of a command and of its subcommands, and add examples."""
    command.help = localize_help(command.help or "")
    if path in EXAMPLES:
        # The backspace keeps the lines as they are.
        command.epilog = "\b\n" + "\n".join((localize(Message("Examples:")), *(f"  {line}" for line in EXAMPLES[path])))
    for parameter in command.params:
        if isinstance(parameter, TyperArgument | TyperOption) and parameter.help is not None:
            parameter.help = localize_help(parameter.help)
        if isinstance(parameter, TyperArgument) and parameter.metavar is None and parameter.name is not None:
            parameter.metavar = parameter.name.upper()
    if isinstance(command, TyperGroup):
        for name, inner in command.commands.items():
            assert isinstance(inner, TyperCommand | TyperGroup)  # noqa: S101 - as above
            _complete_help(f"{path} {name}", inner)
