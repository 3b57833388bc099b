"""`bonafide keys`: make, list, revoke, rotate and change API keys. A key is shown once, when it is made."""

from datetime import datetime, timedelta
from typing import Annotated
from uuid import UUID

import typer
from pydantic import ValidationError
from rich.markup import escape

from bonafide.cli.command_runtime import get_first_problem, run_with_runtime
from bonafide.cli.options import AsJson, DataDir, print_json
from bonafide.cli.output import out, print_table
from bonafide.model.accounts.organizations import DEFAULT_RATE_LIMIT, ApiKey, KeyChange, KeyRequest, Scope, World
from bonafide.model.base import format_instant
from bonafide.services.accounts import api_access

app = typer.Typer(help="Make, list, revoke, rotate and change API keys.", no_args_is_help=True)
KeyId = Annotated[UUID, typer.Argument(metavar="ID", help="The key's id, as `keys list` shows it.")]
ExpiresIn = Annotated[str | None, typer.Option("--expires-in", metavar="30d", help="How long it is valid: 90s, 15m, 24h, 30d.")]


@app.command()
def create(
    organization: Annotated[str, typer.Option(help="Whose key it is; made when it is new.")],
    label: Annotated[str | None, typer.Option(help="What it is for.")] = None,
    owner: Annotated[str | None, typer.Option(metavar="EMAIL", help="Who answers for it; stands in searchedBy.")] = None,
    scopes: Annotated[str | None, typer.Option(metavar="a:read,b:write", help="What it may do; everything by default.")] = None,
    expires_in: ExpiresIn = None,
    rate_limit: Annotated[int, typer.Option(help="Requests a minute.")] = DEFAULT_RATE_LIMIT,
    test: Annotated[bool, typer.Option("--test", help="A key of the sandbox.")] = False,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Make a key. It is printed once and can't be had again."""
    try:
        request = KeyRequest(
            organization=organization,
            label=label,
            owner=owner,
            scopes=_parse_scopes(scopes),
            expires_in=_parse_duration(expires_in),
            rate_limit=rate_limit,
            world=World.SANDBOX if test else World.LIVE,
        )
    except ValidationError as error:
        raise _to_bad_parameter(error) from error
    _print_created(run_with_runtime(data_dir, lambda runtime: api_access.create_key(runtime, request)), as_json)


def _to_bad_parameter(error: ValidationError) -> typer.BadParameter:
    """The first refused value, by the name of its option."""
    option = str(error.errors()[0]["loc"][0]).replace("_", "-")
    return typer.BadParameter(f"--{option}: {get_first_problem(error)}")


def _parse_scopes(text: str | None) -> tuple[Scope, ...]:
    """The scopes of a comma-separated list; all of them when none is given."""
    if text is None:
        return tuple(Scope)
    try:
        return tuple(Scope(word.strip()) for word in text.split(","))
    except ValueError as error:
        raise typer.BadParameter(f"{error}; known are {', '.join(Scope)}") from error


def _parse_duration(text: str | None) -> timedelta | None:
    return api_access.parse_duration(text) if text is not None else None


def _print_created(created: api_access.CreatedApiKey, as_json: bool) -> None:
    key = created.key
    if as_json:
        expires = format_instant(key.expires_at) if key.expires_at is not None else None
        print_json({"id": key.id, "key": created.text, "prefix": key.prefix, "last4": key.last4, "expiresAt": expires})
        return
    out.print(created.text, highlight=False, soft_wrap=True)
    out.print(f"[dim]Key {key.id} of {escape(key.organization)}. It is not shown again.[/]", highlight=False)


@app.command("list")
def list_keys(data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """List every key: whose it is, what it may do, when it was used; never the key itself."""
    keys = run_with_runtime(data_dir, api_access.list_keys)
    if as_json:
        print_json([key.model_dump(mode="json", by_alias=True) for key in keys])
        return
    headings = ("Id", "Organization", "Key", "Label", "Scopes", "Limit", "Created", "Last used", "State")
    print_table(headings, map(_build_cells, keys), "fold", unbroken="Id")


def _build_cells(key: ApiKey) -> tuple[str, ...]:
    scopes = "all" if set(key.scopes) == set(Scope) else ", ".join(key.scopes)
    state = (
        f"revoked {_format_instant(key.revoked_at)}" if key.revoked_at is not None else f"expires {_format_instant(key.expires_at)}"
    )
    return (
        str(key.id),
        escape(key.organization),
        f"{key.prefix}…{key.last4}",
        escape(key.label) if key.label is not None else "",
        scopes,
        str(key.rate_limit),
        _format_instant(key.created_at),
        _format_instant(key.last_used_at),
        state,
    )


def _format_instant(instant: datetime | None) -> str:
    return f"{instant:%Y-%m-%d %H:%M}" if instant is not None else "never"


@app.command()
def revoke(key_id: KeyId, data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """Refuse a key from now on."""
    _print_changed(run_with_runtime(data_dir, lambda runtime: api_access.revoke_key(runtime, key_id)), "is revoked", as_json)


@app.command()
def rotate(
    key_id: KeyId,
    overlap: Annotated[str, typer.Option(metavar="24h", help="How long the old key stays valid.")] = "24h",
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Make a new key like the old one; the old one expires after the overlap."""
    duration = api_access.parse_duration(overlap)
    _print_created(run_with_runtime(data_dir, lambda runtime: api_access.rotate_key(runtime, key_id, duration)), as_json)


@app.command("set")
def set_key(
    key_id: KeyId,
    expires_in: ExpiresIn = None,
    rate_limit: Annotated[int | None, typer.Option(min=1, help="Requests a minute.")] = None,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Give a key a new lifetime from now on, a new rate limit, or both."""
    try:
        change = KeyChange(expires_in=_parse_duration(expires_in), rate_limit=rate_limit)
    except ValidationError as error:
        raise _to_bad_parameter(error) from error
    if change == KeyChange():
        raise typer.BadParameter("nothing to change: give --expires-in, --rate-limit or both")
    _print_changed(
        run_with_runtime(data_dir, lambda runtime: api_access.change_key(runtime, key_id, change)), "is changed", as_json
    )


def _print_changed(key: ApiKey, what: str, as_json: bool) -> None:
    if as_json:
        print_json(key.model_dump(mode="json", by_alias=True))
    else:
        out.print(f"Key {key.id} of {escape(key.organization)} {what}.", highlight=False)
