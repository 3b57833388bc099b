"""Events of business records. Pure."""

from collections.abc import Sequence

from bonafide.model.events.event import EventBusiness, EventChange, EventSubject, EventSubjectKind, EventType, NewEvent
from bonafide.model.events.event_data import BusinessChangedData
from bonafide.model.records.business_record import Author, BusinessRecord, FieldChange


def build_record_event(old: BusinessRecord | None, new: BusinessRecord, changes: Sequence[FieldChange], author: Author) -> NewEvent:
    """The event of a change by a user or a program; `old` is None for a new record."""
    return NewEvent(
        _determine_type(old, new),
        EventSubject(
            kind=EventSubjectKind.BUSINESS,
            id=new.id,
            name=new.name,
            jurisdiction=new.jurisdiction,
            registration_number=new.registration_number,
        ),
        BusinessChangedData(changed_by=author.actor, request_id=author.request_id, version=new.updated_at),
        business=EventBusiness.from_record(new),
        changes=tuple(EventChange(field=change.field, from_=change.old, to=change.new) for change in changes),
        resource=f"/v1/businesses/{new.id}",
    )


def _determine_type(old: BusinessRecord | None, new: BusinessRecord) -> EventType:
    if old is None:
        return EventType.BUSINESS_CREATED
    return EventType.BUSINESS_ARCHIVED if new.is_archived and not old.is_archived else EventType.BUSINESS_UPDATED
