"""The command line: each command parses its options, calls one service and renders what comes back.

Everything is readable for a person and, with `--json`, for a program. No command holds a rule of the business.
"""

import sys
from importlib.metadata import entry_points
from typing import NoReturn

import typer
from rich.markup import escape

from bonafide.cli import audit, backup, businesses, keys, loading, lookup, settings, users, verify
from bonafide.cli.options import err
from bonafide.cli.serving import commands as serving
from bonafide.errors import BonafideError

app = typer.Typer(
    name="bonafide",
    help="Find out whether a Canadian business is who it says it is.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)
lookup.register(app)
verify.register(app)
loading.register(app)
serving.register(app)
backup.register(app)
app.add_typer(keys.app, name="keys")
app.add_typer(users.app, name="users")
app.add_typer(businesses.app, name="businesses")
app.add_typer(settings.app, name="settings")
app.add_typer(audit.app, name="audit")
for _entry_point in sorted(entry_points(group="bonafide.commands"), key=lambda found: found.name):
    _entry_point.load()(app)


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
    """End the process with this one sentence."""
    err.print(f"[bold red]bonafide:[/] {escape(sentence)}", highlight=False, soft_wrap=True)
    sys.exit(1)
