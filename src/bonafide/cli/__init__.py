"""The command line: each command parses its options, calls one service and prints what it returns.

Everything is readable for a person and, with `--json`, for a program. No command holds a business rule. A command's module is
imported when the command runs (`command_table`).
"""

import sys
from typing import NoReturn

from bonafide.cli.command_table import CommandEntry, CommandTable, create_lazy_group
from bonafide.errors import BonafideError

COMMANDS = {
    "search": CommandEntry("bonafide.cli.lookup:search", "Search business registers and regulators for a name."),
    "screen": CommandEntry(
        "bonafide.cli.lookup:screen", "Screen a name, or a file of any number of names, against the sanctions lists."
    ),
    "compare": CommandEntry("bonafide.cli.compare:compare", "Show how alike two names are, and why."),
    "verify": CommandEntry(
        "bonafide.cli.verify:verify", "Verify a business's name, number, address and people against its register."
    ),
    "sync": CommandEntry(
        "bonafide.cli.loading:sync",
        "Load sources, or the classification of industries (naics): from publishers, or from files that you lawfully hold.",
    ),
    "sources": CommandEntry(
        "bonafide.cli.loading:sources", "List every source: what is loaded, how old it is, and what nobody can look up."
    ),
    "serve": CommandEntry("bonafide.cli.serving.serve:serve", "Serve the HTTP API, the console and the documentation."),
    "worker": CommandEntry(
        "bonafide.cli.serving.worker:worker",
        "Finish searches and verifications that were answered with 202, and sweep what nobody finished.",
    ),
    "migrate": CommandEntry("bonafide.cli.serving.worker:migrate", "Bring the database up to date."),
    "backup": CommandEntry(
        "bonafide.cli.backup:backup", "Back up the database, the stored files and the signing key, while the service runs."
    ),
    "restore": CommandEntry(
        "bonafide.cli.backup:restore",
        "Restore a backup into an empty database, SQLite's or PostgreSQL's, and bring it up to date. No service may run on it.",
    ),
    "keys": CommandEntry("bonafide.cli.keys:app", "Make, list, revoke, rotate and change API keys."),
    "users": CommandEntry("bonafide.cli.users:app", "Make, list, change and disable people who sign in to the console."),
    "businesses": CommandEntry("bonafide.cli.businesses:app", "The business records of an organization."),
    "settings": CommandEntry("bonafide.cli.settings:app", "Show and change what an organization's checks do by default."),
    "audit": CommandEntry("bonafide.cli.audit:app", "The trails of what was changed in records and settings."),
}
app = create_lazy_group(
    "bonafide", "Find out whether a Canadian business is who it says it is.", CommandTable(COMMANDS, "bonafide.commands")
)


def main() -> None:
    """Run the command line; a failure that is ours, or the file system's, becomes one sentence and exit status 1."""
    try:
        app(prog_name="bonafide")
    except BonafideError as error:
        fail(error.message)
    except OSError as error:
        if error.strerror is None:
            raise
        fail(f"{error.filename}: {error.strerror}" if error.filename is not None else error.strerror)


def fail(sentence: str) -> NoReturn:
    """Print this sentence to standard error and end the process with status 1."""
    from rich.markup import escape  # noqa: PLC0415 - the help needs neither

    from bonafide.cli.output import err  # noqa: PLC0415

    err.print(f"[bold red]bonafide:[/] {escape(sentence)}", highlight=False, soft_wrap=True)
    sys.exit(1)
