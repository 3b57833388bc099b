"""Events of changed entries of registers and regulators. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from bonafide.model.entity import StatusCode
from bonafide.model.events.event import (
    EventBusiness,
    EventChange,
    EventSeverity,
    EventSource,
    EventSubject,
    EventSubjectKind,
    EventType,
    NewEvent,
)
from bonafide.model.events.event_data import LicenceData, RegistryEntryData
from bonafide.model.monitoring.entry_snapshots import EntrySnapshot
from bonafide.model.records.business_record import BusinessRecord

_REGISTRY_FIELDS = (
    (EventType.REGISTRY_STATUS_CHANGED, ("status", "good_standing")),
    (EventType.REGISTRY_NAME_CHANGED, ("legal_name", "alternate_names", "entity_type", "registration_numbers")),
    (EventType.REGISTRY_ADDRESS_CHANGED, ("addresses",)),
    (EventType.REGISTRY_PEOPLE_CHANGED, ("people",)),
)
_LICENCE_FIELDS = ("status", "legal_name", "alternate_names", "addresses")


@dataclass(frozen=True, slots=True)
class ComparedEntry:
    """An entry before and after new data of its source, from a load or a live query; None where it does not exist."""

    source: EventSource
    old: EntrySnapshot | None
    new: EntrySnapshot | None

    @property
    def shown(self) -> EntrySnapshot:
        """The entry as it is now, or else as it was."""
        shown = self.new if self.new is not None else self.old
        assert shown is not None  # noqa: S101 - an entry that is compared exists before or after
        return shown


def build_registry_events(compared: ComparedEntry, record: BusinessRecord) -> Iterator[NewEvent]:
    """The events of a register's entry. Without an earlier entry there are none: the record begins to be compared."""
    old, new = compared.old, compared.new
    if old is None:
        return
    if new is None:
        changes: tuple[EventChange, ...] = (EventChange(field="status", from_=old.status, to=None),)
        yield _build_registry_event(EventType.REGISTRY_ENTRY_GONE, compared, record, changes)
        return
    for event_type, fields in _REGISTRY_FIELDS:
        changes = _list_changes(old, new, fields)
        if changes:
            yield _build_registry_event(event_type, compared, record, changes)


def _build_registry_event(
    event_type: EventType, compared: ComparedEntry, record: BusinessRecord, changes: Sequence[EventChange]
) -> NewEvent:
    old, new, shown = compared.old, compared.new, compared.shown
    status_code = new.status_code if new is not None else StatusCode.UNKNOWN
    is_reactivated = event_type is EventType.REGISTRY_STATUS_CHANGED and status_code is StatusCode.ACTIVE
    return NewEvent(
        event_type,
        EventSubject(
            kind=EventSubjectKind.REGISTRY_ENTRY,
            name=shown.legal_name,
            jurisdiction=shown.jurisdiction,
            registration_number=shown.registration_number,
        ),
        RegistryEntryData(
            entry_id=shown.entry_id,
            status_code=status_code,
            previous_status_code=old.status_code if old is not None and old.status_code is not status_code else None,
        ),
        business=EventBusiness.from_record(record),
        changes=tuple(changes),
        source=compared.source,
        resource=f"/v1/businesses/{record.id}",
        severity=EventSeverity.INFO if is_reactivated else None,
    )


def build_licence_event(compared: ComparedEntry, record: BusinessRecord) -> NewEvent | None:
    """The event of a regulator's entry; None if nothing has changed."""
    old, new, shown = compared.old, compared.new, compared.shown
    severity: EventSeverity | None = None
    if old is None or new is None:
        event_type = EventType.LICENCE_GRANTED if old is None else EventType.LICENCE_LAPSED
        before, after = old.status if old is not None else None, new.status if new is not None else None
        changes: tuple[EventChange, ...] = (EventChange(field="status", from_=before, to=after),)
    else:
        event_type, changes = EventType.LICENCE_CHANGED, _list_changes(old, new, _LICENCE_FIELDS)
        if not changes:
            return None
        if old.status_code is StatusCode.ACTIVE and new.status_code is not StatusCode.ACTIVE:
            severity = EventSeverity.HIGH
    status_code = new.status_code if new is not None else StatusCode.UNKNOWN
    return NewEvent(
        event_type,
        EventSubject(
            kind=EventSubjectKind.LICENCE,
            name=shown.legal_name,
            registration_number=shown.registration_number,
            source=compared.source.key,
            entry_id=shown.entry_id,
        ),
        LicenceData(
            entry_id=shown.entry_id,
            status=new.status if new is not None else None,
            status_code=status_code,
            previous_status_code=old.status_code if old is not None and old.status_code is not status_code else None,
        ),
        business=EventBusiness.from_record(record),
        changes=changes,
        source=compared.source,
        resource=f"/v1/businesses/{record.id}",
        severity=severity,
    )


def _list_changes(old: EntrySnapshot, new: EntrySnapshot, fields: Sequence[str]) -> tuple[EventChange, ...]:
    before, after = (snapshot.model_dump(mode="json", by_alias=True) for snapshot in (old, new))
    names = [str(EntrySnapshot.model_fields[field].alias) for field in fields]
    changed: list[tuple[str, JsonValue, JsonValue]] = [(name, before[name], after[name]) for name in names]
    return tuple(EventChange(field=name, from_=one, to=other) for name, one, other in changed if one != other)
