"""`bonafide audit`: check that nobody has tampered with the trails of changes."""

import re
from typing import Annotated

import typer
from rich.markup import escape

from bonafide.cli.command_runtime import run_with_runtime
from bonafide.cli.options import AsJson, DataDir, print_json
from bonafide.cli.output import out, print_table
from bonafide.model.accounts.organizations import Organization, World
from bonafide.runtime import Runtime
from bonafide.services.accounts.organizations import find_organization, list_organizations
from bonafide.services.records.audit_check import AuditAnchor, AuditLogCheck, verify_audit_log

app = typer.Typer(help="The trails of what was changed in records and settings.", no_args_is_help=True)
_ANCHOR = re.compile(r"(\d{1,18}):([0-9a-f]{64})", re.ASCII)
AuditChecks = list[tuple[Organization, AuditLogCheck]]


@app.callback()
def _group() -> None:
    """Keeps `verify` a command of its own, though it is the only one."""


@app.command()
def verify(
    organization: Annotated[str | None, typer.Option(help="Only its trail; all by default.")] = None,
    test: Annotated[bool, typer.Option("--test", help="That of its test keys.")] = False,
    noted: Annotated[
        str | None, typer.Option(metavar="ENTRIES:HASH", help="What an earlier check of this organization printed.")
    ] = None,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Read every trail from its start and find entries that were edited, removed or put in. Exit status 1 if any was.

    Note the entries and the hash that are printed, away from this machine: with --noted a later check also finds a trail that was
    made anew as a whole.
    """
    if noted is not None and organization is None:
        raise typer.BadParameter("--noted needs --organization: each has a trail of its own")
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
        raise typer.BadParameter("--noted is a number of entries and a hash, as an earlier check has printed them: 57:0ab1…")
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
            "[green]whole[/]" if check.is_whole else "[bold red]broken[/]",
            f"{check.entries}:{check.hash}",
        )
        for organization, check in checked
    ]
    print_table(("Organization", "World", "Trail", "To note"), rows, "fold")
    for organization, check in checked:
        for problem in check.problems:
            out.print(f"{escape(organization.name)}: {problem}", highlight=False)
