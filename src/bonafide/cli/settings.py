"""`bonafide settings`: show and change the default settings of an organization."""

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
from bonafide.cli.translation import localize
from bonafide.i18n.message import Message
from bonafide.model.accounts.account_settings import AccountSettings, SettingsChange
from bonafide.model.accounts.organizations import World
from bonafide.model.validation_messages import describe_validation_error
from bonafide.runtime import Runtime
from bonafide.services.accounts import organizations
from bonafide.services.accounts.organizations import LOGO, find_organization

app = typer.Typer(help=Message("Show and change the default settings of an organization."), no_args_is_help=True)
OrganizationOption = Annotated[str, typer.Option("--organization", help=Message("The organization."))]
TestOption = Annotated[bool, typer.Option("--test", help=Message("Use its sandbox organization."))]
SettingAssignments = Annotated[
    list[str],
    typer.Argument(metavar="SETTING=VALUE", help=Message("A setting and its value; @ reads a file.")),
]


@app.command()
def show(organization: OrganizationOption, test: TestOption = False, data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """Show all settings, including defaults."""
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
    """Change the given settings. Changes are recorded in the audit log under your name."""
    try:
        change = SettingsChange.model_validate(_nest(changes))
    except ValidationError as error:
        problem = error.errors()[0]
        setting = ".".join(map(str, problem["loc"]))
        raise typer.BadParameter(f"{setting}: {localize(describe_validation_error(problem))}") from error
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
            message = Message("'{text}' is not a setting with a value, such as search.sanctionsScreening=true.", text=change)
            raise typer.BadParameter(localize(message))
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
        message = Message("{file} can’t be read: {problem}", file=str(path), problem=error.strerror or "")
        raise typer.BadParameter(localize(message)) from error


def _format_value(path: str, value: object) -> str:
    """A value in one line of a table. An image is summarized."""
    if path == LOGO and value is not None:
        return localize(Message("image, {count:,} characters of base64", count=len(str(value))))
    return json.dumps(value, ensure_ascii=False)


def _print_settings(settings: AccountSettings, as_json: bool) -> None:
    document = settings.model_dump(mode="json", by_alias=True)
    if as_json:
        print_json(document)
        return
    print_table(
        (Message("Setting"), Message("Value")), [(path, escape(_format_value(path, value))) for path, value in _flatten(document)]
    )


def _flatten(document: dict[str, Any], prefix: str = "") -> list[tuple[str, Any]]:
    rows: list[tuple[str, Any]] = []
    for name, value in document.items():
        rows += _flatten(value, f"{prefix}{name}.") if isinstance(value, dict) else [(f"{prefix}{name}", value)]
    return rows
