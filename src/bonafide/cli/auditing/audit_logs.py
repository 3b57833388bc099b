"""`bonafide audit`: check audit logs for tampering."""

import re
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from bonafide.cli.auditing.packs import verify_pack_file
from bonafide.cli.command_runtime import run_with_runtime
from bonafide.cli.options import AsJson, DataDir, print_json
from bonafide.cli.output import out, print_table
from bonafide.cli.translation import localize
from bonafide.i18n.message import Message, plural_message
from bonafide.model.accounts.organizations import Organization, World
from bonafide.runtime import Runtime
from bonafide.services.accounts.organizations import find_organization, list_organizations
from bonafide.services.records.audit_check import AuditAnchor, AuditLogCheck, verify_audit_log

app = typer.Typer(help=Message("Check the audit logs of records and settings."), no_args_is_help=True)
_ANCHOR = re.compile(r"(\d{1,18}):([0-9a-f]{64})", re.ASCII)
AuditChecks = list[tuple[Organization, AuditLogCheck]]


@app.callback()
def _group() -> None:
    """Keeps `verify` a subcommand although it is the only one."""


@app.command()
def verify(
    organization: Annotated[str | None, typer.Option(help=Message("Check only this organization; all by default."))] = None,
    test: Annotated[bool, typer.Option("--test", help=Message("Check its sandbox organization."))] = False,
    noted: Annotated[
        str | None, typer.Option(metavar="ENTRIES:HASH", help=Message("The result of an earlier check of this organization."))
    ] = None,
    pack: Annotated[
        Path | None, typer.Option(help=Message("Check this examiner’s pack (a ZIP file) instead, without a database."))
    ] = None,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Check every audit log for entries that were edited, removed or inserted.

    The exit status is 1 if a log was tampered with. Keep the printed number of entries and hash outside this machine: with --noted,
    a later check also detects a log that was replaced as a whole.

    With --pack, every file of an examiner’s pack and its audit log are checked, and the exit status is 1 if any was changed. With
    --organization, the pack is also compared with the audit log of that organization in this installation.
    """
    if pack is not None:
        if noted is not None:
            raise typer.BadParameter(localize(Message("--noted can’t be combined with --pack.")))
        verify_pack_file(pack, (organization, World.SANDBOX if test else World.LIVE), data_dir, as_json=as_json)
        return
    if noted is not None and organization is None:
        raise typer.BadParameter(localize(Message("--noted requires --organization: each organization has its own audit log.")))
    anchor = _parse_anchor(noted) if noted is not None else None
    world = World.SANDBOX if test else World.LIVE
    checked = run_with_runtime(data_dir, lambda runtime: _verify_audit_logs(runtime, organization, world, anchor))
    if as_json:
        print_json([_to_json(*one) for one in checked])
    else:
        _print_checks(checked)
    if not all(check.is_whole for _, check in checked):
        raise typer.Exit(1)


def _parse_anchor(text: str) -> AuditAnchor:
    form = _ANCHOR.fullmatch(text)
    if form is None:
        raise typer.BadParameter(
            localize(Message("--noted must be a number of entries and a hash, as an earlier check printed them: 57:0ab1…"))
        )
    return AuditAnchor(int(form[1]), form[2])


async def _verify_audit_logs(runtime: Runtime, name: str | None, world: World, anchor: AuditAnchor | None) -> AuditChecks:
    chosen = await list_organizations(runtime) if name is None else [await find_organization(runtime, name, world)]
    return [(organization, await verify_audit_log(runtime, organization.id, anchor)) for organization in chosen]


def _to_json(organization: Organization, check: AuditLogCheck) -> dict[str, object]:
    return {
        "organization": organization.name,
        "world": organization.world.value,
        "whole": check.is_whole,
        "noted": f"{check.entries}:{check.hash}",
        "erased": check.erased,
        "problems": check.problems,
    }


def _print_checks(checked: AuditChecks) -> None:
    rows = [
        (
            escape(organization.name),
            organization.world.value,
            f"[green]{localize(Message('intact'))}[/]" if check.is_whole else f"[bold red]{localize(Message('tampered with'))}[/]",
            f"{check.entries}:{check.hash}",
        )
        for organization, check in checked
    ]
    print_table((Message("Organization"), Message("World"), Message("Audit log"), Message("To keep")), rows, "fold")
    for organization, check in checked:
        if check.erased:
            erased = plural_message(
                "The content of {n:,} entry was erased, as the log itself records.",
                "The content of {n:,} entries was erased, as the log itself records.",
                check.erased,
            )
            out.print(f"{escape(organization.name)}: {escape(localize(erased))}", highlight=False)
        for problem in check.problems:
            out.print(f"{escape(organization.name)}: {escape(localize(problem))}", highlight=False)
