"""`bonafide risk`: show, save, replay and activate the risk rules of an organization."""

import json
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, TypeVar
from uuid import UUID

import typer
import yaml
from pydantic import ValidationError

from bonafide.cli.command_runtime import build_operator_author, run_with_runtime
from bonafide.cli.options import AsJson, DataDir, print_json
from bonafide.cli.output import out, print_table
from bonafide.cli.translation import localize
from bonafide.i18n.message import Message
from bonafide.model.accounts.organizations import World
from bonafide.model.base import Document
from bonafide.model.risk.replay import RiskReplay
from bonafide.model.risk.rules import RiskRulesAnswer, RiskRulesInput
from bonafide.model.validation_messages import describe_validation_error
from bonafide.package_data import parse_yaml
from bonafide.runtime import Runtime
from bonafide.services.accounts.organizations import find_organization
from bonafide.services.risk import replay, rule_versions

app = typer.Typer(help=Message("Show, save, replay and activate risk rules."), no_args_is_help=True)
OrganizationName = Annotated[str, typer.Option("--organization", help=Message("The organization."))]
InSandbox = Annotated[bool, typer.Option("--test", help=Message("Use its sandbox organization."))]
RulesVersionNumber = Annotated[int, typer.Argument(min=0, metavar="VERSION", help=Message("The version; 0 is the built-in one."))]
AnswerT = TypeVar("AnswerT", bound=Document)


@app.command()
def rules(
    organization: OrganizationName,
    version: Annotated[
        int | None, typer.Option(min=0, help=Message("The version; the draft, else the active one by default."))
    ] = None,
    test: InSandbox = False,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Show a version of the rules, and the list of versions."""
    _print_rules(
        _run(data_dir, organization, test, lambda runtime, owner: rule_versions.read_rules(runtime, owner, version)),
        as_json=as_json,
    )


@app.command()
def save(
    file: Annotated[Path, typer.Argument(dir_okay=False, help=Message("A file in YAML or JSON with rules and bands."))],
    organization: OrganizationName,
    test: InSandbox = False,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Save the rules of a file as the draft. Changes are recorded in the audit log under your name."""
    sent = _read_rules(file)
    author = build_operator_author()
    _print_rules(
        _run(data_dir, organization, test, lambda runtime, owner: rule_versions.save_draft(runtime, owner, sent, author)),
        as_json=as_json,
    )


@app.command("replay")
def replay_version(
    version: RulesVersionNumber,
    organization: OrganizationName,
    since: Annotated[datetime | None, typer.Option(help=Message("Only searches since this time (UTC)."))] = None,
    test: InSandbox = False,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Rate the newest searches by a version and by the active one, without changing anything."""
    start = since.replace(tzinfo=UTC) if since is not None else None
    found = _run(data_dir, organization, test, lambda runtime, owner: replay.replay_rules(runtime, owner, version, start))
    if as_json:
        print_json(found.model_dump(mode="json", by_alias=True))
    else:
        _print_replay(found)


@app.command()
def activate(
    version: RulesVersionNumber,
    organization: OrganizationName,
    test: InSandbox = False,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Activate a version, and retire the active one."""
    author = build_operator_author()
    _print_rules(
        _run(data_dir, organization, test, lambda runtime, owner: rule_versions.activate(runtime, owner, version, author)),
        as_json=as_json,
    )


def _run(
    data_dir: Path | None,
    organization: str,
    test: bool,
    work: Callable[[Runtime, UUID], Awaitable[AnswerT]],
) -> AnswerT:
    world = World.SANDBOX if test else World.LIVE

    async def run(runtime: Runtime) -> AnswerT:
        return await work(runtime, (await find_organization(runtime, organization, world)).id)

    return run_with_runtime(data_dir, run)


def _read_rules(file: Path) -> RiskRulesInput:
    """The rules of a file. Raises `typer.BadParameter` with the field and the reason."""
    try:
        # JSON is YAML.
        content: Any = parse_yaml(file.read_text("utf-8"))
        return RiskRulesInput.model_validate_json(json.dumps(content))
    except OSError as error:
        raise typer.BadParameter(localize(Message("{path} can’t be read.", path=str(file)))) from error
    except (yaml.YAMLError, UnicodeDecodeError, TypeError) as error:
        raise typer.BadParameter(localize(Message("The file is neither YAML nor JSON."))) from error
    except ValidationError as error:
        problem = error.errors()[0]
        path = ".".join(map(str, problem["loc"]))
        raise typer.BadParameter(f"{path}: {localize(describe_validation_error(problem))}") from error


def _print_rules(answer: RiskRulesAnswer, *, as_json: bool) -> None:
    if as_json:
        print_json(answer.model_dump(mode="json", by_alias=True))
        return
    message = Message("Version {version} ({status})", version=answer.version, status=answer.status.value)
    out.print(localize(message), highlight=False, soft_wrap=True)
    headings = [Message("Rule"), Message("Points"), Message("Unknown"), Message("Condition")]
    print_table(headings, ([rule.id, str(rule.points), str(rule.points_if_unknown), rule.when] for rule in answer.rules), "fold")
    print_table([Message("Band"), Message("Lowest points")], ([band.name, str(band.from_)] for band in answer.bands))
    if answer.versions:
        headings = [Message("Version"), Message("Status"), Message("Saved by")]
        print_table(headings, ([str(one.version), one.status.value, one.saved_by] for one in answer.versions))


def _print_replay(found: RiskReplay) -> None:
    message = Message(
        "Searches: {results}. In another band: {changed}. With rules that could not be evaluated: {incomplete}.",
        results=found.results,
        changed=found.changed,
        incomplete=found.incomplete,
    )
    out.print(localize(message), highlight=False, soft_wrap=True)
    rows = ([band.name, str(band.before) if band.before is not None else "", str(band.after)] for band in found.bands)
    print_table([Message("Band"), Message("Before"), Message("After")], rows)
    if found.examples:
        headings = [Message("ID"), Message("Name"), Message("Before"), Message("After")]
        print_table(
            headings,
            (
                [str(one.search_id), one.name or "", one.before.band if one.before is not None else "", one.after.band]
                for one in found.examples
            ),
        )
