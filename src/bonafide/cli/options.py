"""Options that several commands share, and output that needs nothing else.

This module is quick to import: `output` has the console, `command_runtime` the service.
"""

import json
from pathlib import Path
from typing import Annotated

import typer

from bonafide.i18n.message import Message

DataDir = Annotated[
    Path | None,
    typer.Option(
        "--data-dir", help=Message("The data directory; BONAFIDE_DATA_DIR or ./bonafide-data by default."), show_default=False
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help=Message("Print JSON instead of text."))]
Sandbox = Annotated[bool, typer.Option("--sandbox", help=Message("Use the sandbox's fictitious data instead of real registers."))]
Port = Annotated[
    int | None, typer.Option(min=1, max=65535, help=Message("The port to listen on; BONAFIDE_PORT or 8080 by default."))
]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", help=Message("List every source that was checked."))]
GOOD_SCORE, FAIR_SCORE = 0.95, 0.85
FAIL_ON_STATUS = 3
"""The exit status of `--fail-on` when its condition is met."""


def choose_score_colour(score: float) -> str:
    """The colour of a score by its quality."""
    return "green" if score >= GOOD_SCORE else "yellow" if score >= FAIR_SCORE else "red"


def print_json(value: object) -> None:
    """One line of JSON on standard output."""
    typer.echo(json.dumps(value, ensure_ascii=False, default=str))
