"""`bonafide batch`: search, verify or screen the rows of a file on this machine, without a service."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from pydantic import ValidationError
from rich.markup import escape
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeRemainingColumn

from bonafide.cli.command_runtime import get_first_problem, load_settings
from bonafide.cli.options import AsJson, DataDir, Sandbox, print_json
from bonafide.cli.output import err
from bonafide.cli.translation import get_language, localize
from bonafide.concurrency.executors import count_processors
from bonafide.i18n.message import Message, join_values, plural_message
from bonafide.model.accounts.organizations import World
from bonafide.model.batches.batch import BatchFormat, BatchKind, BatchMapping, BatchParameters
from bonafide.observability import log
from bonafide.services.batches.local import LocalBatch, LocalSummary, OnRows, run_local_batch
from bonafide.services.batches.row_files import guess_format

_UNKNOWN_FORMAT = Message("The name of {file} has no known ending. Pass {option}.")


def batch(
    source: Annotated[Path, typer.Argument(metavar="FILE", help=Message("JSON lines, CSV with a header, XLSX or Parquet."))],
    kind: Annotated[BatchKind, typer.Option(help=Message("What is done with each row."))],
    out: Annotated[Path, typer.Option(help=Message("The file for the results: .jsonl, .csv, .xlsx or .parquet."))],
    input_format: Annotated[
        BatchFormat | None, typer.Option("--format", help=Message("The format of the file; that of its name by default."))
    ] = None,
    columns: Annotated[
        list[str] | None,
        typer.Option("--map", metavar="FIELD=COLUMN", help=Message("The column of a field, such as name=Company. Repeatable.")),
    ] = None,
    threshold: Annotated[float, typer.Option(min=0.5, max=1.0, help=Message("Lowest score of a match."))] = 0.85,
    limit: Annotated[int, typer.Option(min=1, max=10, help=Message("Maximum number of matches per row."))] = 3,
    jurisdiction: Annotated[
        list[str] | None, typer.Option("--jurisdiction", "-j", help=Message("Search only this register; repeatable."))
    ] = None,
    processes: Annotated[
        int, typer.Option(min=1, max=1024, help=Message("Number of processes; one per core by default."))
    ] = count_processors(),
    cluster: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help=Message("Do the rows on the nodes of a Dask cluster, such as tcp://scheduler:8786.")),
    ] = None,
    sandbox: Sandbox = False,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Search, verify or screen the rows of a file.

    Rows are compared with loaded data; live registers are not queried. If the command is interrupted, run it again: it continues
    with the rows that are left. The exit status is 1 if a row has an error.
    """
    log.configure("ERROR")
    wanted = LocalBatch(
        settings=load_settings(data_dir),
        world=World.SANDBOX if sandbox else World.LIVE,
        kind=kind,
        source=source,
        format=_choose_format(source, input_format, "--format"),
        destination=out,
        result_format=_choose_format(out, None, "--out"),
        mapping=_parse_mapping(columns),
        parameters=_parse_parameters(threshold, limit, jurisdiction),
        language=get_language(),
        processes=processes,
        cluster=cluster,
    )
    if not source.is_file():
        raise typer.BadParameter(localize(Message("{file} is not a file.", file=str(source))))
    with _show_progress() as on_rows:
        summary = run_local_batch(wanted, on_rows)
    _print_summary(summary, as_json=as_json)


def _choose_format(path: Path, chosen: BatchFormat | None, option: str) -> BatchFormat:
    found = chosen if chosen is not None else guess_format(path.name)
    if found is None:
        raise typer.BadParameter(localize(_UNKNOWN_FORMAT.fill(file=path.name, option=option)))
    return found


def _parse_mapping(columns: list[str] | None) -> BatchMapping:
    pairs = [text.partition("=") for text in columns or ()]
    known = [str(field.alias) for field in BatchMapping.model_fields.values()]
    unknown = next((field for field, _, _ in pairs if field not in known), None)
    if unknown is not None:
        problem = Message("“{field}” is not a field. The fields are {fields}.", field=unknown, fields=join_values(known))
        raise typer.BadParameter(localize(problem))
    try:
        return BatchMapping.model_validate({field: column for field, _, column in pairs})
    except ValidationError as error:
        raise typer.BadParameter(get_first_problem(error)) from error


def _parse_parameters(threshold: float, limit: int, jurisdictions: list[str] | None) -> BatchParameters:
    try:
        return BatchParameters.model_validate({"threshold": threshold, "limit": limit, "jurisdictions": jurisdictions or None})
    except ValidationError as error:
        raise typer.BadParameter(get_first_problem(error)) from error


@contextmanager
def _show_progress() -> Iterator[OnRows]:
    """A bar on a terminal with the rows that are done, their rate and the time that is left; nothing elsewhere."""
    columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as bar:
        task = bar.add_task("")

        def report(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total)
            # Of the rows that this process has done, as the time that is left.
            rate = bar.tasks[0].speed or 0.0
            text = localize(Message("{rows:,} rows, {rate:,.0f} rows per second", rows=done, rate=rate))
            bar.update(task, description=text)

        yield report


def _print_summary(summary: LocalSummary, *, as_json: bool) -> None:
    if as_json:
        coverage = [one.model_dump(mode="json", by_alias=True) for one in summary.coverage]
        errors = [asdict(error) for error in summary.first_errors]
        counts = {"rows": summary.rows, "resumed": summary.resumed, "statuses": dict(summary.statuses)}
        print_json({**counts, "coverage": coverage, "firstErrors": errors})
    else:
        listed = ", ".join(f"{count:,} {status}" for status, count in sorted(summary.statuses.items()))
        total = localize(plural_message("{n:,} row", "{n:,} rows", summary.rows))
        err.print(f"{total}: {escape(listed)}", highlight=False, soft_wrap=True)
        missing = ", ".join(one.source for one in summary.coverage if one.not_checked)
        if missing:
            problem = localize(Message("Not checked for all rows: {sources}.", sources=missing))
            err.print(f"[yellow]{escape(problem)}[/]", highlight=False, soft_wrap=True)
        _print_errors(summary)
    if summary.errors:
        raise typer.Exit(1)


def _print_errors(summary: LocalSummary) -> None:
    for error in summary.first_errors:
        text = localize(Message("Line {line:,}: {reason}", line=error.line, reason=error.reason))
        err.print(f"[red]{escape(text)}[/]", highlight=False, soft_wrap=True)
    more = summary.errors - len(summary.first_errors)
    if more:
        text = plural_message("{n:,} more row with an error, in the results.", "{n:,} more rows with errors, in the results.", more)
        err.print(escape(localize(text)), highlight=False, soft_wrap=True)
