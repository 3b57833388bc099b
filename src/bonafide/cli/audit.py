"""`bonafide audit`: check audit logs for tampering."""

import re
from typing import Annotated

import typer
from rich.markup import escape

from bonafide.cli.command_runtime import run_with_runtime
from bonafide.cli.options import AsJson, DataDir, print_json
from bonafide.cli.output import out, print_table
from bonafide.cli.translation import localize
from bonafide.i18n.message import Message
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
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Check every audit log for entries that were edited, removed or inserted.

    The exit status is 1 if a log was tampered with. Keep the printed number of entries and hash outside this machine: with --noted,
    a later check also detects a log that was replaced as a whole.
    """
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
        for problem in check.problems:
            out.print(f"{escape(organization.name)}: {escape(localize(problem))}", highlight=False)
