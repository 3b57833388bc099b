"""The console that commands print to."""

import sys

from rich.console import Console

from bonafide.cli.options import choose_score_colour

PIPED_WIDTH = 160
"""The width of a line that goes into a file or another program: no terminal says how wide it is."""
out = Console(width=None if sys.stdout.isatty() else PIPED_WIDTH, emoji=False)
err = Console(stderr=True, emoji=False)


def format_score(score: float) -> str:
    """A score in rich's markup, coloured by how good it is."""
    return f"[{choose_score_colour(score)}]{score:.3f}[/]"
