"""`bonafide businesses`: import and export the business records of an organization.

A line of JSON is the body of `POST /businesses`. CSV has the same columns and rules as in the console.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, BinaryIO

import typer
from pydantic import ValidationError
from rich.markup import escape

from bonafide.cli.command_runtime import build_operator_author, run_with_runtime
from bonafide.cli.loading import show_progress
from bonafide.cli.options import AsJson, DataDir, print_json
from bonafide.cli.output import STANDARD_STREAM, err, open_destination, open_source, out
from bonafide.cli.translation import localize, localize_choice
from bonafide.errors import ApiError
from bonafide.i18n.message import Message
from bonafide.model.accounts.organizations import World
from bonafide.model.records.business_input import BusinessUpsert
from bonafide.model.validation_messages import describe_validation_error
from bonafide.runtime import Runtime
from bonafide.services.accounts.organizations import find_organization
from bonafide.services.records.business_records import RecordEdit, UpsertResult, apply_edits
from bonafide.services.records.csv_format import CsvLayout, export_records, format_problems
from bonafide.services.records.csv_import import ImportAction, ImportReport, apply_import, preview_import
from bonafide.services.records.csv_reader import DELIMITERS, read_records
from bonafide.services.records.pending_imports import format_refusals_file
from bonafide.store.records.businesses import RecordFilter

app = typer.Typer(help=Message("Import and export the business records of an organization."), no_args_is_help=True)
BATCH_SIZE = 100
"""Lines in one transaction, which blocks the organization's other writers."""
MAX_LINE_BYTES = 1024 * 1024
_OUTCOMES = {
    "created": ImportAction.NEW,
    "changed": ImportAction.CHANGED,
    "unchanged": ImportAction.UNCHANGED,
    "refused": ImportAction.REFUSED,
}
"""The result of a row by its name in the output."""
_LABELS = {
    "created": Message("created"),
    "changed": Message("changed"),
    "unchanged": Message("unchanged"),
    "refused": Message("rejected"),
}
SourceFile = Annotated[
    Path,
    typer.Argument(
        metavar="FILE",
        help=Message("JSON lines with a business record each, or CSV (a name that ends in .csv); `-` for standard input."),
    ),
]
DestinationFile = Annotated[Path, typer.Argument(metavar="FILE", help=Message("The file to write; standard output by default."))]
OrganizationOption = Annotated[str, typer.Option("--organization", help=Message("The organization."))]
TestOption = Annotated[bool, typer.Option("--test", help=Message("Use its sandbox organization."))]


@dataclass(frozen=True, slots=True)
class CsvImportOptions:
    """A file to import. `refused` is the file for rejected rows, if any. A dry run changes nothing."""

    source: Path
    clear_empty: bool
    dry_run: bool
    refused: Path | None


@dataclass(slots=True)
class JsonLinesImport:
    """The result of the lines: counts of created, changed, unchanged and rejected ones, with the reasons."""

    counts: Counter[str] = field(default_factory=Counter)
    refused: list[dict[str, Any]] = field(default_factory=list)

    def refuse(self, line: int, reason: Message) -> None:
        """Record a rejected line."""
        self.counts["refused"] += 1
        self.refused.append({"line": line, "reason": reason})

    def take(self, line: int, outcome: UpsertResult | ApiError) -> None:
        """Record the result of a line."""
        if isinstance(outcome, ApiError):
            self.refuse(line, outcome.message)
        else:
            self.counts["created" if outcome.created else "changed" if outcome.changed else "unchanged"] += 1


@app.command("import")
def import_records(
    source: SourceFile,
    organization: OrganizationOption,
    test: TestOption = False,
    as_csv: Annotated[bool, typer.Option("--csv", help=Message("Read the file as CSV, regardless of its name."))] = False,
    clear_empty: Annotated[
        bool, typer.Option(help=Message("CSV: an empty cell clears the field instead of leaving it unchanged."))
    ] = False,
    dry_run: Annotated[bool, typer.Option(help=Message("CSV: preview the result and change nothing."))] = False,
    refused: Annotated[Path | None, typer.Option(help=Message("CSV: write rejected rows with the reasons to this file."))] = None,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Create or update a record for each line. Rejected lines are reported; the others are imported.

    The exit status is 1 if a line was rejected.
    """
    world = World.SANDBOX if test else World.LIVE
    if as_csv or source.suffix.lower() == ".csv":
        order = CsvImportOptions(source, clear_empty, dry_run, refused)
        outcome = run_with_runtime(data_dir, lambda runtime: _import_csv(runtime, organization, world, order))
        refusals: list[dict[str, Any]] = [
            {"line": row.line, "reason": format_problems(row.problems)} for row in outcome.rows[ImportAction.REFUSED]
        ]
        _print_outcome({name: outcome.counts[action] for name, action in _OUTCOMES.items()}, refusals, as_json=as_json)
    elif clear_empty or dry_run or refused is not None:
        raise typer.BadParameter(
            localize(Message("--clear-empty, --dry-run and --refused require CSV. Pass --csv or a file whose name ends in .csv."))
        )
    else:
        imported = run_with_runtime(data_dir, lambda runtime: _import_json_lines(runtime, organization, world, source))
        _print_outcome({name: imported.counts[name] for name in _OUTCOMES}, imported.refused, as_json=as_json)


@app.command("export")
def export_to_csv(
    organization: OrganizationOption,
    destination: DestinationFile = STANDARD_STREAM,
    test: TestOption = False,
    delimiter: Annotated[str, typer.Option(help=Message("The delimiter: a comma, or a semicolon for French spreadsheets."))] = ",",
    bom: Annotated[bool, typer.Option("--bom", help=Message("Start with a byte order mark, for Excel."))] = False,
    data_dir: DataDir = None,
) -> None:
    """Export all records as CSV, including archived ones. The import command can read the file."""
    if delimiter not in DELIMITERS:
        raise typer.BadParameter(localize(Message("must be a comma or a semicolon")), param_hint="--delimiter")
    world, layout = World.SANDBOX if test else World.LIVE, CsvLayout(delimiter, is_marked=bom)
    run_with_runtime(data_dir, lambda runtime: _export_csv(runtime, organization, world, destination, layout))


def _print_outcome(counts: dict[str, int], refusals: list[dict[str, Any]], *, as_json: bool) -> None:
    """Print the result of the lines. Ends with status 1 if some were rejected."""
    if as_json:
        print_json({**counts, "refusals": refusals})
    else:
        for row in refusals:
            line = localize(Message("line {line}:", line=str(row["line"])))
            err.print(f"[red]{line}[/] {escape(localize(row['reason']))}", highlight=False, soft_wrap=True)
        out.print(", ".join(f"{count:,} {localize_choice(name, _LABELS)}" for name, count in counts.items()), highlight=False)
    if refusals:
        raise typer.Exit(1)


async def _import_csv(runtime: Runtime, name: str, world: World, order: CsvImportOptions) -> ImportReport:
    """Import the file, or preview the import. Raises `ValidationFailed` for a file without a usable header."""
    organization = await find_organization(runtime, name, world)
    with open_source(order.source) as stream, show_progress("import") as report:
        file = read_records(stream, clear_empty=order.clear_empty)
        if order.dry_run:
            imported = await preview_import(runtime, organization.id, file.rows, shown=0)
        else:
            author = build_operator_author()
            imported = await apply_import(
                runtime, organization.id, file.rows, author, on_progress=lambda done: report("records", done, None)
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
    with open_source(source) as stream, show_progress("import") as report:
        lines = _parse_lines(stream, imported)
        while part := list(islice(lines, BATCH_SIZE)):
            edits = [RecordEdit(request) for _, request in part]
            outcomes = await apply_edits(runtime, organization.id, edits, build_operator_author())
            for (line, _), outcome in zip(part, outcomes, strict=True):
                imported.take(line, outcome)
            report("records", imported.counts.total(), None)
    return imported


def _parse_lines(stream: BinaryIO, imported: JsonLinesImport) -> Iterator[tuple[int, BusinessUpsert]]:
    """The records with their line numbers. Lines that are not records are rejected."""
    for number, line in _read_lines(stream):
        if len(line) > MAX_LINE_BYTES:
            imported.refuse(number, Message("is longer than {limit:,} bytes", limit=MAX_LINE_BYTES))
            continue
        try:
            yield number, BusinessUpsert.model_validate_json(line)
        except ValidationError as error:
            problem = error.errors()[0]
            path, sentence = ".".join(map(str, problem["loc"])), describe_validation_error(problem)
            imported.refuse(number, Message("{path}: {problem}", path=path, problem=sentence) if path else sentence)


def _read_lines(stream: BinaryIO) -> Iterable[tuple[int, bytes]]:
    """Lines that are not empty, truncated to the maximum length."""
    number = 0
    while line := stream.readline(MAX_LINE_BYTES + 1):
        number += 1
        rest = line
        while not rest.endswith(b"\n") and len(rest) > MAX_LINE_BYTES:
            rest = stream.readline(MAX_LINE_BYTES + 1)
        if line.strip():
            yield number, line
