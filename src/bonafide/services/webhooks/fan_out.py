"""Create the deliveries of new events: a loop of the worker that follows the events of each organization.

Each endpoint has a position, the number of the last event for which deliveries were created. Deliveries and the position are
written in one transaction, unless another worker has moved the position, so that no event is left out or delivered twice.
"""

from uuid import UUID

from bonafide.errors import BonafideError
from bonafide.model.webhooks import EndpointConfiguration
from bonafide.observability.log import get_logger
from bonafide.runtime import Runtime
from bonafide.services.webhooks.event_filter import matches_filter
from bonafide.store.work import webhook_deliveries
from bonafide.store.work.webhook_deliveries import EndpointPosition, EventKey, NewDeliveries

CHECK_EVERY_S = 0.25
"""Between two looks for new events where nothing notifies: the longest delay that a delivery has because of them."""
BATCH = 500
"""Events of one organization that are read at once, before it is another organization's turn."""
ORGANIZATIONS = 100
_log = get_logger(__name__)


async def run_fan_out_loop(runtime: Runtime) -> None:
    """Create deliveries as events are committed, until cancelled."""
    async with runtime.store.listen(webhook_deliveries.CHANNEL) as changes:
        while True:
            try:
                is_behind = await create_deliveries(runtime)
            except BonafideError as error:
                _log.warning("database.unavailable", problem=error.message)
                is_behind = False
            if not is_behind:
                await changes.wait(CHECK_EVERY_S)


async def create_deliveries(runtime: Runtime) -> bool:
    """Create the deliveries of the next events of each organization; False if there are none. Raises `ServerBusy`."""
    async with runtime.store.read() as connection:
        behind = await webhook_deliveries.list_behind(connection, ORGANIZATIONS)
    for organization_id in behind:
        await _create_for_organization(runtime, organization_id)
    return bool(behind)


async def _create_for_organization(runtime: Runtime, organization_id: UUID) -> None:
    async with runtime.store.read() as connection:
        endpoints = await webhook_deliveries.list_positions(connection, organization_id)
        if not endpoints:
            return
        first = min(endpoint.position for endpoint in endpoints)
        found = await webhook_deliveries.list_event_keys(connection, organization_id, first, BATCH)
    if not found:
        return
    last = found[-1].sequence
    new = {
        endpoint.id: NewDeliveries(endpoint.id, _choose_events(endpoint, found), last)
        for endpoint in endpoints
        if endpoint.position < last
    }
    # Not durable: after a power failure, the deliveries are created again with their position.
    async with runtime.store.write(durable=False) as connection:
        positions = await webhook_deliveries.lock_positions(connection, organization_id, new)
        unmoved = [
            new[endpoint.id] for endpoint in endpoints if positions.get(endpoint.id) == endpoint.position and endpoint.id in new
        ]
        await webhook_deliveries.add(connection, organization_id, unmoved, runtime.clock())


def _choose_events(endpoint: EndpointPosition, found: list[EventKey]) -> list[EventKey]:
    configuration = EndpointConfiguration.model_validate_json(endpoint.document)
    return [key for key in found if key.sequence > endpoint.position and matches_filter(endpoint.id, configuration, key)]
