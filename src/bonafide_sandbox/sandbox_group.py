"""The `bonafide sandbox` command: `bonafide sandbox FOLDER` is short for `bonafide sandbox generate FOLDER`."""

from typing import Any

import typer

from bonafide.cli.command_table import CommandEntry, CommandGroup, CommandTable

DEFAULT_COMMAND = "generate"
_COMMANDS = {
    DEFAULT_COMMAND: CommandEntry(
        "bonafide_sandbox.commands:generate", "Generate sandbox data: each source's files in its publisher's own format."
    ),
    "advance": CommandEntry(
        "bonafide_sandbox.commands:advance",
        "Let days pass in the sandbox of the demo: registers, regulators and lists change, and are loaded.",
    ),
    "reset": CommandEntry(
        "bonafide_sandbox.commands:reset", "Return the sandbox of the demo to day 0, and load what has changed since."
    ),
}


class SandboxGroup(CommandGroup):
    """A group that runs its default command if the first argument is neither a command nor `--help`."""

    def parse_args(self, ctx: typer.Context, args: list[str]) -> list[str]:  # type: ignore[override]  # click's types are private
        """Parse the arguments after the name of the group."""
        names = (*_COMMANDS, *self.get_help_option_names(ctx))
        parsed: list[str] = super().parse_args(ctx, args if not args or args[0] in names else [DEFAULT_COMMAND, *args])
        return parsed


def _create_group() -> SandboxGroup:
    commands: Any = CommandTable(_COMMANDS)  # only read
    return SandboxGroup(
        name="sandbox",
        help="Generate sandbox data, or let days pass in the sandbox of the demo.",
        commands=commands,
        no_args_is_help=True,
        rich_markup_mode=None,
    )


sandbox = _create_group()
