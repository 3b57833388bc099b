"""`bonafide users`: make, list, change and disable the people of the console. A password is never an argument: those are seen."""

import sys
from pathlib import Path
from typing import Annotated

import typer
from pydantic import ValidationError
from rich.markup import escape
from rich.table import Table

from bonafide.cli.command_runtime import build_operator_author, get_first_problem, open_command_runtime, run
from bonafide.cli.options import AsJson, DataDir, print_json
from bonafide.cli.output import out
from bonafide.model.accounts.organizations import World
from bonafide.model.accounts.users import Role, UserRequest
from bonafide.services.accounts import members, one_time_links
from bonafide.services.accounts.members import UserOverview

app = typer.Typer(help="Make, list, change and disable people who sign in to the console.", no_args_is_help=True)
UserEmail = Annotated[str, typer.Argument(metavar="EMAIL", help="The user's e-mail.")]


@app.command()
def create(
    organization: Annotated[str, typer.Option(help="Where they belong to; made when it is new.")],
    email: Annotated[str, typer.Option(metavar="EMAIL", help="By which they sign in.")],
    role: Annotated[Role, typer.Option(help="What they may do there.")] = Role.ANALYST,
    name: Annotated[str | None, typer.Option(help="What they are called.")] = None,
    test: Annotated[bool, typer.Option("--test", help="Of the sandbox only, not of the real data.")] = False,
    password_stdin: Annotated[bool, typer.Option("--password-stdin", help="Read the password from standard input.")] = False,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Make a user, or let one belong to another organization; prints a link to set a password unless they have one."""
    world = World.SANDBOX if test else World.LIVE
    try:
        request = UserRequest(email=email, organization=organization, role=role, name=name, world=world)
    except ValidationError as error:
        raise typer.BadParameter(f"--{error.errors()[0]['loc'][0]}: {get_first_problem(error)}") from error
    password = sys.stdin.readline().rstrip("\r\n") if password_stdin else None
    user, link = run(_create(data_dir, request, password))
    if as_json:
        print_json({"id": user.user.id, "email": user.user.email, "organization": organization, "role": role, "link": link})
        return
    out.print(f"{escape(user.user.email)} belongs to {escape(organization)} as {role}.", highlight=False)
    if link is not None:
        _print_link(link)


async def _create(data_dir: Path | None, request: UserRequest, password: str | None) -> tuple[UserOverview, str | None]:
    async with open_command_runtime(data_dir) as runtime:
        made = await members.create_user(runtime, request, build_operator_author(), password)
        needs_link = not made.has_password and runtime.settings.password_sign_in
        return made, await one_time_links.create_password_link(
            runtime, made.user.email, build_operator_author()
        ) if needs_link else None


@app.command("list")
def list_users(
    organization: Annotated[str | None, typer.Option(help="Of this organization only.")] = None,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """List every user, and where they belong."""
    users = run(_list(data_dir, organization))
    if as_json:
        print_json([_to_json(user) for user in users])
        return
    table = Table(box=None, header_style="bold", pad_edge=False)
    for heading in ("E-mail", "Name", "Organizations", "State"):
        table.add_column(heading, overflow="fold")
    for user in users:
        table.add_row(escape(user.user.email), escape(user.user.name or ""), escape(_format_memberships(user)), _format_state(user))
    out.print(table)


async def _list(data_dir: Path | None, organization: str | None) -> list[UserOverview]:
    async with open_command_runtime(data_dir) as runtime:
        return await members.list_users(runtime, organization)


@app.command()
def link(email: UserEmail, data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """Make a link with which a user sets a new password; using it ends their sessions. Earlier links end."""
    address = run(_link(data_dir, email))
    if as_json:
        print_json({"email": email, "link": address})
    else:
        _print_link(address)


async def _link(data_dir: Path | None, email: str) -> str:
    async with open_command_runtime(data_dir) as runtime:
        return await one_time_links.create_password_link(runtime, email, build_operator_author())


@app.command("role")
def change_role(
    email: UserEmail,
    role: Annotated[Role, typer.Argument(help="What they are to be.")],
    organization: Annotated[str, typer.Option(help="Where.")],
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Let a member of an organization be something else."""
    _print_user(run(_change_role(data_dir, email, role, organization)), as_json)


async def _change_role(data_dir: Path | None, email: str, role: Role, organization: str) -> UserOverview:
    async with open_command_runtime(data_dir) as runtime:
        return await members.set_role_in_organization(runtime, email, role, organization, build_operator_author())


@app.command()
def disable(email: UserEmail, data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """Let a user not sign in any more, and end their sessions; what they did stays."""
    _print_user(run(_disable(data_dir, email)), as_json)


async def _disable(data_dir: Path | None, email: str) -> UserOverview:
    async with open_command_runtime(data_dir) as runtime:
        return await members.disable_user(runtime, email, build_operator_author())


@app.command()
def enable(email: UserEmail, data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """Let a disabled user sign in again."""
    _print_user(run(_enable(data_dir, email)), as_json)


async def _enable(data_dir: Path | None, email: str) -> UserOverview:
    async with open_command_runtime(data_dir) as runtime:
        return await members.enable_user(runtime, email, build_operator_author())


@app.command()
def unbind(email: UserEmail, data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """Forget who a user is at the identity provider; whoever comes from there with this e-mail next is bound to them."""
    _print_user(run(_unbind(data_dir, email)), as_json)


async def _unbind(data_dir: Path | None, email: str) -> UserOverview:
    async with open_command_runtime(data_dir) as runtime:
        return await members.unbind_user(runtime, email)


def _print_link(address: str) -> None:
    out.print(address, highlight=False, soft_wrap=True, markup=False)
    out.print("[dim]It sets their password, works once, and ends in 7 days. It is not shown again.[/]", highlight=False)


def _print_user(user: UserOverview, as_json: bool) -> None:
    if as_json:
        print_json(_to_json(user))
    else:
        out.print(f"{escape(user.user.email)}: {escape(_format_memberships(user))}; {_format_state(user)}", highlight=False)


def _format_memberships(user: UserOverview) -> str:
    return ", ".join(f"{mine.organization} ({mine.world}, {mine.role})" for mine in user.memberships) or "no organization"


def _format_state(user: UserOverview) -> str:
    if user.disabled_at is not None:
        return f"disabled {user.disabled_at:%Y-%m-%d %H:%M}"
    return "has a password" if user.has_password else "no password"


def _to_json(user: UserOverview) -> dict[str, object]:
    return {
        **user.user.model_dump(mode="json", by_alias=True, include={"id", "email", "name"}),
        "memberships": [mine.model_dump(mode="json", by_alias=True) for mine in user.memberships],
        "hasPassword": user.has_password,
        "isDisabled": user.disabled_at is not None,
    }
