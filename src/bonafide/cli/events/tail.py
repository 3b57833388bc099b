"""`bonafide events`: print what changes in an organization."""

from collections.abc import AsyncIterator
from typing import Annotated

import typer

from bonafide.cli.command_runtime import open_command_runtime, run_until_interrupted
from bonafide.cli.events.feeds import EventDocument, StoredEventFeed, follow_events, format_event, read_stored_events
from bonafide.cli.options import AsJson, DataDir, print_json
from bonafide.cli.output import out
from bonafide.i18n.message import Message
from bonafide.model.accounts.organizations import World
from bonafide.model.events.event import EventType
from bonafide.services.accounts.organizations import find_organization

app = typer.Typer(help=Message("Print what changes in an organization."), no_args_is_help=True)
MAX_EVENTS = 10_000


@app.callback()
def _group() -> None:
    """Keeps `tail` a subcommand although it is the only one."""


@app.command()
def tail(
    organization: Annotated[str, typer.Option(help=Message("The organization."))],
    test: Annotated[bool, typer.Option("--test", help=Message("Use its sandbox organization."))] = False,
    types: Annotated[
        list[EventType] | None, typer.Option("--type", help=Message("Print only events of this type. Can be repeated."))
    ] = None,
    lines: Annotated[int, typer.Option("--lines", "-n", min=0, max=MAX_EVENTS, help=Message("Number of past events."))] = 20,
    follow: Annotated[bool, typer.Option("--follow", "-f", help=Message("Print new events until interrupted."))] = False,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Print the last events of an organization, oldest first, and with --follow those that come.

    With --type, only those of the last events that have one of these types are printed. With --json, each line is an event as the
    API returns it.
    """
    world = World.SANDBOX if test else World.LIVE

    async def print_events() -> None:
        async with open_command_runtime(data_dir) as runtime:
            source = StoredEventFeed(runtime, (await find_organization(runtime, organization, world)).id, types)
            cursor = await source.find_before_last(lines)
            await _print(follow_events(source, cursor) if follow else read_stored_events(source, cursor), as_json=as_json)

    run_until_interrupted(print_events())


async def _print(events: AsyncIterator[EventDocument], *, as_json: bool) -> None:
    async for event in events:
        if as_json:
            print_json(event)
        else:
            out.print(format_event(event), highlight=False, soft_wrap=True)
