"""`bonafide export`: what an organization has stored, as a table for analysts."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from bonafide.cli.command_runtime import build_operator_author, run_with_runtime
from bonafide.cli.options import DataDir
from bonafide.cli.output import STANDARD_STREAM, err, replace_destination
from bonafide.cli.translation import localize
from bonafide.i18n.message import Message, plural_message
from bonafide.model.accounts.organizations import World
from bonafide.runtime import Runtime
from bonafide.services.accounts.organizations import find_organization
from bonafide.services.exports.recording import record_table_export
from bonafide.services.exports.table_columns import ExportedTable
from bonafide.services.exports.table_files import ExportedTableFormat, TableFileWriter
from bonafide.services.exports.table_rows import read_exported_rows


def export(
    table: Annotated[ExportedTable, typer.Argument(help=Message("What to export."))],
    organization: Annotated[str, typer.Option(help=Message("The organization."))],
    since: Annotated[
        datetime | None,
        typer.Option(formats=["%Y-%m-%d", "%Y-%m-%dT%H:%M:%S"], help=Message("Only what is from this instant (UTC) or later.")),
    ] = None,
    out: Annotated[Path, typer.Option(help=Message("The file to write; standard output by default."))] = STANDARD_STREAM,
    table_format: Annotated[
        ExportedTableFormat | None, typer.Option("--format", help=Message("The format; that of the name of the file by default."))
    ] = None,
    test: Annotated[bool, typer.Option("--test", help=Message("Use its sandbox organization."))] = False,
    data_dir: DataDir = None,
) -> None:
    """Export searches, verifications, screenings, business records or events as a table.

    The table has a column for each of the main fields, and the whole document as JSON. Rows are in the order in which they were
    stored; business records in the order of their last change. The export is recorded in the audit log of the organization.
    """
    chosen = table_format if table_format is not None else _guess_format(out)
    world = World.SANDBOX if test else World.LIVE
    instant = since.replace(tzinfo=UTC) if since is not None else None

    async def write(runtime: Runtime) -> int:
        found = await find_organization(runtime, organization, world)
        await record_table_export(runtime, found.id, table, instant, chosen, build_operator_author())
        with replace_destination(out) as file:
            writer = TableFileWriter(file, table, chosen)
            async for records in read_exported_rows(runtime, found.id, table, instant):
                writer.write(records)
            writer.finish()
        return writer.rows

    rows = run_with_runtime(data_dir, write)
    err.print(localize(plural_message("{n:,} row", "{n:,} rows", rows)), highlight=False)


def _guess_format(path: Path) -> ExportedTableFormat:
    ending = path.suffix.removeprefix(".").lower()
    found = next((one for one in ExportedTableFormat if one.value == ending), None)
    if found is None:
        raise typer.BadParameter(localize(Message("Pass --format, or a file whose name ends in .parquet, .csv or .jsonl.")))
    return found
