"""Which events are delivered to an endpoint. Pure."""

from uuid import UUID

from bonafide.model.events.event import EventType, StoredEventBody
from bonafide.model.webhooks import EndpointConfiguration
from bonafide.store.work.webhook_deliveries import EventKey


def matches_filter(endpoint_id: UUID, configuration: EndpointConfiguration, event: EventKey) -> bool:
    """Whether an event is delivered to an endpoint by its filter.

    A test is delivered to its endpoint only, whatever the filter. An endpoint receives no other events about itself.
    """
    return is_deliverable(endpoint_id, event) and (event.type is EventType.WEBHOOK_TEST or _is_chosen(configuration, event))


def is_deliverable(endpoint_id: UUID, event: EventKey) -> bool:
    """Whether an event may be delivered to an endpoint at all."""
    if event.document is None:
        return True
    is_own = StoredEventBody.model_validate_json(event.document).subject.id == endpoint_id
    return is_own == (event.type is EventType.WEBHOOK_TEST)


def _is_chosen(configuration: EndpointConfiguration, event: EventKey) -> bool:
    return (
        (not configuration.types or event.type in configuration.types)
        and event.severity.is_at_least(configuration.min_severity)
        and (not configuration.business_ids or event.business_id in configuration.business_ids)
    )
