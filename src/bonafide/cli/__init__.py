"""The command line: each command parses its options, calls one service and renders what comes back.

Everything is readable for a person and, with `--json`, for a program. No command holds a rule of the business.
"""

import typer

from bonafide.cli import bench, keys, loading, lookup, serving

app = typer.Typer(
    name="bonafide",
    help="Find out whether a Canadian business is who it says it is.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)
lookup.register(app)
loading.register(app)
serving.register(app)
bench.register(app)
app.add_typer(keys.app, name="keys")


def main() -> None:
    """Run the command line."""
    app()
