"""`bonafide users`: make, list, change and disable the people of the console. A password is never an argument: those are seen."""

import sys
from typing import Annotated

import typer
from pydantic import ValidationError
from rich.markup import escape

from bonafide.cli.command_runtime import build_operator_author, get_first_problem, run_with_runtime
from bonafide.cli.options import AsJson, DataDir, print_json
from bonafide.cli.output import out, print_table
from bonafide.model.accounts.organizations import World
from bonafide.model.accounts.users import Role, UserRequest
from bonafide.runtime import Runtime
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
    user, link = run_with_runtime(data_dir, lambda runtime: _create(runtime, request, password))
    if as_json:
        print_json({"id": user.user.id, "email": user.user.email, "organization": organization, "role": role, "link": link})
        return
    out.print(f"{escape(user.user.email)} belongs to {escape(organization)} as {role}.", highlight=False)
    if link is not None:
        _print_link(link)


async def _create(runtime: Runtime, request: UserRequest, password: str | None) -> tuple[UserOverview, str | None]:
    made = await members.create_user(runtime, request, build_operator_author(), password)
    if made.has_password or not runtime.settings.password_sign_in:
        return made, None
    return made, await one_time_links.create_password_link(runtime, made.user.email, build_operator_author())


@app.command("list")
def list_users(
    organization: Annotated[str | None, typer.Option(help="Of this organization only.")] = None,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """List every user, and where they belong."""
    users = run_with_runtime(data_dir, lambda runtime: members.list_users(runtime, organization))
    if as_json:
        print_json([_to_json(user) for user in users])
        return
    rows = [
        (escape(user.user.email), escape(user.user.name or ""), escape(_format_memberships(user)), _format_state(user))
        for user in users
    ]
    print_table(("E-mail", "Name", "Organizations", "State"), rows, "fold")


@app.command()
def link(email: UserEmail, data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """Make a link with which a user sets a new password; using it ends their sessions. Earlier links end."""
    address = run_with_runtime(
        data_dir, lambda runtime: one_time_links.create_password_link(runtime, email, build_operator_author())
    )
    if as_json:
        print_json({"email": email, "link": address})
    else:
        _print_link(address)


@app.command("role")
def change_role(
    email: UserEmail,
    role: Annotated[Role, typer.Argument(help="What they are to be.")],
    organization: Annotated[str, typer.Option(help="Where.")],
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Let a member of an organization be something else."""
    author = build_operator_author()
    _print_user(
        run_with_runtime(data_dir, lambda runtime: members.set_role_in_organization(runtime, email, role, organization, author)),
        as_json,
    )


@app.command()
def disable(email: UserEmail, data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """Let a user not sign in any more, and end their sessions; what they did stays."""
    _print_user(run_with_runtime(data_dir, lambda runtime: members.disable_user(runtime, email, build_operator_author())), as_json)


@app.command()
def enable(email: UserEmail, data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """Let a disabled user sign in again."""
    _print_user(run_with_runtime(data_dir, lambda runtime: members.enable_user(runtime, email, build_operator_author())), as_json)


@app.command()
def unbind(email: UserEmail, data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """Forget who a user is at the identity provider; whoever comes from there with this e-mail next is bound to them."""
    _print_user(run_with_runtime(data_dir, lambda runtime: members.unbind_user(runtime, email)), as_json)


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
