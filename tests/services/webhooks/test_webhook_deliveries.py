"""Which events become deliveries: filters, positions, pauses, replay, and the log with its pages and its end."""

from collections.abc import AsyncIterator
from datetime import timedelta
from uuid import UUID, uuid4

import pytest
from sqlalchemy import func, select

from bonafide.errors import NotFound, ValidationFailed
from bonafide.model.events.event import EventSeverity, EventType
from bonafide.model.records.business_input import BusinessUpsert
from bonafide.model.webhooks import DeliveryStatus, ReplayRequest, WebhookEndpointChange
from bonafide.runtime import Runtime
from bonafide.services.records.business_records import upsert
from bonafide.services.webhooks import deliveries
from bonafide.services.webhooks.deliveries import (
    KEEP_FINISHED,
    list_deliveries,
    list_newest_deliveries,
    purge_deliveries,
    replay_events,
)
from bonafide.services.webhooks.endpoints import change_endpoint, delete_endpoint, send_test_event
from bonafide.services.webhooks.fan_out import create_deliveries
from bonafide.store.database.schema.webhook_tables import webhook_deliveries, webhook_endpoints
from tests.support.services.runtimes import clock_of, principal_of
from tests.support.webhooks.delivering import ANALYST, add_endpoint, deliver_all, read_deliveries, record, with_loopback
from tests.support.webhooks.receiver import WebhookReceiver, receiving

pytestmark = pytest.mark.anyio
URL = "https://hooks.example.com/bonafide"
HIGH, LOW = EventSeverity.HIGH, EventSeverity.LOW


@pytest.fixture
def sender(empty_runtime: Runtime) -> Runtime:
    return with_loopback(empty_runtime)


@pytest.fixture
async def organization(sender: Runtime) -> UUID:
    return (await principal_of(sender, "north")).organization_id


@pytest.fixture
async def receiver() -> AsyncIterator[WebhookReceiver]:
    async with receiving() as opened:
        yield opened


async def list_event_ids(runtime: Runtime, organization_id: UUID, endpoint_id: UUID) -> list[str]:
    return [str(delivery.event_id) for delivery in await read_deliveries(runtime, organization_id, endpoint_id)]


async def test_each_endpoint_receives_what_its_filter_selects(sender: Runtime, organization: UUID) -> None:
    business = (await upsert(sender, organization, BusinessUpsert(name="Sandbox Bakery Inc."), ANALYST)).record.id
    everything = await add_endpoint(sender, organization, URL)
    typed = await add_endpoint(sender, organization, URL, types=["report.ready"])
    severe = await add_endpoint(sender, organization, URL, minSeverity="medium")
    of_business = await add_endpoint(sender, organization, URL, businessIds=[str(business)])
    paused = await add_endpoint(sender, organization, URL, enabled=False)
    plain = await record(sender, organization)
    ready = await record(sender, organization, event_type=EventType.REPORT_READY, severity=HIGH)
    low = await record(sender, organization, severity=LOW, business_id=business)
    south = (await principal_of(sender, "south")).organization_id
    await record(sender, south)

    while await create_deliveries(sender):
        pass

    found = {one.id: await list_event_ids(sender, organization, one.id) for one in (everything, typed, severe, of_business, paused)}
    assert found == {everything.id: plain + ready + low, typed.id: ready, severe.id: ready, of_business.id: low, paused.id: []}


async def test_an_endpoint_begins_with_the_events_after_it_was_created_or_enabled(sender: Runtime, organization: UUID) -> None:
    await record(sender, organization, 3)
    endpoint = await add_endpoint(sender, organization, URL)
    first = await record(sender, organization, 2)
    await create_deliveries(sender)
    await change_endpoint(sender, organization, endpoint.id, WebhookEndpointChange(enabled=False), ANALYST)
    await record(sender, organization, 2)
    await create_deliveries(sender)
    await change_endpoint(sender, organization, endpoint.id, WebhookEndpointChange(enabled=True), ANALYST)
    last = await record(sender, organization, 2)
    await create_deliveries(sender)

    assert not await create_deliveries(sender)
    assert await list_event_ids(sender, organization, endpoint.id) == first + last


async def test_many_events_are_followed_in_batches(sender: Runtime, organization: UUID) -> None:
    early = await add_endpoint(sender, organization, URL)
    expected = await record(sender, organization, 700)
    late = await add_endpoint(sender, organization, URL)
    expected += await record(sender, organization, 10)
    while await create_deliveries(sender):
        pass

    stored = await read_deliveries(sender, organization, early.id)
    assert [str(delivery.event_id) for delivery in stored] == expected
    assert [delivery.sequence for delivery in stored] == list(range(stored[0].sequence, stored[0].sequence + 710))
    assert await list_event_ids(sender, organization, late.id) == expected[700:]


async def test_events_are_replayed_by_id_whatever_the_filter(
    sender: Runtime, organization: UUID, receiver: WebhookReceiver
) -> None:
    one, two, _ = await record(sender, organization, 3)
    endpoint = await add_endpoint(sender, organization, receiver.address, types=["report.ready"])
    result = await replay_events(sender, organization, endpoint.id, ReplayRequest(event_ids=(UUID(two), UUID(one))), ANALYST)
    await deliver_all(sender)
    again = await replay_events(sender, organization, endpoint.id, ReplayRequest(event_ids=(UUID(one),)), ANALYST)
    await deliver_all(sender)

    assert (result.count, again.count) == (2, 1)
    assert sorted(receiver.ids) == sorted([one, one, two])
    ids = [delivery.id for delivery in await read_deliveries(sender, organization, endpoint.id)]
    assert len(set(ids)) == 3
    with pytest.raises(ValidationFailed) as refused:
        await replay_events(sender, organization, endpoint.id, ReplayRequest(event_ids=(UUID(one), uuid4())), ANALYST)
    assert [problem.path for problem in refused.value.details] == ["eventIds"]


async def test_a_span_is_replayed_as_the_filter_selects(sender: Runtime, organization: UUID) -> None:
    clock, started = clock_of(sender), clock_of(sender).now
    await record(sender, organization, severity=HIGH)
    clock.advance(minutes=1)
    (inside,) = await record(sender, organization, severity=HIGH)
    await record(sender, organization, severity=LOW)
    clock.advance(minutes=1)
    (after,) = await record(sender, organization, severity=HIGH)
    endpoint = await add_endpoint(sender, organization, URL, minSeverity="high")
    since = started + timedelta(seconds=30)
    span = ReplayRequest(since=since, until=since + timedelta(minutes=1))

    assert (await replay_events(sender, organization, endpoint.id, span, ANALYST)).count == 1
    assert (await replay_events(sender, organization, endpoint.id, ReplayRequest(since=since), ANALYST)).count == 2
    assert await list_event_ids(sender, organization, endpoint.id) == [inside, inside, after]


async def test_a_replay_of_too_many_events_is_refused_as_a_whole(
    sender: Runtime, organization: UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = clock_of(sender).now - timedelta(seconds=1)
    await record(sender, organization, 6)
    endpoint = await add_endpoint(sender, organization, URL)
    monkeypatch.setattr(deliveries, "MAX_REPLAYED", 5)
    monkeypatch.setattr(deliveries, "_READ_AT_ONCE", 2)
    with pytest.raises(ValidationFailed):
        await replay_events(sender, organization, endpoint.id, ReplayRequest(since=started), ANALYST)
    assert await read_deliveries(sender, organization, endpoint.id) == ()


async def test_a_replay_never_delivers_events_about_the_endpoint_itself(sender: Runtime, organization: UUID) -> None:
    tested = await add_endpoint(sender, organization, URL)
    other = await add_endpoint(sender, organization, URL)
    sent = await send_test_event(sender, organization, tested.id, ANALYST)
    request = ReplayRequest(event_ids=(sent.event_id,))
    assert (await replay_events(sender, organization, other.id, request, ANALYST)).count == 0
    assert (await replay_events(sender, organization, tested.id, request, ANALYST)).count == 1


async def test_the_log_has_pages_in_both_directions(sender: Runtime, organization: UUID, receiver: WebhookReceiver) -> None:
    endpoint = await add_endpoint(sender, organization, receiver.address)
    expected = await record(sender, organization, 5)
    await deliver_all(sender)
    more = await record(sender, organization, 1)
    await create_deliveries(sender)

    page = await list_deliveries(sender, organization, endpoint.id, DeliveryStatus.DELIVERED, 3)
    rest = await list_deliveries(sender, organization, endpoint.id, DeliveryStatus.DELIVERED, 3, page.cursor.next)
    later = await list_deliveries(sender, organization, endpoint.id, None, 3, rest.cursor.next)
    assert [str(one.event_id) for one in (*page.deliveries, *rest.deliveries)] == expected
    assert (page.pagination.has_more, rest.pagination.has_more) == (True, False)
    assert [str(one.event_id) for one in later.deliveries] == more
    newest = await list_newest_deliveries(sender, organization, endpoint.id, None, 4)
    older = await list_newest_deliveries(sender, organization, endpoint.id, None, 4, newest.older)
    assert [str(one.event_id) for one in (*newest.deliveries, *older.deliveries)] == (expected + more)[::-1]
    assert older.older is None
    with pytest.raises(ValidationFailed):
        await list_deliveries(sender, organization, endpoint.id, None, 3, "e1.3")
    with pytest.raises(NotFound):
        await list_deliveries(sender, organization, uuid4(), None, 3)


async def test_old_deliveries_and_those_of_deleted_endpoints_are_purged(
    sender: Runtime, organization: UUID, receiver: WebhookReceiver
) -> None:
    kept = await add_endpoint(sender, organization, receiver.address)
    deleted = await add_endpoint(sender, organization, URL)
    await record(sender, organization, 2)
    await deliver_all(sender)
    clock_of(sender).now += KEEP_FINISHED + timedelta(seconds=1)
    recent = await record(sender, organization)
    await deliver_all(sender)
    await delete_endpoint(sender, organization, deleted.id, ANALYST)
    await purge_deliveries(sender)

    assert await list_event_ids(sender, organization, kept.id) == recent
    async with sender.store.read() as connection:
        of_deleted = select(func.count()).where(webhook_deliveries.c.endpoint_id == deleted.id)
        assert (await connection.execute(of_deleted)).scalar_one() == 0
        assert list((await connection.execute(select(webhook_endpoints.c.id))).scalars()) == [kept.id]


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"eventIds": []},
        {"until": "2026-11-20T00:00:00Z"},
        {"eventIds": [str(UUID(int=1))], "since": "2026-11-20T00:00:00Z"},
        {"eventIds": [str(UUID(int=1))], "until": "2026-11-20T00:00:00Z"},
        {"since": "2026-11-20T00:00:00Z", "until": "2026-11-19T00:00:00Z"},
    ],
    ids=str,
)
def test_a_replay_has_either_ids_or_a_span(body: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="validation error"):
        ReplayRequest.model_validate(body)
