"""Rate business records: merge the facts of a check with those of earlier checks, and store the rating with the record.

All of it is part of the transaction that stores the check. Facts are kept only while the organization has active rules.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from bonafide.matching.connections.connection_keys import list_record_traits
from bonafide.matching.risk.evaluation import CompiledRules, rate_facts
from bonafide.matching.risk.record_facts import CONNECTION_PATHS, build_connection_facts, replace_facts
from bonafide.model.events.event import (
    EventBusiness,
    EventChange,
    EventSeverity,
    EventSubject,
    EventSubjectKind,
    EventType,
    NewEvent,
)
from bonafide.model.events.event_data import RiskBandChangedData
from bonafide.model.records.business_record import Author, BusinessRecord, SystemFields
from bonafide.model.records.connections import ConnectionKind
from bonafide.model.risk.facts import Facts, StoredFacts
from bonafide.model.risk.rating import RiskAssessment, RiskLevel
from bonafide.model.risk.rules import RiskRules
from bonafide.services.records.business_records import lock_record, record_system_fields
from bonafide.services.risk.active_rules import get_active_rules
from bonafide.store.database.engine import Connection
from bonafide.store.records import business_traits
from bonafide.store.risk import risk_facts

_COUNTED = (ConnectionKind.ADDRESS, ConnectionKind.PHONE, ConnectionKind.DIRECTOR)


@dataclass(frozen=True, slots=True)
class CheckFacts:
    """The facts of a check, and the beginnings of the paths that the check replaces."""

    facts: Facts
    paths: tuple[str, ...]


async def record_check(  # noqa: PLR0913, PLR0917 - those of `record_system_fields`, and the facts
    connection: Connection,
    organization_id: UUID,
    business_id: UUID,
    fields: SystemFields,
    checks: Sequence[CheckFacts],
    author: Author,
    now: datetime,
) -> tuple[BusinessRecord, list[NewEvent]]:
    """Set system fields of a record and its rating, in the caller's transaction; returns the record and the events of the rating.

    Without facts or active rules it does what `record_system_fields` does. Lock other rows of the change before
    this, never after. Raises `NotFound`.
    """
    if not checks or await get_active_rules(connection, organization_id) is None:
        return await record_system_fields(connection, organization_id, business_id, fields, author, now), []
    old = await lock_record(connection, organization_id, business_id)
    # Again, now that no other version can be activated.
    rules = await get_active_rules(connection, organization_id)
    if rules is None:
        return await record_system_fields(connection, organization_id, business_id, fields, author, now), []
    facts = await _merge_facts(connection, organization_id, old, checks, now)
    rating = rate_facts(rules, facts)
    given = fields.model_copy(update={"risk": rating})
    record = await record_system_fields(connection, organization_id, business_id, given, author, now)
    event = build_rating_event(old.risk, rating, rules, record)
    return record, [event] if event is not None else []


async def _merge_facts(
    connection: Connection, organization_id: UUID, record: BusinessRecord, checks: Sequence[CheckFacts], now: datetime
) -> Facts:
    """The facts of a record after its checks; they are stored."""
    stored = await risk_facts.get_document(connection, organization_id, record.id)
    facts = StoredFacts.model_validate_json(stored).by_path() if stored is not None else {}
    for check in checks:
        facts = replace_facts(facts, check.facts, check.paths)
    counts = await _count_connections(connection, organization_id, record)
    facts = replace_facts(facts, build_connection_facts(counts, now.date()), CONNECTION_PATHS)
    await risk_facts.put_document(connection, organization_id, record.id, StoredFacts.of(facts).to_json())
    return facts


async def _count_connections(connection: Connection, organization_id: UUID, record: BusinessRecord) -> dict[ConnectionKind, int]:
    """The most other records that share one trait of each kind. A kind that the record does not have is absent."""
    traits = [trait for trait in list_record_traits(record) if trait.kind in _COUNTED]
    owners = await business_traits.list_owners(connection, organization_id, record.id, [trait.keys for trait in traits], 1)
    counts: dict[ConnectionKind, int] = {}
    for place, trait in enumerate(traits):
        shared = owners[place].count if place in owners else 0
        counts[trait.kind] = max(counts.get(trait.kind, 0), shared)
    return counts


def build_rating_event(
    old: RiskAssessment | None, new: RiskAssessment, rules: CompiledRules, record: BusinessRecord
) -> NewEvent | None:
    """The event of a rating in another band than before; None for the same band, and for a first rating in the lowest band.

    A person has to follow a rise only, so the event of a first rating or a fall opens no alert.
    """
    is_unchanged = new.level is RiskLevel.LOWEST if old is None else old.band == new.band
    if is_unchanged:
        return None
    values = (
        ("risk.band", old.band if old is not None else None, new.band),
        ("risk.points", old.points if old is not None else None, new.points),
    )
    severity = _rate_severity(old, new, rules.rules)
    return NewEvent(
        EventType.RISK_BAND_CHANGED,
        EventSubject(kind=EventSubjectKind.BUSINESS, id=record.id, name=record.name),
        RiskBandChangedData(
            band=new.band,
            previous_band=old.band if old is not None else None,
            points=new.points,
            version=new.version,
            previous_version=old.version if old is not None else None,
            is_complete=new.is_complete,
            rule_ids=new.rule_ids,
        ),
        business=EventBusiness.from_record(record),
        changes=tuple(EventChange(field=field, from_=one, to=other) for field, one, other in values if one != other),
        resource=f"/v1/businesses/{record.id}",
        severity=severity,
        opens_alert=severity.is_at_least(EventSeverity.MEDIUM),
    )


def _rate_severity(old: RiskAssessment | None, new: RiskAssessment, rules: RiskRules) -> EventSeverity:
    """The severity of a first rating, a fall or a rise. A change from a band that the rules no longer have counts as a rise."""
    if old is None:
        return EventSeverity.INFO
    rank, before = rules.rank(new.band), rules.rank(old.band)
    if rank is not None and before is not None and rank < before:
        return EventSeverity.LOW
    return EventSeverity.HIGH if new.level is RiskLevel.HIGHEST else EventSeverity.MEDIUM
