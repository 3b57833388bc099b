"""Deliveries of erased events are not sent, and do not stop the others."""

from collections.abc import AsyncIterator
from uuid import UUID

import pytest
from sqlalchemy import delete

from bonafide.model.accounts.organizations import Principal
from bonafide.runtime import Runtime
from bonafide.services.retention.erasing import run_erasure
from bonafide.services.retention.erasure_requests import erase_business
from bonafide.services.webhooks.fan_out import create_deliveries
from bonafide.store.database.tables import events
from tests.support.services.business_records import sent
from tests.support.services.cases import ANN
from tests.support.services.events import list_events
from tests.support.services.retention import REASON
from tests.support.services.runtimes import principal_of
from tests.support.webhooks.delivering import add_endpoint, deliver_all, read_deliveries, record, with_loopback
from tests.support.webhooks.receiver import WebhookReceiver, receiving

pytestmark = pytest.mark.anyio


@pytest.fixture
def runtime(empty_runtime: Runtime) -> Runtime:
    return with_loopback(empty_runtime)


@pytest.fixture
async def organization(runtime: Runtime) -> UUID:
    owner: Principal = await principal_of(runtime, "north")
    return owner.organization_id


@pytest.fixture
async def receiver() -> AsyncIterator[WebhookReceiver]:
    async with receiving() as opened:
        yield opened


async def test_what_is_still_to_be_sent_of_an_erased_business_is_not_sent(
    runtime: Runtime, organization: UUID, receiver: WebhookReceiver
) -> None:
    endpoint = await add_endpoint(runtime, organization, receiver.address)
    business = await sent(runtime, organization, name="Quillwander Inc.")
    (other,) = await record(runtime, organization)
    assert await create_deliveries(runtime)
    accepted = await erase_business(runtime, organization, business.id, REASON, ANN)
    await run_erasure(runtime, organization, accepted.erasure_id)
    await deliver_all(runtime)
    erased = (await list_events(runtime, organization))[-1]
    assert sorted(receiver.ids) == sorted([other, str(erased.id)])
    assert not any(b"Quillwander" in request.body for request in receiver.received)
    deliveries = await read_deliveries(runtime, organization, endpoint.id)
    assert sorted(delivery.event_type.value for delivery in deliveries) == ["business.updated", "data.erased"]


async def test_a_delivery_of_an_event_that_was_deleted_meanwhile_is_dropped(
    runtime: Runtime, organization: UUID, receiver: WebhookReceiver
) -> None:
    endpoint = await add_endpoint(runtime, organization, receiver.address)
    gone, kept = await record(runtime, organization, 2)
    assert await create_deliveries(runtime)
    async with runtime.store.write() as connection:
        await connection.execute(delete(events).where(events.c.organization_id == organization, events.c.id == UUID(gone)))
    await deliver_all(runtime)
    assert receiver.ids == [kept]
    assert [str(delivery.event_id) for delivery in await read_deliveries(runtime, organization, endpoint.id)] == [kept]
