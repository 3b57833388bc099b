"""Rate a record again whose linked entries in registers or regulators' lists have changed, in the transaction of the change."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from bonafide.matching.risk.entry_facts import LICENCE_CHANGES, REGISTRY_CHANGES, build_licence_facts, build_registry_facts
from bonafide.model.entity import StatusCode
from bonafide.model.events.event import NewEvent
from bonafide.model.records.business_record import Author, SystemFields
from bonafide.model.risk.facts import StoredFacts
from bonafide.services.monitoring.entry_evaluation import parse_snapshot
from bonafide.services.risk.record_rating import CheckFacts, record_check
from bonafide.store.database.engine import Connection
from bonafide.store.monitoring import monitored_records
from bonafide.store.risk import risk_facts

BY_MONITORING = Author("system:monitoring")
"""The author of screenings and changes that monitoring makes."""


async def rate_entry_changes(
    connection: Connection, organization_id: UUID, business_id: UUID, events: Sequence[NewEvent], now: datetime
) -> list[NewEvent]:
    """Rate the record by the entries as they are now; returns the events of the rating. The caller has stored the entries."""
    changed = [event for event in events if event.type in REGISTRY_CHANGES | LICENCE_CHANGES]
    stored = await risk_facts.get_document(connection, organization_id, business_id) if changed else None
    if stored is None:
        return []
    known = StoredFacts.model_validate_json(stored).by_path()
    regulators = {event.source.key for event in changed if event.type in LICENCE_CHANGES and event.source is not None}
    statuses = await _list_statuses(connection, organization_id, business_id, regulators)
    found = [build_registry_facts(known, changed), build_licence_facts(known, statuses, now.date())]
    checks = [CheckFacts(facts, paths) for facts, paths in found if paths]
    if not checks:
        return []
    return (await record_check(connection, organization_id, business_id, SystemFields(), checks, BY_MONITORING, now))[1]


async def _list_statuses(
    connection: Connection, organization_id: UUID, business_id: UUID, regulators: set[str]
) -> dict[str, list[StatusCode]]:
    """The statuses of the linked entries of each of these regulators."""
    found: dict[str, list[StatusCode]] = {key: [] for key in regulators}
    for row in await monitored_records.list_entries(connection, organization_id, business_id):
        snapshot = parse_snapshot(row)
        if row.source in found and snapshot is not None:
            found[row.source].append(snapshot.status_code)
    return found
