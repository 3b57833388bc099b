"""Workers and receivers are killed at random moments: each event is delivered at least once, and none is invented."""

import random
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bonafide.runtime import Runtime
from bonafide.services.webhooks.deliveries import list_deliveries
from tests.support.sampling import WHOLE
from tests.support.servers.ports import HOST, free_port
from tests.support.services.runtimes import principal_of
from tests.support.webhooks.delivering import add_endpoint, record, with_loopback
from tests.support.webhooks.journal_receiver import receiving_process
from tests.support.webhooks.killed_deliveries import count_lines, make_all_due, until_delivered, until_lines, working

pytestmark = [pytest.mark.anyio, pytest.mark.slow]
KILLS = 30 if WHOLE else 8
SEED = 2
EVENTS = 40
"""Events that are recorded before each kill."""


async def test_each_event_is_delivered_whatever_is_killed(empty_runtime: Runtime, database_url: str, tmp_path: Path) -> None:
    # The worker process has the time of the machine, so this process has it too.
    runtime = with_loopback(replace(empty_runtime, clock=lambda: datetime.now(UTC)))
    chance, journal, port = random.Random(SEED), tmp_path / "journal", free_port()  # noqa: S311 - the same moments each time
    organization = (await principal_of(runtime, "north")).organization_id
    endpoint = await add_endpoint(runtime, organization, f"http://{HOST}:{port}/")
    expected: list[str] = []
    with ExitStack() as receivers, ExitStack() as workers:
        receivers.enter_context(receiving_process(port, journal))
        workers.enter_context(working(runtime, database_url))
        for place in range(KILLS):
            before = count_lines(journal)
            expected += await record(runtime, organization, EVENTS)
            await make_all_due(runtime)
            await until_lines(journal, before + chance.randrange(1, EVENTS))
            if place % 2 == 0:
                workers.close()
                workers.enter_context(working(runtime, database_url))
            else:
                receivers.close()
                receivers.enter_context(receiving_process(port, journal))
        await until_delivered(runtime, organization, endpoint.id)

    assert set(journal.read_text().split()) == set(expected)
    page = await list_deliveries(runtime, organization, endpoint.id, None, 2 * len(expected))
    assert [str(delivery.event_id) for delivery in page.deliveries] == expected
