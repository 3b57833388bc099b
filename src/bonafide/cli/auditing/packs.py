"""`bonafide audit verify --pack`: verify an examiner's pack."""

from collections.abc import Iterator
from pathlib import Path

import typer
from rich.markup import escape

from bonafide.cli.command_runtime import run_with_runtime
from bonafide.cli.options import print_json
from bonafide.cli.output import out
from bonafide.cli.translation import localize
from bonafide.i18n.message import Message
from bonafide.model.accounts.organizations import World
from bonafide.runtime import Runtime
from bonafide.services.accounts.organizations import find_organization
from bonafide.services.packs.verification import PackCheck, compare_with_log, verify_pack
from bonafide.services.records.audit_check import ENTRIES_AT_ONCE, LOWEST_ID
from bonafide.store.tenants import audit_log


def verify_pack_file(path: Path, organization: tuple[str | None, World], data_dir: Path | None, *, as_json: bool) -> None:
    """Verify a pack and print the result; with the name of an organization, also against its audit log.

    Raises `typer.Exit` with status 1 for a pack that was changed, and `typer.BadParameter` for a file that can't be read.
    """
    try:
        with path.open("rb") as file:
            check = verify_pack(file)
    except OSError as error:
        raise typer.BadParameter(localize(Message("{file} can’t be read.", file=path))) from error
    name, world = organization
    if name is not None:
        run_with_runtime(data_dir, lambda runtime: _compare(runtime, check, name, world))
    if as_json:
        print_json(_to_json(check))
    else:
        _print_check(check)
    if not check.is_intact:
        raise typer.Exit(1)


async def _compare(runtime: Runtime, check: PackCheck, name: str, world: World) -> None:
    found = await find_organization(runtime, name, world)
    known, last = dict[int, str](), LOWEST_ID
    wanted = {entry for entry, _ in check.points}
    async with runtime.store.read(at_length=True) as connection:
        while entries := await audit_log.list_after(connection, found.id, last, ENTRIES_AT_ONCE):
            known.update({entry.id: entry.hash for entry in entries if entry.id in wanted})
            last = entries[-1].id
    compare_with_log(check, found.id, known)


def _to_json(check: PackCheck) -> dict[str, object]:
    manifest = check.manifest
    return {
        "intact": check.is_intact,
        "sha256": check.sha256,
        "packId": str(manifest.pack_id) if manifest is not None else None,
        "organization": manifest.organization if manifest is not None else None,
        "version": manifest.version if manifest is not None else None,
        "files": len(manifest.files) if manifest is not None else None,
        "audit": manifest.audit.model_dump(mode="json", by_alias=True) if manifest is not None else None,
        "problems": [{"file": one.file, "problem": localize(one.problem)} for one in check.problems],
    }


def _print_check(check: PackCheck) -> None:
    for line in _describe(check):
        out.print(escape(localize(line)), highlight=False, soft_wrap=True)
    for one in check.problems:
        out.print(f"[bold red]{escape(one.file)}[/]: {escape(localize(one.problem))}", highlight=False, soft_wrap=True)


def _describe(check: PackCheck) -> Iterator[Message]:
    manifest = check.manifest
    if manifest is not None:
        yield Message(
            "Pack {pack} of {organization}, requested by {who}",
            pack=manifest.pack_id,
            organization=manifest.organization,
            who=manifest.requested_by,
        )
        yield Message(
            "{files:,} files, audit log of {entries:,} entries ({disclosed:,} in full), version {version}",
            files=len(manifest.files),
            entries=manifest.audit.entries,
            disclosed=manifest.audit.disclosed,
            version=manifest.version,
        )
    yield Message("SHA-256 of the ZIP file: {digest}", digest=check.sha256)
    yield Message("The pack is intact.") if check.is_intact else Message("The pack was changed:")
