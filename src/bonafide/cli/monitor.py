"""`bonafide monitor`: evaluate monitored records, and show the state of monitoring."""

import os
import socket
from collections.abc import Iterator
from dataclasses import asdict
from datetime import timedelta
from typing import Annotated
from uuid import uuid4

import typer

from bonafide.cli.command_runtime import run_with_runtime
from bonafide.cli.options import AsJson, DataDir, print_json
from bonafide.cli.output import out, print_table
from bonafide.cli.translation import localize
from bonafide.i18n.message import Message
from bonafide.model.accounts.organizations import World
from bonafide.model.monitoring.evaluations import MonitoredSource, MonitoringOverview
from bonafide.runtime import Runtime
from bonafide.services.accounts.organizations import find_organization
from bonafide.services.monitoring.repeated_queries import QueryProgress, run_due_queries
from bonafide.services.monitoring.scheduling import MonitoringProgress, run_monitoring
from bonafide.services.monitoring.status import read_organization_overview

app = typer.Typer(help=Message("Evaluate monitored records, and show the state of monitoring."), no_args_is_help=True)


@app.command()
def run(
    test: Annotated[bool, typer.Option("--test", help=Message("Evaluate the records of sandbox organizations."))] = False,
    query_minutes: Annotated[
        int, typer.Option(min=0, help=Message("Minutes for which registers and websites are queried at most."))
    ] = 10,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Evaluate all monitored records that changes concern, and send the queries that are due, now and in this process.

    A worker does the same continuously.
    """
    world = World.SANDBOX if test else World.LIVE

    async def work(runtime: Runtime) -> tuple[MonitoringProgress, QueryProgress]:
        done = await run_monitoring(runtime, world)
        worker = f"{socket.gethostname()}:{os.getpid()}:{uuid4().hex[:8]}"
        return done, await run_due_queries(runtime, world, worker, timedelta(minutes=query_minutes))

    done, sent = run_with_runtime(data_dir, work)
    if as_json:
        print_json({**asdict(done), "sentQueries": asdict(sent)})
        return
    message = Message(
        "Evaluated records: {records}. Events: {events}. Failed evaluations, which are tried again later: {failed}.",
        records=done.records,
        events=done.events,
        failed=done.failed,
    )
    out.print(localize(message), highlight=False, soft_wrap=True)
    queries = Message(
        "Queries of registers and websites: {queries}. Events: {events}. Failed queries, which are repeated later: {failed}.",
        queries=sent.queries,
        events=sent.events,
        failed=sent.failed,
    )
    out.print(localize(queries), highlight=False, soft_wrap=True)


@app.command()
def status(
    organization: Annotated[str, typer.Option(help=Message("The organization."))],
    test: Annotated[bool, typer.Option("--test", help=Message("Use its sandbox organization."))] = False,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Show how many monitored records an organization has by status, and what they were last evaluated against."""
    world = World.SANDBOX if test else World.LIVE

    async def read(runtime: Runtime) -> MonitoringOverview:
        return await read_organization_overview(runtime, (await find_organization(runtime, organization, world)).id, world)

    overview = run_with_runtime(data_dir, read)
    if as_json:
        print_json(overview.model_dump(mode="json", by_alias=True))
    else:
        _print_overview(overview)


def _print_overview(overview: MonitoringOverview) -> None:
    counts = overview.counts
    message = Message(
        "Monitored records: {current} current, {overdue} overdue, {never} never evaluated, {off} off. Queued: {queued}.",
        current=counts.current,
        overdue=counts.overdue,
        never=counts.never_evaluated,
        off=counts.off,
        queued=overview.queued,
    )
    out.print(localize(message), highlight=False, soft_wrap=True)
    due = Message("Queries of registers and websites that are due: {due}.", due=overview.due_queries)
    out.print(localize(due), highlight=False, soft_wrap=True)
    headings = [Message("Source"), Message("As of"), Message("Evaluated"), Message("Not evaluated"), Message("Note")]
    print_table(headings, map(list, map(_list_cells, overview.sources)))


def _list_cells(source: MonitoredSource) -> Iterator[str]:
    yield source.source
    yield source.as_of.isoformat() if source.as_of is not None else "–"
    yield f"{source.evaluated_at:%Y-%m-%d %H:%M}" if source.evaluated_at is not None else "–"
    yield str(source.records_not_evaluated)
    yield localize(Message("being evaluated")) if source.is_evaluating else localize(source.reason) if source.reason else ""
