"""Events of the hits of stored screenings, searches and verifications, and of dismissals. Pure.

The open hits of a screening are compared with those that are known. Of a list that was not screened again, and of a name that could
not be screened again, no hit counts as gone.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from uuid import UUID

from bonafide.model.events.event import (
    EventBusiness,
    EventChange,
    EventSource,
    EventSubject,
    EventSubjectKind,
    EventType,
    NewEvent,
)
from bonafide.model.events.event_data import (
    DismissalCreatedData,
    DismissalExpiredData,
    DismissalRevokedData,
    ScreenedPartyData,
    ScreeningHitData,
)
from bonafide.model.records.business_record import BusinessRecord
from bonafide.model.screening.dismissals import DismissalRecord
from bonafide.model.screening.open_hits import HitKey, OpenHit
from bonafide.model.screening.requests import ScreeningAnswer
from bonafide.model.search.match import SanctionsMatch, Screening, SubjectRole
from bonafide.services.screening.comparison import list_complete_names


@dataclass(frozen=True, slots=True)
class ScreeningDocument:
    """A document with a screening: a standalone screening, a search or a verification."""

    id: UUID
    path: str
    """Its path in the API."""
    screening: Screening
    threshold: float
    """The lowest score of a hit."""

    @classmethod
    def from_answer(cls, answer: ScreeningAnswer) -> "ScreeningDocument":
        """A standalone screening."""
        meta = answer.meta
        return cls(meta.screening_id, f"/v1/sanctions/{meta.screening_id}", answer.screening, meta.submitted.threshold)

    def without_record_people(self, names: Collection[str]) -> "ScreeningDocument":
        """The document without the screenings of these people of the business record: nothing is known of their hits."""
        kept = [one for one in self.screening.subjects if one.role is not SubjectRole.RECORD_PERSON or one.name not in names]
        return replace(self, screening=self.screening.model_copy(update={"subjects": tuple(kept)}))

    def index_hits(self) -> dict[HitKey, tuple[OpenHit, bool]]:
        """The hits of all screened names, and whether each is open.

        A name that was screened twice, as of two people, has each listed party once.
        """
        parts = [(subject.name, subject.role, subject.matches) for subject in self.screening.subjects]
        hits = [
            (self._to_hit(name, role, match), match.dismissed is None)
            for name, role, matches in (*parts, (self.screening.query, None, self.screening.matches))
            for match in matches
        ]
        return {hit.key: (hit, is_open) for hit, is_open in hits}

    def find_list(self, key: str) -> EventSource | None:
        """The list with this key and the date of its data; None if it was not screened."""
        found = (item for item in self.screening.lists if item.source == key)
        return next((EventSource(key=key, as_of=item.as_of, retrieved_at=item.retrieved_at) for item in found), None)

    def _to_hit(self, name: str, role: SubjectRole | None, match: SanctionsMatch) -> OpenHit:
        return OpenHit(
            screened=name,
            role=role,
            source=match.source,
            entry_id=match.entry_id,
            party=match.legal_name.name,
            digest=match.digest,
            score=match.match.score,
            document_id=self.id,
        )


@dataclass(frozen=True, slots=True)
class HitComparison:
    """The events of a screening, the hits that are new or changed, and those that are no longer open."""

    events: list[NewEvent]
    changed: list[OpenHit]
    closed: list[OpenHit]


def build_hit_events(previous: ScreeningAnswer | None, current: ScreeningAnswer) -> list[NewEvent]:
    """The events of a screening without a business record; without a previous one, every open hit is new."""
    known = _list_open_hits(previous) if previous is not None else []
    return compare_hits(known, ScreeningDocument.from_answer(current), None).events


def compare_hits(known: Iterable[OpenHit], current: ScreeningDocument, record: BusinessRecord | None) -> HitComparison:
    """The events of a screening, compared with the hits that are known to be open, and how these change.

    `record` is the business record that was screened, if any. Known hits of lists and names that were not screened again, or only
    with a higher threshold, stay known.
    """
    old_hits, hits = {hit.key: hit for hit in known}, current.index_hits()
    complete, lists = list_complete_names(current.screening), {item.source for item in current.screening.lists}
    found: list[NewEvent] = []
    changed: list[OpenHit] = []
    closed: list[OpenHit] = []
    business = EventBusiness.from_record(record) if record is not None else None
    for key, (hit, is_open) in hits.items():
        old = old_hits.get(key)
        if not is_open:
            closed += [old] if old is not None else []
        elif old is None:
            found.append(_build_hit_event(EventType.SCREENING_HIT_FOUND, (hit, None), current, business))
            changed.append(hit)
        elif _list_changes(hit, old):
            found.append(_build_hit_event(EventType.SCREENING_HIT_CHANGED, (hit, old), current, business))
            changed.append(hit)
    for key, old in old_hits.items():
        was_searched_for = old.screened in complete and old.source in lists and old.score >= current.threshold
        if key not in hits and was_searched_for:
            found.append(_build_hit_event(EventType.SCREENING_HIT_CLEARED, (None, old), current, business))
            closed.append(old)
    return HitComparison(found, changed, closed)


def _build_hit_event(
    event_type: EventType,
    hits: tuple[OpenHit | None, OpenHit | None],
    current: ScreeningDocument,
    business: EventBusiness | None,
) -> NewEvent:
    hit, old = hits
    shown = hit if hit is not None else old
    assert shown is not None  # noqa: S101 - an event has at least one of the two
    return NewEvent(
        event_type,
        EventSubject(kind=EventSubjectKind.LISTED_PARTY, name=shown.party, source=shown.source, entry_id=shown.entry_id),
        ScreeningHitData(
            screening_id=current.id,
            previous_screening_id=old.document_id if old is not None else None,
            screened=ScreenedPartyData(name=shown.screened, role=shown.role),
            score=hit.score if hit is not None else None,
            previous_score=old.score if old is not None else None,
        ),
        business=business,
        changes=_list_changes(hit, old) if hit is not None and old is not None else (),
        source=current.find_list(shown.source),
        resource=current.path,
    )


def _list_changes(hit: OpenHit, old: OpenHit) -> tuple[EventChange, ...]:
    values = (("digest", old.digest, hit.digest), ("score", old.score, hit.score))
    return tuple(EventChange(field=field, from_=before, to=after) for field, before, after in values if before != after)


def _list_open_hits(answer: ScreeningAnswer) -> list[OpenHit]:
    return [hit for hit, is_open in ScreeningDocument.from_answer(answer).index_hits().values() if is_open]


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


def build_revocation_event(dismissal: DismissalRecord, record: BusinessRecord | None, revoked_by: str) -> NewEvent:
    """The event of a revoked dismissal. `record` is the business record to which it was limited, if any."""
    hit = dismissal.hit
    return NewEvent(
        EventType.DISMISSAL_REVOKED,
        EventSubject(kind=EventSubjectKind.LISTED_PARTY, name=hit.name, source=hit.source, entry_id=hit.entry_id),
        DismissalRevokedData(
            dismissal_id=dismissal.id, subject=dismissal.subject.name, dismissed_by=dismissal.dismissed_by, revoked_by=revoked_by
        ),
        business=EventBusiness.from_record(record) if record is not None else None,
        resource=f"/v1/sanctions/dismissals/{dismissal.id}",
    )


def build_expiry_event(dismissal: DismissalRecord, record: BusinessRecord | None) -> NewEvent:
    """The event of a dismissal whose end has passed. `record` is the business record to which it is limited, if any."""
    hit, until = dismissal.hit, dismissal.until
    assert until is not None  # noqa: S101 - only a dismissal with an end expires
    return NewEvent(
        EventType.DISMISSAL_EXPIRED,
        EventSubject(kind=EventSubjectKind.LISTED_PARTY, name=hit.name, source=hit.source, entry_id=hit.entry_id),
        DismissalExpiredData(
            dismissal_id=dismissal.id, subject=dismissal.subject.name, dismissed_by=dismissal.dismissed_by, until=until
        ),
        business=EventBusiness.from_record(record) if record is not None else None,
        resource=f"/v1/sanctions/dismissals/{dismissal.id}",
    )
