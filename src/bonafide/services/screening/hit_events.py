"""Events of the hits of stored screenings, and of dismissals. Pure.

The open hits of a screening are compared with those of the previous one. Of a list that was not screened again, and of a name that
could not be screened again, no hit counts as gone.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from bonafide.model.events.event import (
    EventBusiness,
    EventChange,
    EventSource,
    EventSubject,
    EventSubjectKind,
    EventType,
    NewEvent,
)
from bonafide.model.events.event_data import DismissalCreatedData, ScreenedPartyData, ScreeningHitData
from bonafide.model.records.business_record import BusinessRecord
from bonafide.model.screening.dismissals import DismissalRecord
from bonafide.model.screening.requests import ScreeningAnswer
from bonafide.model.search.match import SanctionsMatch
from bonafide.services.screening.comparison import list_complete_subjects

_HitKey = tuple[str, str, str | None]
"""The screened name, the list, and the listed party."""


@dataclass(frozen=True, slots=True)
class _Hit:
    """A hit and the name that was screened."""

    screened: ScreenedPartyData
    match: SanctionsMatch

    @property
    def is_open(self) -> bool:
        """Whether the hit is not dismissed."""
        return self.match.dismissed is None


def build_hit_events(previous: ScreeningAnswer | None, current: ScreeningAnswer, record: BusinessRecord | None) -> list[NewEvent]:
    """The events of a screening that is about to be stored; without a previous one, every open hit is new.

    `record` is the business record that was screened, if any.
    """
    complete = list_complete_subjects(current)
    hits, old_hits = _index_hits(current), _index_hits(previous) if previous is not None else {}
    lists = {item.source for item in current.lists}
    found: list[tuple[EventType, _Hit | None, _Hit | None]] = []
    for key, hit in hits.items():
        old = old_hits.get(key)
        if not hit.is_open:
            continue
        if old is None or not old.is_open:
            found.append((EventType.SCREENING_HIT_FOUND, hit, None))
        elif _list_changes(hit, old):
            found.append((EventType.SCREENING_HIT_CHANGED, hit, old))
    for key, old in old_hits.items():
        was_searched_for = key[0] in complete and old.match.source in lists
        if old.is_open and key not in hits and was_searched_for and old.match.match.score >= current.meta.submitted.threshold:
            found.append((EventType.SCREENING_HIT_CLEARED, None, old))
    business = EventBusiness.from_record(record) if record is not None else None
    sources = {
        item.source: EventSource(key=item.source, as_of=item.as_of, retrieved_at=item.retrieved_at) for item in current.lists
    }
    return [_build_hit_event(event_type, (hit, old), (previous, current), business, sources) for event_type, hit, old in found]


def _build_hit_event(
    event_type: EventType,
    hits: tuple[_Hit | None, _Hit | None],
    screenings: tuple[ScreeningAnswer | None, ScreeningAnswer],
    business: EventBusiness | None,
    sources: Mapping[str, EventSource],
) -> NewEvent:
    (hit, old), (previous, current) = hits, screenings
    shown = hit if hit is not None else old
    assert shown is not None  # noqa: S101 - an event has at least one of the two
    match = shown.match
    return NewEvent(
        event_type,
        EventSubject(kind=EventSubjectKind.LISTED_PARTY, name=match.legal_name.name, source=match.source, entry_id=match.entry_id),
        ScreeningHitData(
            screening_id=current.meta.screening_id,
            previous_screening_id=previous.meta.screening_id if previous is not None else None,
            screened=shown.screened,
            score=hit.match.match.score if hit is not None else None,
            previous_score=old.match.match.score if old is not None else None,
        ),
        business=business,
        changes=_list_changes(hit, old) if hit is not None and old is not None else (),
        source=sources.get(match.source),
        resource=f"/v1/sanctions/{current.meta.screening_id}",
    )


def _list_changes(hit: _Hit, old: _Hit) -> tuple[EventChange, ...]:
    values = (
        ("digest", old.match.digest, hit.match.digest),
        ("score", old.match.match.score, hit.match.match.score),
    )
    return tuple(EventChange(field=field, from_=before, to=after) for field, before, after in values if before != after)


def _index_hits(answer: ScreeningAnswer) -> dict[_HitKey, _Hit]:
    """The hits of all screened names. A name that was screened twice, as of two people, has each listed party once."""
    screening = answer.screening
    parts = [(ScreenedPartyData(name=subject.name, role=subject.role), subject.matches) for subject in screening.subjects]
    parts.append((ScreenedPartyData(name=screening.query, role=None), screening.matches))
    return {(party.name, match.source, match.entry_id): _Hit(party, match) for party, matches in parts for match in matches}


def build_dismissal_event(dismissal: DismissalRecord, record: BusinessRecord | None) -> NewEvent:
    """The event of a new dismissal. `record` is the business record to which it is limited, if any."""
    hit = dismissal.hit
    return NewEvent(
        EventType.DISMISSAL_CREATED,
        EventSubject(kind=EventSubjectKind.LISTED_PARTY, name=hit.name, source=hit.source, entry_id=hit.entry_id),
        DismissalCreatedData(
            dismissal_id=dismissal.id,
            subject=dismissal.subject.name,
            dismissed_by=dismissal.dismissed_by,
            until=dismissal.until,
        ),
        business=EventBusiness.from_record(record) if record is not None else None,
        resource=f"/v1/sanctions/dismissals/{dismissal.id}",
    )
