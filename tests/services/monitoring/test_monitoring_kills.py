"""Workers, the service and the receiver are killed at random moments while records change and sources are loaded.

Each acknowledged change of a record has one event, each fact one alert, the feed has no gap, and all of it is delivered.
"""

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from bonafide.model.accounts.organizations import KeyRequest, World
from bonafide.model.entity import RegistrationNumber, StatusCode
from bonafide.model.entry import RegistryEntry
from bonafide.model.events.event import EventType
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.runtime import Runtime
from bonafide.services.accounts import api_access
from tests.support.monitoring.keyed_changes import ChangingClients
from tests.support.monitoring.killed_installation import (
    PARTS,
    KilledInstallation,
    count_alerts,
    until_alerts,
    until_evaluated,
    until_followed,
)
from tests.support.recorded_figures import FIGURES
from tests.support.sampling import WHOLE
from tests.support.services.loading import put
from tests.support.services.monitoring import HIT_EVENTS, monitored
from tests.support.services.runtimes import principal_of
from tests.support.services.sanctions_lists import SEMA, load, load_lists, party
from tests.support.webhooks.delivering import add_endpoint, with_loopback
from tests.support.webhooks.killed_deliveries import count_lines, make_all_due, until_delivered, until_lines

pytestmark = [pytest.mark.anyio, pytest.mark.slow]
KILLS = 30 if WHOLE else 6
PARTIES = 6
"""Parties that each load adds to the list. A record has the name of each."""
REGISTER, NUMBER, NAME = "ns", "3301234", "Quiet Harbour Bakery Limited"
MOST_LINES = 60
"""Deliveries after which a process is killed at the latest."""
LETTERS = ("bdfgklmnprstvz", "aeiou")


def invent_names(chance: random.Random, count: int) -> list[str]:
    """Names of two words that are unlike each other."""
    return [" ".join("".join(chance.choice(LETTERS[n % 2]) for n in range(8)).title() for _ in range(2)) for _ in range(count)]


def load_register(runtime: Runtime, step: int) -> None:
    """Load a register whose entry has another status in each step."""
    entry = RegistryEntry(
        entry_id=NUMBER,
        jurisdiction=Jurisdiction.NS,
        registration_numbers=(RegistrationNumber(label="Registry ID", value=NUMBER),),
        legal_name=NAME,
        status=f"Active, {step}",
        status_code=StatusCode.ACTIVE,
    )
    put(runtime, REGISTER, [entry], World.SANDBOX)


async def test_each_change_has_one_event_and_each_fact_one_alert(
    empty_runtime: Runtime, database_url: str, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    runtime = with_loopback(replace(empty_runtime, clock=lambda: datetime.now(UTC)))
    chance = random.Random(3)  # noqa: S311 - the same moments each time
    principal = await principal_of(runtime, "north")
    organization = principal.organization_id
    request = KeyRequest(organization="north", world=World.SANDBOX, rate_limit=1_000_000)
    key = (await api_access.create_key(runtime, request)).text
    installation = KilledInstallation(runtime, database_url, key, tmp_path / "journal")
    endpoint = await add_endpoint(runtime, organization, installation.receiver_url)
    names = invent_names(chance, PARTIES * (KILLS + 1))
    clients = ChangingClients(installation.url, key, names, chance)
    loaded_at = runtime.clock()
    load_lists(runtime, {})
    load_register(runtime, 0)
    await monitored(runtime, principal, NAME, externalId=NAME, jurisdiction="NS", registrationNumber=NUMBER)
    try:
        for part in PARTS:
            installation.restart(part)
        await until_evaluated(runtime, organization, {SEMA, REGISTER}, loaded_at)
        async with clients.changing():
            for step in range(1, KILLS + 1):
                # Half of the records exist before the load that lists them.
                clients.wanted = step * PARTIES + PARTIES // 2
                loaded_at, known = runtime.clock(), await count_alerts(runtime, organization)
                load(runtime, SEMA, *(party(name, name) for name in names[: step * PARTIES]))
                load_register(runtime, step)
                await make_all_due(runtime)
                part = PARTS[step % len(PARTS)]
                if part == "worker":
                    # A worker looks for new loads when it starts.
                    installation.restart(part)
                    await until_alerts(runtime, organization, known + chance.randrange(1, PARTIES // 2 + 1))
                else:
                    await until_lines(installation.journal, count_lines(installation.journal) + chance.randrange(1, MOST_LINES))
                installation.restart(part)
        installation.restart("worker")
        await until_evaluated(runtime, organization, {SEMA, REGISTER}, loaded_at)
        await until_followed(runtime)
        await until_delivered(runtime, organization, endpoint.id)
        feed = installation.read_feed()
    finally:
        installation.stop()
    delivered = installation.journal.read_text().split()
    figures = f"{KILLS} kills, {clients.repeated} requests repeated, {len(delivered)} deliveries of {len(feed)} events"
    record_property(FIGURES, figures)
    assert set(delivered) == {event["id"] for event in feed}
    check_feed(feed, clients, names[: KILLS * PARTIES])


def check_feed(feed: list[dict[str, Any]], clients: ChangingClients, listed: list[str]) -> None:
    """Check that the feed has no gap, one event for each acknowledged change and each fact, and nothing else."""
    assert [event["sequence"] for event in feed] == list(range(1, len(feed) + 1))
    changes = Counter((event["business"]["externalId"], event["type"]) for event in feed if event["type"].startswith("business."))
    assert changes == clients.acknowledged + Counter({(NAME, "business.created"): 1})
    hits = [event for event in feed if event["type"] in HIT_EVENTS]
    found = Counter((event["type"], event["business"]["externalId"], event["subject"]["entryId"]) for event in hits)
    assert found == Counter((EventType.SCREENING_HIT_FOUND, name, name) for name in listed)
    statuses = [event["changes"][0] for event in feed if event["type"] == EventType.REGISTRY_STATUS_CHANGED]
    assert [change["from"] for change in statuses] == ["Active, 0", *(change["to"] for change in statuses[:-1])]
    assert statuses[-1]["to"] == f"Active, {KILLS}"
    with_items = {event["business"]["externalId"] for event in feed if event["type"] in HIT_EVENTS or event["alert"] is not None}
    cases = [event["business"]["externalId"] for event in feed if event["type"] == EventType.CASE_OPENED]
    assert sorted(cases) == sorted(with_items)
    assert len(feed) == sum(changes.values()) + len(hits) + len(statuses) + len(cases)
