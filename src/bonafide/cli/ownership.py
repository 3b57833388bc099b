"""`bonafide ownership`: import and export who owns and controls a business."""

from pathlib import Path
from typing import Annotated
from uuid import UUID

import typer
from rich.markup import escape

from bonafide.cli.command_runtime import build_operator_author, get_first_problem, run_with_runtime
from bonafide.cli.options import AsJson, DataDir, print_json
from bonafide.cli.output import STANDARD_STREAM, err, open_destination, open_source, out
from bonafide.cli.translation import get_language, localize
from bonafide.errors import BonafideError, ValidationFailed
from bonafide.i18n.message import Message
from bonafide.model.accounts.organizations import World
from bonafide.model.ownership.answer import OwnershipAnswer
from bonafide.model.ownership.file_format import OwnershipFileOptions, OwnershipFormat
from bonafide.model.ownership.statement import Claimant
from bonafide.runtime import Runtime
from bonafide.services.accounts.organizations import find_organization
from bonafide.services.ownership.export import ExportOptions, write_ownership
from bonafide.services.ownership.formats.bods_statements import BODS_MEDIA_TYPE
from bonafide.services.ownership.formats.csv_interests import CSV_MEDIA_TYPE
from bonafide.services.ownership.importing import OwnershipUpload, read_statement
from bonafide.services.screening.owner_screening import read_ownership, record_ownership

app = typer.Typer(help=Message("Import and export who owns and controls a business."), no_args_is_help=True)
MAX_FILE_BYTES = 64 * 1024 * 1024
BusinessOption = Annotated[UUID, typer.Option("--business", help=Message("The ID of the business record."))]
OrganizationOption = Annotated[str, typer.Option("--organization", help=Message("The organization."))]
TestOption = Annotated[bool, typer.Option("--test", help=Message("Use its sandbox organization."))]


@app.command("import")
def import_ownership(
    source: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", help=Message("BODS 0.4 statements, or CSV (a name that ends in .csv); `-` for standard input.")
        ),
    ],
    business: BusinessOption,
    organization: OrganizationOption,
    test: TestOption = False,
    as_csv: Annotated[bool, typer.Option("--csv", help=Message("Read the file as CSV, regardless of its name."))] = False,
    claimed_by: Annotated[Claimant | None, typer.Option(help=Message("Who says so, instead of what the file says."))] = None,
    as_of: Annotated[
        str | None, typer.Option(metavar="DATE", help=Message("The day on which it is true; required with CSV."))
    ] = None,
    declared_by: Annotated[
        str | None, typer.Option(help=Message("The person, register or document that the file is from."))
    ] = None,
    subject: Annotated[str | None, typer.Option(help=Message("BODS: the recordId of the business in the file."))] = None,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Replace what one claimant says about the owners of a business.

    A file that can't be used changes nothing: every problem is listed with its place in the file, and the exit status is 1.
    """
    given = {"claimedBy": claimed_by, "asOf": as_of, "declaredBy": declared_by, "subject": subject}
    try:
        options = OwnershipFileOptions.model_validate({name: value for name, value in given.items() if value is not None})
    except ValueError as error:
        raise typer.BadParameter(get_first_problem(error)) from None
    is_csv = as_csv or source.suffix.lower() == ".csv"
    world = World.SANDBOX if test else World.LIVE

    async def record(runtime: Runtime) -> OwnershipAnswer:
        organization_id = (await find_organization(runtime, organization, world)).id
        upload = OwnershipUpload(CSV_MEDIA_TYPE if is_csv else BODS_MEDIA_TYPE, _read_file(source))
        statement = await read_statement(runtime, organization_id, business, upload, options)
        return await record_ownership(runtime, organization_id, business, statement, build_operator_author(), is_screened=False)

    try:
        answer = run_with_runtime(data_dir, record)
    except ValidationFailed as error:
        if len(error.details) < 2:  # noqa: PLR2004 - the message names the only problem
            raise
        for problem in error.details:
            err.print(f"[red]{escape(problem.path)}:[/] {escape(localize(problem.message))}", highlight=False, soft_wrap=True)
        raise ValidationFailed(
            Message("The file has {count} problems, and nothing was changed.", count=len(error.details))
        ) from None
    if as_json:
        print_json({"parties": len(answer.parties), "interests": len(answer.interests)})
    else:
        message = Message("{parties} parties, {interests} interests", parties=len(answer.parties), interests=len(answer.interests))
        out.print(localize(message), highlight=False)


@app.command("export")
def export_ownership(
    business: Annotated[UUID, typer.Argument(metavar="ID", help=Message("The ID of the business record."))],
    organization: OrganizationOption,
    destination: Annotated[
        Path, typer.Argument(metavar="FILE", help=Message("The file to write; standard output by default."))
    ] = STANDARD_STREAM,
    file_format: Annotated[OwnershipFormat, typer.Option("--format", help=Message("The format."))] = OwnershipFormat.JSON,
    test: TestOption = False,
    data_dir: DataDir = None,
) -> None:
    """Write what all claimants say about the owners of a business."""
    world = World.SANDBOX if test else World.LIVE

    async def write(runtime: Runtime) -> bytes:
        found = await find_organization(runtime, organization, world)
        answer = await read_ownership(runtime, found.id, business)
        options = ExportOptions(found.name, get_language())
        return (await write_ownership(runtime, found.id, answer, file_format, options)).content

    content = run_with_runtime(data_dir, write)
    with open_destination(destination) as stream:
        stream.write(content)


def _read_file(source: Path) -> bytes:
    with open_source(source) as stream:
        content = stream.read(MAX_FILE_BYTES + 1)
    if len(content) > MAX_FILE_BYTES:
        raise BonafideError(Message("The file has more than {limit:,} bytes.", limit=MAX_FILE_BYTES))
    return content
