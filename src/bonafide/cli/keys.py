"""`bonafide keys`: create, list, revoke, rotate and change API keys. A key is shown once, when it is created."""

from datetime import datetime, timedelta
from typing import Annotated
from uuid import UUID

import typer
from pydantic import ValidationError
from rich.markup import escape

from bonafide.cli.command_runtime import get_first_problem, run_with_runtime
from bonafide.cli.options import AsJson, DataDir, print_json
from bonafide.cli.output import out, print_table
from bonafide.cli.translation import localize
from bonafide.i18n.message import Message, join_values
from bonafide.model.accounts.organizations import DEFAULT_RATE_LIMIT, ApiKey, KeyChange, KeyRequest, Scope, World
from bonafide.model.base import format_instant
from bonafide.services.accounts import api_access

app = typer.Typer(help=Message("Create, list, revoke, rotate and change API keys."), no_args_is_help=True)
KeyId = Annotated[UUID, typer.Argument(metavar="ID", help=Message("The ID of the key, as shown by `keys list`."))]
ExpiresIn = Annotated[
    str | None, typer.Option("--expires-in", metavar="30d", help=Message("Validity of the key: 90s, 15m, 24h, 30d."))
]


@app.command()
def create(
    organization: Annotated[
        str, typer.Option(help=Message("The name of the organization, created if it does not exist, or the ID of an existing one."))
    ],
    label: Annotated[str | None, typer.Option(help=Message("A label."))] = None,
    owner: Annotated[
        str | None, typer.Option(metavar="EMAIL", help=Message("The email address of the owner, used as searchedBy."))
    ] = None,
    scopes: Annotated[str | None, typer.Option(metavar="a:read,b:write", help=Message("The scopes; all by default."))] = None,
    expires_in: ExpiresIn = None,
    rate_limit: Annotated[int, typer.Option(help=Message("Requests per minute."))] = DEFAULT_RATE_LIMIT,
    lenient: Annotated[
        bool,
        typer.Option("--lenient", help=Message("Ignore unknown fields of request bodies and name them in a `Warning` header.")),
    ] = False,
    test: Annotated[bool, typer.Option("--test", help=Message("Create a sandbox key."))] = False,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Create a key. It is printed once and cannot be shown again."""
    try:
        request = KeyRequest(
            organization=organization,
            label=label,
            owner=owner,
            scopes=_parse_scopes(scopes),
            expires_in=_parse_duration(expires_in),
            rate_limit=rate_limit,
            world=World.SANDBOX if test else World.LIVE,
            lenient=lenient,
        )
    except ValidationError as error:
        raise _to_bad_parameter(error) from error
    _print_created(run_with_runtime(data_dir, lambda runtime: api_access.create_key(runtime, request)), as_json)


def _to_bad_parameter(error: ValidationError) -> typer.BadParameter:
    """The error of the first invalid value, with its option."""
    option = str(error.errors()[0]["loc"][0]).replace("_", "-")
    return typer.BadParameter(f"--{option}: {get_first_problem(error)}")


def _parse_scopes(text: str | None) -> tuple[Scope, ...]:
    """The scopes of a comma-separated list; all of them when none is given."""
    if text is None:
        return tuple(Scope)
    try:
        return tuple(Scope(word.strip()) for word in text.split(","))
    except ValueError as error:
        raise typer.BadParameter(localize(Message("Unknown scope. Use: {scopes}", scopes=join_values(Scope)))) from error


def _parse_duration(text: str | None) -> timedelta | None:
    return api_access.parse_duration(text) if text is not None else None


def _print_created(created: api_access.CreatedApiKey, as_json: bool) -> None:
    key = created.key
    if as_json:
        expires = format_instant(key.expires_at) if key.expires_at is not None else None
        print_json({"id": key.id, "key": created.text, "prefix": key.prefix, "last4": key.last4, "expiresAt": expires})
        return
    out.print(created.text, highlight=False, soft_wrap=True)
    notice = Message("Key {id} of {organization}. It is not shown again.", id=str(key.id), organization=key.organization)
    out.print(f"[dim]{escape(localize(notice))}[/]", highlight=False)


@app.command("list")
def list_keys(data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """List every key with its organization, scopes and use, but not the key itself."""
    keys = run_with_runtime(data_dir, api_access.list_keys)
    if as_json:
        print_json([key.model_dump(mode="json", by_alias=True) for key in keys])
        return
    headings = (
        Message("ID"),
        Message("Organization"),
        Message("Key"),
        Message("Label"),
        Message("Scopes"),
        Message("Limit"),
        Message("Created"),
        Message("Last used"),
        Message("Status"),
    )
    print_table(headings, map(_build_cells, keys), "fold", unbroken="ID")


def _build_cells(key: ApiKey) -> tuple[str, ...]:
    scopes = localize(Message("all")) if set(key.scopes) == set(Scope) else ", ".join(key.scopes)
    if key.revoked_at is not None:
        status = Message("revoked {time}", time=_format_instant(key.revoked_at))
    elif key.expires_at is not None:
        status = Message("expires {time}", time=_format_instant(key.expires_at))
    else:
        status = Message("does not expire")
    return (
        str(key.id),
        escape(key.organization),
        f"{key.prefix}…{key.last4}",
        escape(key.label) if key.label is not None else "",
        scopes,
        str(key.rate_limit),
        _format_instant(key.created_at),
        _format_instant(key.last_used_at),
        localize(status),
    )


def _format_instant(instant: datetime | None) -> str:
    return f"{instant:%Y-%m-%d %H:%M}" if instant is not None else localize(Message("never"))


@app.command()
def revoke(key_id: KeyId, data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """Revoke a key immediately."""
    _print_changed(
        run_with_runtime(data_dir, lambda runtime: api_access.revoke_key(runtime, key_id)),
        Message("Key {id} of {organization} revoked."),
        as_json,
    )


@app.command()
def rotate(
    key_id: KeyId,
    overlap: Annotated[str, typer.Option(metavar="24h", help=Message("How long the old key remains valid."))] = "24h",
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Create a replacement for a key. The old key expires after the overlap."""
    duration = api_access.parse_duration(overlap)
    _print_created(run_with_runtime(data_dir, lambda runtime: api_access.rotate_key(runtime, key_id, duration)), as_json)


@app.command("set")
def set_key(
    key_id: KeyId,
    expires_in: ExpiresIn = None,
    rate_limit: Annotated[int | None, typer.Option(min=1, help=Message("Requests per minute."))] = None,
    lenient: Annotated[
        bool | None,
        typer.Option(
            "--lenient/--strict",
            show_default=False,
            help=Message("Ignore unknown fields of request bodies and name them in a `Warning` header, or refuse them."),
        ),
    ] = None,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Change the expiry or the rate limit of a key, or whether it refuses unknown fields."""
    try:
        change = KeyChange(expires_in=_parse_duration(expires_in), rate_limit=rate_limit, lenient=lenient)
    except ValidationError as error:
        raise _to_bad_parameter(error) from error
    if change == KeyChange():
        raise typer.BadParameter(localize(Message("Give at least one of --expires-in, --rate-limit, --lenient and --strict.")))
    _print_changed(
        run_with_runtime(data_dir, lambda runtime: api_access.change_key(runtime, key_id, change)),
        Message("Key {id} of {organization} changed."),
        as_json,
    )


def _print_changed(key: ApiKey, notice: Message, as_json: bool) -> None:
    if as_json:
        print_json(key.model_dump(mode="json", by_alias=True))
    else:
        out.print(escape(localize(notice.fill(id=str(key.id), organization=key.organization))), highlight=False)
