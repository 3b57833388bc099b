"""`bonafide events`: print what changes in an organization."""

import asyncio
from datetime import datetime
from typing import Annotated
from uuid import UUID

import typer
from rich.markup import escape

from bonafide.cli.command_runtime import run_with_runtime
from bonafide.cli.options import AsJson, DataDir
from bonafide.cli.output import out
from bonafide.i18n.message import Message
from bonafide.model.accounts.organizations import World
from bonafide.model.events.event import Event, EventSeverity, EventType
from bonafide.runtime import Runtime
from bonafide.services.accounts.organizations import find_organization
from bonafide.services.events import feed
from bonafide.store.records.events import EventFilter

app = typer.Typer(help=Message("Print what changes in an organization."), no_args_is_help=True)
POLL_INTERVAL_S = 1.0
PAGE = 100
MAX_EVENTS = 10_000
_COLOURS = {EventSeverity.MEDIUM: "yellow", EventSeverity.HIGH: "red", EventSeverity.CRITICAL: "bold red"}


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
    chosen = EventFilter(frozenset(types) if types else None)
    world = World.SANDBOX if test else World.LIVE

    async def print_events(runtime: Runtime) -> None:
        organization_id = (await find_organization(runtime, organization, world)).id
        position = await feed.find_position_before_last(runtime, organization_id, lines)
        while True:
            position = await _print_after(runtime, organization_id, chosen, position, as_json=as_json)
            if not follow:
                return
            await asyncio.sleep(POLL_INTERVAL_S)

    try:
        run_with_runtime(data_dir, print_events)
    except KeyboardInterrupt:
        raise typer.Exit from None


async def _print_after(runtime: Runtime, organization_id: UUID, chosen: EventFilter, position: int, *, as_json: bool) -> int:
    """Print all events after a position; returns the position of the last one."""
    while True:
        page = await feed.read_events(runtime, organization_id, chosen, PAGE, position=position)
        for event in page.events:
            if as_json:
                typer.echo(event.to_json())
            else:
                out.print(_format_event(event), highlight=False, soft_wrap=True)
        position = feed.decode_position(page.cursor.next)
        if not page.pagination.has_more:
            return position


def _format_event(event: Event) -> str:
    colour = _COLOURS.get(event.severity)
    kind = f"[{colour}]{event.type}[/]" if colour is not None else event.type.value
    business = event.business.name if event.business is not None else None
    names = dict.fromkeys(name for name in (business, event.subject.name) if name is not None)
    changes = ", ".join(f"{change.field}: {change.from_} → {change.to}" for change in event.changes)
    return "  ".join(part for part in (_format_time(event.occurred_at), kind, escape(" / ".join(names)), escape(changes)) if part)


def _format_time(instant: datetime) -> str:
    return instant.strftime("%Y-%m-%d %H:%M:%S")
