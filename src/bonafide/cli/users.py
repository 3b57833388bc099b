"""`bonafide users`: create, list, change and disable users of the console.

A password is never an argument, which others can see.
"""

import sys
from typing import Annotated

import typer
from pydantic import ValidationError
from rich.markup import escape

from bonafide.cli.command_runtime import build_operator_author, get_first_problem, run_with_runtime
from bonafide.cli.options import AsJson, DataDir, print_json
from bonafide.cli.output import out, print_table
from bonafide.cli.translation import localize
from bonafide.i18n.message import Message
from bonafide.model.accounts.organizations import World
from bonafide.model.accounts.users import Role, UserRequest
from bonafide.runtime import Runtime
from bonafide.services.accounts import members, one_time_links
from bonafide.services.accounts.members import UserOverview

app = typer.Typer(help=Message("Create, list, change and disable users of the console."), no_args_is_help=True)
UserEmail = Annotated[str, typer.Argument(metavar="EMAIL", help=Message("The email address of the user."))]


@app.command()
def create(
    organization: Annotated[
        str, typer.Option(help=Message("The name of the organization, created if it does not exist, or the ID of an existing one."))
    ],
    email: Annotated[str, typer.Option(metavar="EMAIL", help=Message("The email address to sign in with."))],
    role: Annotated[Role, typer.Option(help=Message("The role in the organization."))] = Role.ANALYST,
    name: Annotated[str | None, typer.Option(help=Message("The name of the user."))] = None,
    test: Annotated[bool, typer.Option("--test", help=Message("Give access to the sandbox only, not to live data."))] = False,
    password_stdin: Annotated[
        bool, typer.Option("--password-stdin", help=Message("Read the password from standard input."))
    ] = False,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Create a user, or add a user to an organization. Prints a link to set a password if the user has none."""
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
    notice = Message(
        "{email} is a member of {organization} ({role}).", email=user.user.email, organization=organization, role=role.value
    )
    out.print(escape(localize(notice)), highlight=False)
    if link is not None:
        _print_link(link)


async def _create(runtime: Runtime, request: UserRequest, password: str | None) -> tuple[UserOverview, str | None]:
    made = await members.create_user(runtime, request, build_operator_author(), password)
    if made.has_password or not runtime.settings.password_sign_in:
        return made, None
    return made, await one_time_links.create_password_link(runtime, made.user.email, build_operator_author())


@app.command("list")
def list_users(
    organization: Annotated[str | None, typer.Option(help=Message("List only users of this organization."))] = None,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """List every user and their organizations."""
    users = run_with_runtime(data_dir, lambda runtime: members.list_users(runtime, organization))
    if as_json:
        print_json([_to_json(user) for user in users])
        return
    rows = [
        (escape(user.user.email), escape(user.user.name or ""), escape(_format_memberships(user)), _format_state(user))
        for user in users
    ]
    print_table((Message("Email"), Message("Name"), Message("Organizations"), Message("Status")), rows, "fold")


@app.command()
def link(email: UserEmail, data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """Create a link to set a new password. Using it ends the user's sessions. Earlier links expire."""
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
    role: Annotated[Role, typer.Argument(help=Message("The new role."))],
    organization: Annotated[str, typer.Option(help=Message("The organization."))],
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Change the role of a member."""
    author = build_operator_author()
    _print_user(
        run_with_runtime(data_dir, lambda runtime: members.set_role_in_organization(runtime, email, role, organization, author)),
        as_json,
    )


@app.command()
def disable(email: UserEmail, data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """Disable a user and end their sessions. Their past actions are kept."""
    _print_user(run_with_runtime(data_dir, lambda runtime: members.disable_user(runtime, email, build_operator_author())), as_json)


@app.command()
def enable(email: UserEmail, data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """Enable a disabled user."""
    _print_user(run_with_runtime(data_dir, lambda runtime: members.enable_user(runtime, email, build_operator_author())), as_json)


@app.command()
def unbind(email: UserEmail, data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """Remove the link between a user and the identity provider.

    The next single sign-on with this email address creates a new link.
    """
    _print_user(run_with_runtime(data_dir, lambda runtime: members.unbind_user(runtime, email)), as_json)


def _print_link(address: str) -> None:
    out.print(address, highlight=False, soft_wrap=True, markup=False)
    notice = Message("This link sets a password. It works once, expires in 7 days and is not shown again.")
    out.print(f"[dim]{localize(notice)}[/]", highlight=False)


def _print_user(user: UserOverview, as_json: bool) -> None:
    if as_json:
        print_json(_to_json(user))
    else:
        out.print(f"{escape(user.user.email)}: {escape(_format_memberships(user))}; {_format_state(user)}", highlight=False)


def _format_memberships(user: UserOverview) -> str:
    return ", ".join(f"{mine.organization} ({mine.world}, {mine.role})" for mine in user.memberships) or localize(
        Message("no organization")
    )


def _format_state(user: UserOverview) -> str:
    if user.disabled_at is not None:
        return localize(Message("disabled on {time}", time=f"{user.disabled_at:%Y-%m-%d %H:%M}"))
    return localize(Message("has a password") if user.has_password else Message("no password"))


def _to_json(user: UserOverview) -> dict[str, object]:
    return {
        **user.user.model_dump(mode="json", by_alias=True, include={"id", "email", "name"}),
        "memberships": [mine.model_dump(mode="json", by_alias=True) for mine in user.memberships],
        "hasPassword": user.has_password,
        "isDisabled": user.disabled_at is not None,
    }
