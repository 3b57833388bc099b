"""Options that several commands share, and output that needs nothing else.

It is quick to import: `output` has the console, `command_runtime` the service.
"""

import json
from pathlib import Path
from typing import Annotated

import typer

DataDir = Annotated[
    Path | None,
    typer.Option("--data-dir", help="Where data is kept; BONAFIDE_DATA_DIR or ./bonafide-data by default.", show_default=False),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for a program instead of text for a person.")]
Sandbox = Annotated[bool, typer.Option("--sandbox", help="The sandbox's made-up Canada instead of the real registers.")]
Port = Annotated[int | None, typer.Option(min=1, max=65535, help="Port to listen on; BONAFIDE_PORT or 8080 by default.")]
GOOD_SCORE, FAIR_SCORE = 0.95, 0.85


def choose_score_colour(score: float) -> str:
    """The colour of a score by how good it is."""
    return "green" if score >= GOOD_SCORE else "yellow" if score >= FAIR_SCORE else "red"


def print_json(value: object) -> None:
    """One line of JSON on standard output."""
    typer.echo(json.dumps(value, ensure_ascii=False, default=str))
