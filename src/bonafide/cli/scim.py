"""`bonafide scim`: tokens for the identity provider of an organization, and the roles that its groups give."""

from typing import Annotated
from uuid import UUID

import typer
from pydantic import ValidationError
from rich.markup import escape

from bonafide.cli.command_runtime import build_operator_author, get_first_problem, run_with_runtime
from bonafide.cli.options import AsJson, DataDir, print_json
from bonafide.cli.output import out, print_table
from bonafide.cli.translation import localize
from bonafide.errors import NotFound
from bonafide.i18n.message import Message
from bonafide.model.accounts.organizations import World
from bonafide.model.accounts.provisioning import ProvisioningToken, ProvisioningTokenRequest
from bonafide.model.accounts.users import Role
from bonafide.runtime import Runtime
from bonafide.services.accounts.api_access import parse_duration
from bonafide.services.accounts.organizations import find_organization
from bonafide.services.provisioning import groups, tokens
from bonafide.services.provisioning.tokens import CreatedProvisioningToken
from bonafide.store.people.provisioned_groups import GroupSummary

NO_ROLE = "none"
app = typer.Typer(
    help=Message("Tokens for the identity provider of an organization, and the roles that its groups give."), no_args_is_help=True
)
token_app = typer.Typer(help=Message("Create, list and revoke provisioning tokens."), no_args_is_help=True)
group_app = typer.Typer(help=Message("List the groups of an identity provider, and choose their roles."), no_args_is_help=True)
app.add_typer(token_app, name="token")
app.add_typer(group_app, name="group")
OrganizationName = Annotated[str, typer.Option("--organization", help=Message("The name or the ID of the organization."))]
IsSandbox = Annotated[bool, typer.Option("--test", help=Message("The sandbox of the organization only."))]


@token_app.command("create")
def create_token(
    organization: OrganizationName,
    label: Annotated[str, typer.Option(help=Message("A label, such as the name of the identity provider."))],
    expires_in: Annotated[
        str | None, typer.Option("--expires-in", metavar="365d", help=Message("Validity of the token: 90s, 15m, 24h, 30d."))
    ] = None,
    test: IsSandbox = False,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Create a token. It is printed once and cannot be shown again."""
    lifetime = parse_duration(expires_in) if expires_in is not None else None
    try:
        request = ProvisioningTokenRequest(label=label, expires_in=lifetime)
    except ValidationError as error:
        raise typer.BadParameter(f"--{error.errors()[0]['loc'][0]}: {get_first_problem(error)}") from error

    async def create(runtime: Runtime) -> CreatedProvisioningToken:
        found = await find_organization(runtime, organization, _get_world(test=test))
        return await tokens.create_token(runtime, found.id, request, build_operator_author())

    created = run_with_runtime(data_dir, create)
    if as_json:
        print_json({**created.token.model_dump(mode="json", by_alias=True), "token": created.text})
        return
    out.print(created.text, highlight=False, soft_wrap=True)
    notice = Message(
        "Token {id} of {organization}. It is not shown again.", id=str(created.token.id), organization=created.token.organization
    )
    out.print(f"[dim]{escape(localize(notice))}[/]", highlight=False)


@token_app.command("list")
def list_tokens(data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """List every token with its organization and use, but not the token itself."""
    found = run_with_runtime(data_dir, tokens.list_all_tokens)
    if as_json:
        print_json([token.model_dump(mode="json", by_alias=True) for token in found])
        return
    headings = (
        Message("ID"),
        Message("Organization"),
        Message("Token"),
        Message("Label"),
        Message("Created"),
        Message("Last used"),
        Message("Status"),
    )
    print_table(headings, map(_build_cells, found), "fold", unbroken="ID")


@token_app.command("revoke")
def revoke_token(
    token_id: Annotated[UUID, typer.Argument(metavar="ID", help=Message("The ID of the token, as shown by `scim token list`."))],
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Revoke a token immediately."""
    revoked = run_with_runtime(data_dir, lambda runtime: tokens.revoke_any_token(runtime, token_id, build_operator_author()))
    if as_json:
        print_json(revoked.model_dump(mode="json", by_alias=True))
        return
    notice = Message("Token {id} of {organization} revoked.", id=str(revoked.id), organization=revoked.organization)
    out.print(escape(localize(notice)), highlight=False)


@group_app.command("list")
def list_groups(organization: OrganizationName, test: IsSandbox = False, data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """List the groups of an organization, the number of their members and the roles that they give."""

    async def read(runtime: Runtime) -> list[GroupSummary]:
        found = await find_organization(runtime, organization, _get_world(test=test))
        return await groups.list_group_summaries(runtime, found.id)

    found = run_with_runtime(data_dir, read)
    if as_json:
        print_json([{"id": each.id, "name": each.display_name, "role": each.role, "members": each.members} for each in found])
        return
    rows = [(escape(each.display_name), each.role.value if each.role is not None else "", str(each.members)) for each in found]
    print_table((Message("Group"), Message("Role"), Message("Members")), rows, "fold")


@group_app.command("role")
def set_group_role(
    name: Annotated[str, typer.Argument(metavar="GROUP", help=Message("The name of the group."))],
    role: Annotated[str, typer.Argument(metavar="ROLE", help=Message("owner, analyst, viewer, or none."))],
    organization: OrganizationName,
    test: IsSandbox = False,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Choose the role that a group gives its members."""
    if role not in {*Role, NO_ROLE}:
        raise typer.BadParameter(localize(Message("The role must be owner, analyst, viewer or none.")))

    async def change(runtime: Runtime) -> GroupSummary:
        found = await find_organization(runtime, organization, _get_world(test=test))
        matching = [each for each in await groups.list_group_summaries(runtime, found.id) if each.display_name == name]
        if not matching:
            raise NotFound(Message("There is no group named '{name}'.", name=name))
        chosen = Role(role) if role != NO_ROLE else None
        changed = await groups.set_group_role(runtime, found.id, matching[0].id, chosen, build_operator_author())
        return GroupSummary(changed.id, changed.attributes.display_name, changed.role, len(changed.attributes.members))

    changed = run_with_runtime(data_dir, change)
    if as_json:
        print_json({"id": changed.id, "name": changed.display_name, "role": changed.role, "members": changed.members})
        return
    given = Message("The group {name} gives the role {role}.", name=changed.display_name, role=role)
    none = Message("The group {name} gives no role.", name=changed.display_name)
    out.print(escape(localize(given if changed.role is not None else none)), highlight=False)


def _get_world(*, test: bool) -> World:
    return World.SANDBOX if test else World.LIVE


def _build_cells(token: ProvisioningToken) -> tuple[str, ...]:
    if token.revoked_at is not None:
        status = Message("revoked {time}", time=f"{token.revoked_at:%Y-%m-%d %H:%M}")
    elif token.expires_at is not None:
        status = Message("expires {time}", time=f"{token.expires_at:%Y-%m-%d %H:%M}")
    else:
        status = Message("does not expire")
    used = f"{token.last_used_at:%Y-%m-%d %H:%M}" if token.last_used_at is not None else localize(Message("never"))
    return (
        str(token.id),
        escape(token.organization),
        f"{token.prefix}…{token.last4}",
        escape(token.label),
        f"{token.created_at:%Y-%m-%d %H:%M}",
        used,
        localize(status),
    )
