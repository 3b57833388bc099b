"""`bonafide businesses`: bring an organization's business records in from a file.

Each line is what `POST /businesses` takes; which record it means and what it changes is decided there.
"""

import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Annotated, BinaryIO

import typer
from pydantic import ValidationError
from rich.markup import escape

from bonafide.cli.loading import shown_progress
from bonafide.cli.options import AsJson, DataDir, err, opened, operator, out, print_json, run
from bonafide.errors import ApiError
from bonafide.model.business_input import BusinessUpsert
from bonafide.model.organization import World
from bonafide.services.businesses import Upserted, upsert_all
from bonafide.services.organizations import organization_named

app = typer.Typer(help="The business records of an organization.", no_args_is_help=True)
AT_ONCE = 100
"""Lines in one transaction: the organization's other writers wait for all of them."""
MAX_LINE_BYTES = 1024 * 1024
STANDARD_INPUT = Path("-")
Source = Annotated[Path, typer.Argument(metavar="FILE", help="JSON lines, each a business record; `-` for standard input.")]
Name = Annotated[str, typer.Option("--organization", help="Whose records.")]
Test = Annotated[bool, typer.Option("--test", help="Those of its test keys.")]


@dataclass(slots=True)
class Imported:
    """What became of the lines: how many were created, changed, unchanged and refused, and why each of the last."""

    counts: Counter[str] = field(default_factory=Counter)
    refused: list[dict[str, object]] = field(default_factory=list)

    def refuse(self, line: int, reason: str) -> None:
        """A line that changed nothing."""
        self.counts["refused"] += 1
        self.refused.append({"line": line, "reason": reason})

    def take(self, line: int, outcome: Upserted | ApiError) -> None:
        """What the service made of a line."""
        if isinstance(outcome, ApiError):
            self.refuse(line, outcome.message)
        else:
            self.counts["created" if outcome.created else "changed" if outcome.changed else "unchanged"] += 1


@app.callback()
def _group() -> None:
    """Keeps `import` a command of its own, though it is the only one."""


@app.command("import")
def import_records(
    source: Source, organization: Name, test: Test = False, data_dir: DataDir = None, as_json: AsJson = False
) -> None:
    """Create or change a record for each line. A line that is refused is told and changes nothing; the others stand."""
    imported = run(_imported(source, organization, World.SANDBOX if test else World.LIVE, data_dir))
    if as_json:
        print_json({**{name: imported.counts[name] for name in _OUTCOMES}, "refusals": imported.refused})
    else:
        for row in imported.refused:
            err.print(f"[red]line {row['line']}:[/] {escape(str(row['reason']))}", highlight=False, soft_wrap=True)
        out.print(", ".join(f"{imported.counts[name]:,} {name}" for name in _OUTCOMES), highlight=False)
    if imported.refused:
        raise typer.Exit(1)


_OUTCOMES = ("created", "changed", "unchanged", "refused")


async def _imported(source: Path, name: str, world: World, data_dir: Path | None) -> Imported:
    async with opened(data_dir) as runtime:
        organization = await organization_named(runtime, name, world)
        imported = Imported()
        with _opened(source) as stream, shown_progress("import") as told:
            lines = _lines(stream, imported)
            while part := list(islice(lines, AT_ONCE)):
                outcomes = await upsert_all(runtime, organization.id, [request for _, request in part], operator())
                for (line, _), outcome in zip(part, outcomes, strict=True):
                    imported.take(line, outcome)
                told("records", imported.counts.total(), None)
    return imported


@contextmanager
def _opened(source: Path) -> Iterator[BinaryIO]:
    if source == STANDARD_INPUT:
        yield sys.stdin.buffer
        return
    with source.open("rb") as stream:
        yield stream


def _lines(stream: BinaryIO, imported: Imported) -> Iterator[tuple[int, BusinessUpsert]]:
    """The records with their lines; what is no record is refused."""
    for number, line in _numbered(stream):
        if len(line) > MAX_LINE_BYTES:
            imported.refuse(number, f"is longer than {MAX_LINE_BYTES:,} bytes")
            continue
        try:
            yield number, BusinessUpsert.model_validate_json(line)
        except ValidationError as error:
            problem = error.errors()[0]
            place = ".".join(map(str, problem["loc"]))
            imported.refuse(number, f"{place}: {problem['msg']}" if place else problem["msg"])


def _numbered(stream: BinaryIO) -> Iterable[tuple[int, bytes]]:
    """Lines that aren't empty, of which no more is held than may be."""
    number = 0
    while line := stream.readline(MAX_LINE_BYTES + 1):
        number += 1
        rest = line
        while not rest.endswith(b"\n") and len(rest) > MAX_LINE_BYTES:
            rest = stream.readline(MAX_LINE_BYTES + 1)
        if line.strip():
            yield number, line
