"""`bonafide businesses`: bring an organization's business records in from a file, and write them to one.

A line of JSON is the body of `POST /businesses`; CSV has the same columns and the same rules as in the console.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Annotated, BinaryIO

import typer
from pydantic import ValidationError
from rich.markup import escape

from bonafide.cli.command_runtime import build_operator_author, run_with_runtime
from bonafide.cli.loading import show_progress
from bonafide.cli.options import AsJson, DataDir, print_json
from bonafide.cli.output import STANDARD_STREAM, err, open_destination, open_source, out
from bonafide.errors import ApiError
from bonafide.model.accounts.organizations import World
from bonafide.model.records.business_input import BusinessUpsert
from bonafide.runtime import Runtime
from bonafide.services.accounts.organizations import find_organization
from bonafide.services.records.business_records import RecordEdit, UpsertResult, apply_edits
from bonafide.services.records.csv_format import CsvLayout, export_records, format_problems
from bonafide.services.records.csv_import import ImportAction, ImportReport, apply_import, preview_import
from bonafide.services.records.csv_reader import DELIMITERS, read_records
from bonafide.services.records.pending_imports import format_refusals_file
from bonafide.store.records.businesses import RecordFilter

app = typer.Typer(help="The business records of an organization.", no_args_is_help=True)
BATCH_SIZE = 100
"""Lines in one transaction: the organization's other writers wait for all of them."""
MAX_LINE_BYTES = 1024 * 1024
_OUTCOMES = {
    "created": ImportAction.NEW,
    "changed": ImportAction.CHANGED,
    "unchanged": ImportAction.UNCHANGED,
    "refused": ImportAction.REFUSED,
}
"""What the command calls what became of a row."""
SourceFile = Annotated[
    Path,
    typer.Argument(
        metavar="FILE", help="JSON lines, each a business record, or CSV (a name ending in .csv); `-` for standard input."
    ),
]
DestinationFile = Annotated[Path, typer.Argument(metavar="[FILE]", help="Where to write; standard output by default.")]
OrganizationOption = Annotated[str, typer.Option("--organization", help="Whose records.")]
TestOption = Annotated[bool, typer.Option("--test", help="Those of its test keys.")]


@dataclass(frozen=True, slots=True)
class CsvImportOptions:
    """A file to bring in. `refused` is where the refused rows are written, if anywhere; a dry run changes nothing."""

    source: Path
    clear_empty: bool
    dry_run: bool
    refused: Path | None


@dataclass(slots=True)
class JsonLinesImport:
    """What became of the lines: how many were created, changed, unchanged and refused, and why each of the last."""

    counts: Counter[str] = field(default_factory=Counter)
    refused: list[dict[str, object]] = field(default_factory=list)

    def refuse(self, line: int, reason: str) -> None:
        """A line that changed nothing."""
        self.counts["refused"] += 1
        self.refused.append({"line": line, "reason": reason})

    def take(self, line: int, outcome: UpsertResult | ApiError) -> None:
        """What the service made of a line."""
        if isinstance(outcome, ApiError):
            self.refuse(line, outcome.message)
        else:
            self.counts["created" if outcome.created else "changed" if outcome.changed else "unchanged"] += 1


@app.command("import")
def import_records(
    source: SourceFile,
    organization: OrganizationOption,
    test: TestOption = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="The file is CSV, whatever its name.")] = False,
    clear_empty: Annotated[bool, typer.Option(help="CSV: an empty cell empties the field; else it leaves it as it is.")] = False,
    dry_run: Annotated[bool, typer.Option(help="CSV: only tell what would become of each row.")] = False,
    refused: Annotated[Path | None, typer.Option(help="CSV: write the refused rows to this file, with the reasons.")] = None,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Create or change a record for each line. A line that is refused is told and changes nothing; the others stand."""
    world = World.SANDBOX if test else World.LIVE
    if as_csv or source.suffix.lower() == ".csv":
        order = CsvImportOptions(source, clear_empty, dry_run, refused)
        outcome = run_with_runtime(data_dir, lambda runtime: _import_csv(runtime, organization, world, order))
        refusals: list[dict[str, object]] = [
            {"line": row.line, "reason": format_problems(row.problems)} for row in outcome.rows[ImportAction.REFUSED]
        ]
        _print_outcome({name: outcome.counts[action] for name, action in _OUTCOMES.items()}, refusals, as_json=as_json)
    elif clear_empty or dry_run or refused is not None:
        raise typer.BadParameter("--clear-empty, --dry-run and --refused are for CSV: give --csv or a file named .csv")
    else:
        imported = run_with_runtime(data_dir, lambda runtime: _import_json_lines(runtime, organization, world, source))
        _print_outcome({name: imported.counts[name] for name in _OUTCOMES}, imported.refused, as_json=as_json)


@app.command("export")
def export_to_csv(
    organization: OrganizationOption,
    destination: DestinationFile = STANDARD_STREAM,
    test: TestOption = False,
    delimiter: Annotated[str, typer.Option(help="Between cells: a comma, or a semicolon as French spreadsheets expect.")] = ",",
    bom: Annotated[bool, typer.Option("--bom", help="Begin with a byte order mark, by which Excel knows UTF-8.")] = False,
    data_dir: DataDir = None,
) -> None:
    """Write all records as CSV, archived ones among them; `import` reads it back."""
    if delimiter not in DELIMITERS:
        raise typer.BadParameter("a comma or a semicolon is expected", param_hint="--delimiter")
    world, layout = World.SANDBOX if test else World.LIVE, CsvLayout(delimiter, is_marked=bom)
    run_with_runtime(data_dir, lambda runtime: _export_csv(runtime, organization, world, destination, layout))


def _print_outcome(counts: dict[str, int], refusals: list[dict[str, object]], *, as_json: bool) -> None:
    """What became of the lines; status 1 where some were refused."""
    if as_json:
        print_json({**counts, "refusals": refusals})
    else:
        for row in refusals:
            err.print(f"[red]line {row['line']}:[/] {escape(str(row['reason']))}", highlight=False, soft_wrap=True)
        out.print(", ".join(f"{count:,} {name}" for name, count in counts.items()), highlight=False)
    if refusals:
        raise typer.Exit(1)


async def _import_csv(runtime: Runtime, name: str, world: World, order: CsvImportOptions) -> ImportReport:
    """Bring the file in, or foresee what would become of it. Raises `ValidationFailed` for one without a usable header."""
    organization = await find_organization(runtime, name, world)
    with open_source(order.source) as stream, show_progress("import") as told:
        file = read_records(stream, clear_empty=order.clear_empty)
        if order.dry_run:
            imported = await preview_import(runtime, organization.id, file.rows, shown=0)
        else:
            author = build_operator_author()
            imported = await apply_import(
                runtime, organization.id, file.rows, author, on_progress=lambda done: told("records", done, None)
            )
    refused = imported.rows[ImportAction.REFUSED]
    if order.refused is not None and refused:
        order.refused.write_bytes(format_refusals_file(file.columns, refused, ","))
    return imported


async def _export_csv(runtime: Runtime, name: str, world: World, destination: Path, layout: CsvLayout) -> None:
    organization = await find_organization(runtime, name, world)
    with open_destination(destination) as stream:
        async for piece in export_records(runtime, organization.id, RecordFilter(), layout):
            stream.write(piece)


async def _import_json_lines(runtime: Runtime, name: str, world: World, source: Path) -> JsonLinesImport:
    organization = await find_organization(runtime, name, world)
    imported = JsonLinesImport()
    with open_source(source) as stream, show_progress("import") as told:
        lines = _parse_lines(stream, imported)
        while part := list(islice(lines, BATCH_SIZE)):
            edits = [RecordEdit(request) for _, request in part]
            outcomes = await apply_edits(runtime, organization.id, edits, build_operator_author())
            for (line, _), outcome in zip(part, outcomes, strict=True):
                imported.take(line, outcome)
            told("records", imported.counts.total(), None)
    return imported


def _parse_lines(stream: BinaryIO, imported: JsonLinesImport) -> Iterator[tuple[int, BusinessUpsert]]:
    """The records with their lines; what is no record is refused."""
    for number, line in _read_lines(stream):
        if len(line) > MAX_LINE_BYTES:
            imported.refuse(number, f"is longer than {MAX_LINE_BYTES:,} bytes")
            continue
        try:
            yield number, BusinessUpsert.model_validate_json(line)
        except ValidationError as error:
            problem = error.errors()[0]
            place = ".".join(map(str, problem["loc"]))
            imported.refuse(number, f"{place}: {problem['msg']}" if place else problem["msg"])


def _read_lines(stream: BinaryIO) -> Iterable[tuple[int, bytes]]:
    """Lines that aren't empty, of which no more is held than may be."""
    number = 0
    while line := stream.readline(MAX_LINE_BYTES + 1):
        number += 1
        rest = line
        while not rest.endswith(b"\n") and len(rest) > MAX_LINE_BYTES:
            rest = stream.readline(MAX_LINE_BYTES + 1)
        if line.strip():
            yield number, line
