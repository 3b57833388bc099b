"""`bonafide retention`: delete what is older than the retention policies, hold a business, erase, give space back."""

from typing import TYPE_CHECKING, Annotated
from uuid import UUID

import typer
from rich.markup import escape

from bonafide.cli.command_runtime import build_operator_author, run_with_runtime
from bonafide.cli.options import AsJson, DataDir, print_json
from bonafide.cli.output import out, print_table
from bonafide.cli.translation import localize
from bonafide.i18n.message import Message
from bonafide.model.accounts.organizations import World
from bonafide.model.validation_messages import describe_validation_error

if TYPE_CHECKING:
    from bonafide.model.accounts.retention import ErasureAccepted, ErasureRequest, LegalHold, LegalHoldChange
    from bonafide.runtime import Runtime
    from bonafide.services.retention.policy_runs import OrganizationRetention

app = typer.Typer(help=Message("Delete old records, erase businesses and checks, and give space back."), no_args_is_help=True)
BUSINESS = "business"
TestOption = Annotated[bool, typer.Option("--test", help=Message("Use its sandbox organization."))]
OrganizationOption = Annotated[str, typer.Option("--organization", help=Message("The organization."))]
BusinessArgument = Annotated[UUID, typer.Argument(metavar="ID", help=Message("The business."))]


@app.command("run")
def run_policies(
    organization: Annotated[str | None, typer.Option(help=Message("Only this organization; all by default."))] = None,
    test: TestOption = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help=Message("Count what would be deleted, and delete nothing."))] = False,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Delete what is older than the retention policy of each organization, as the worker does every hour.

    Organizations without a policy are left out. Nothing is deleted of one with a legal hold. What belongs to a business with a
    legal hold is kept, and counted as held.
    """
    world = World.SANDBOX if test else World.LIVE
    found = run_with_runtime(data_dir, lambda runtime: _run(runtime, organization, world, dry_run))
    if as_json:
        print_json([_to_json(one) for one in found])
        return
    rows = [
        (
            escape(one.organization.name),
            one.organization.world.value,
            kind.value,
            _describe_count(one, count),
            f"{one.held.get(kind, 0):,}",
        )
        for one in found
        for kind, count in one.rows.items()
    ]
    heading = Message("To delete") if dry_run else Message("Deleted")
    print_table((Message("Organization"), Message("World"), Message("Kind"), heading, Message("Held")), rows)


async def _run(runtime: "Runtime", name: str | None, world: World, dry_run: bool) -> "list[OrganizationRetention]":
    from bonafide.services.accounts.organizations import find_organization  # noqa: PLC0415 - slow imports, not needed for `--help`
    from bonafide.services.retention.policy_runs import preview_retention, run_retention  # noqa: PLC0415

    chosen = [await find_organization(runtime, name, world)] if name is not None else None
    return await (preview_retention(runtime, chosen) if dry_run else run_retention(runtime, chosen))


def _to_json(found: "OrganizationRetention") -> dict[str, object]:
    return {
        "organization": found.organization.name,
        "world": found.organization.world.value,
        "legalHold": found.has_legal_hold,
        "rows": {kind.value: count for kind, count in found.rows.items()},
        "held": {kind.value: found.held.get(kind, 0) for kind in found.rows},
    }


def _describe_count(found: "OrganizationRetention", count: int) -> str:
    return localize(Message("legal hold")) if found.has_legal_hold else f"{count:,}"


@app.command()
def erase(
    kind: Annotated[str, typer.Argument(help=Message("business, search, verification, screening, report or case."))],
    identity: Annotated[UUID, typer.Argument(metavar="ID", help=Message("Its ID."))],
    organization: OrganizationOption,
    reason: Annotated[str, typer.Option("--reason", help=Message("Why it is erased. The audit log keeps it."))],
    test: TestOption = False,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Erase a business with everything that is stored about it, or a single check. This can't be undone.

    A worker erases the rest within a minute; without one, the next worker that starts does.
    """
    from pydantic import ValidationError  # noqa: PLC0415 - as in `_run`

    from bonafide.model.accounts.retention import ErasureRequest  # noqa: PLC0415
    from bonafide.services.retention.erasure_requests import ErasableCheck  # noqa: PLC0415

    if kind != BUSINESS and kind not in set(ErasableCheck):
        raise typer.BadParameter(localize(Message("'{kind}' can’t be erased. See `bonafide retention erase --help`.", kind=kind)))
    try:
        request = ErasureRequest(reason=reason)
    except ValidationError as error:
        raise typer.BadParameter(f"--reason: {localize(describe_validation_error(error.errors()[0]))}") from error
    world = World.SANDBOX if test else World.LIVE
    accepted = run_with_runtime(data_dir, lambda runtime: _erase(runtime, (organization, world), (kind, identity), request))
    if as_json:
        print_json(accepted.model_dump(mode="json", by_alias=True))
    else:
        out.print(escape(localize(Message("Erased. A worker erases the rest: erasure {id}.", id=str(accepted.erasure_id)))))


async def _erase(
    runtime: "Runtime", owner: tuple[str, World], erased: tuple[str, UUID], request: "ErasureRequest"
) -> "ErasureAccepted":
    from bonafide.services.accounts.organizations import find_organization  # noqa: PLC0415 - as in `_run`
    from bonafide.services.retention.erasure_requests import ErasableCheck, erase_business, erase_check  # noqa: PLC0415

    organization, author = await find_organization(runtime, *owner), build_operator_author()
    kind, identity = erased
    if kind == BUSINESS:
        return await erase_business(runtime, organization.id, identity, request, author)
    return await erase_check(runtime, organization.id, (ErasableCheck(kind), identity), request, author)


@app.command()
def hold(
    business: BusinessArgument,
    organization: OrganizationOption,
    reason: Annotated[str, typer.Option("--reason", help=Message("Why it is held. The audit log keeps it."))],
    test: TestOption = False,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Set a legal hold on a business: nothing of it is deleted by a policy or erased until the hold is lifted."""
    _change_hold((organization, test), (business, reason), data_dir, is_held=True, as_json=as_json)


@app.command()
def lift_hold(
    business: BusinessArgument,
    organization: OrganizationOption,
    reason: Annotated[str, typer.Option("--reason", help=Message("Why the hold is lifted. The audit log keeps it."))],
    test: TestOption = False,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Lift the legal hold on a business."""
    _change_hold((organization, test), (business, reason), data_dir, is_held=False, as_json=as_json)


def _change_hold(owner: tuple[str, bool], held: tuple[UUID, str], data_dir: DataDir, *, is_held: bool, as_json: bool) -> None:
    from pydantic import ValidationError  # noqa: PLC0415 - as in `_run`

    from bonafide.model.accounts.retention import LegalHoldChange  # noqa: PLC0415

    business_id, reason = held
    try:
        change = LegalHoldChange(held=is_held, reason=reason)
    except ValidationError as error:
        raise typer.BadParameter(f"--reason: {localize(describe_validation_error(error.errors()[0]))}") from error
    world = World.SANDBOX if owner[1] else World.LIVE
    changed = run_with_runtime(data_dir, lambda runtime: _store_hold(runtime, (owner[0], world), business_id, change))
    if as_json:
        print_json(changed.model_dump(mode="json", by_alias=True))
    else:
        out.print(escape(localize(Message("The business is held.") if changed.held else Message("The business is not held."))))


async def _store_hold(runtime: "Runtime", owner: tuple[str, World], business_id: UUID, change: "LegalHoldChange") -> "LegalHold":
    from bonafide.services.accounts.organizations import find_organization  # noqa: PLC0415 - as in `_run`
    from bonafide.services.retention.legal_holds import change_hold  # noqa: PLC0415

    organization, author = await find_organization(runtime, *owner), build_operator_author()
    return await change_hold(runtime, organization.id, business_id, change, author)


@app.command()
def vacuum(data_dir: DataDir = None) -> None:
    """Rewrite the SQLite file without unused space. Needed once for a file of an earlier release.

    Requests that write wait meanwhile, so run it at a quiet time, with free disk space of the size of the file. From then on, the
    space of deleted records is given back by itself. PostgreSQL reuses space by itself, so nothing is done there.
    """
    is_done = run_with_runtime(data_dir, lambda runtime: runtime.store.vacuum())
    out.print(localize(Message("The file was rewritten.") if is_done else Message("PostgreSQL needs no such step.")))
