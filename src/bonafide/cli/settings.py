"""`bonafide settings`: show and change the account settings of an organization."""

import base64
import json
from pathlib import Path
from typing import Annotated, Any

import typer
from pydantic import ValidationError
from rich.markup import escape

from bonafide.cli.command_runtime import build_operator_author, run_with_runtime
from bonafide.cli.options import AsJson, DataDir, print_json
from bonafide.cli.output import print_table
from bonafide.model.accounts.organizations import AccountSettings, SettingsChange, World
from bonafide.runtime import Runtime
from bonafide.services.accounts import organizations
from bonafide.services.accounts.organizations import LOGO, find_organization

app = typer.Typer(help="Show and change what an organization's checks do by default.", no_args_is_help=True)
OrganizationOption = Annotated[str, typer.Option("--organization", help="Whose settings.")]
TestOption = Annotated[bool, typer.Option("--test", help="Those of its test keys.")]
SettingAssignments = Annotated[
    list[str],
    typer.Argument(metavar="SETTING=VALUE…", help="For example search.sanctionsScreening=true, or branding.logo=@logo.png"),
]


@app.command()
def show(organization: OrganizationOption, test: TestOption = False, data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """Show all settings, defaults filled in."""
    _print_settings(run_with_runtime(data_dir, lambda runtime: _read(runtime, organization, _choose_world(test))), as_json)


async def _read(runtime: Runtime, name: str, world: World) -> AccountSettings:
    return await organizations.read_settings(runtime, (await find_organization(runtime, name, world)).id)


@app.command("set")
def set_settings(
    changes: SettingAssignments,
    organization: OrganizationOption,
    test: TestOption = False,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Set what is named and leave the rest. It stands in the trail under the name of whoever runs this."""
    try:
        change = SettingsChange.model_validate(_nest(changes))
    except ValidationError as error:
        problem = error.errors()[0]
        raise typer.BadParameter(f"{'.'.join(map(str, problem['loc']))}: {problem['msg']}") from error
    _print_settings(
        run_with_runtime(data_dir, lambda runtime: _change(runtime, organization, _choose_world(test), change)), as_json
    )


async def _change(runtime: Runtime, name: str, world: World, change: SettingsChange) -> AccountSettings:
    organization = await find_organization(runtime, name, world)
    return await organizations.change_settings(runtime, organization.id, change, build_operator_author())


def _choose_world(test: bool) -> World:
    return World.SANDBOX if test else World.LIVE


def _nest(changes: list[str]) -> dict[str, Any]:
    """`a.b=1` as `{"a": {"b": 1}}`."""
    nested: dict[str, Any] = {}
    for change in changes:
        path, equals, text = change.partition("=")
        if not equals:
            raise typer.BadParameter(f"{change!r} is no setting with a value: write for example search.sanctionsScreening=true")
        *sections, name = path.split(".")
        inside = nested
        for section in sections:
            inside = inside.setdefault(section, {})
        inside[name] = _parse_value(text)
    return nested


def _parse_value(text: str) -> object:
    if text.startswith("@"):
        return base64.b64encode(_read_file(Path(text[1:]))).decode()
    try:
        value: object = json.loads(text)
    except ValueError:
        return text
    return value


def _read_file(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise typer.BadParameter(f"{path} can't be read: {error.strerror}") from error


def _format_value(path: str, value: object) -> str:
    """A value in one line of a table; a picture is no line."""
    return f"an image, {len(str(value))} characters of base64" if path == LOGO and value is not None else json.dumps(value)


def _print_settings(settings: AccountSettings, as_json: bool) -> None:
    document = settings.model_dump(mode="json", by_alias=True)
    if as_json:
        print_json(document)
        return
    print_table(("Setting", "Value"), [(path, escape(_format_value(path, value))) for path, value in _flatten(document)])


def _flatten(document: dict[str, Any], prefix: str = "") -> list[tuple[str, Any]]:
    rows: list[tuple[str, Any]] = []
    for name, value in document.items():
        rows += _flatten(value, f"{prefix}{name}.") if isinstance(value, dict) else [(f"{prefix}{name}", value)]
    return rows
