"""Events of searches. Pure."""

from bonafide.model.events.event import EventBusiness, EventChange, EventSubject, EventSubjectKind, EventType, NewEvent
from bonafide.model.events.event_data import MatchSelectedData, SearchCompletedData
from bonafide.model.records.business_record import BusinessRecord
from bonafide.model.search.result import MatchSelection, SearchResult
from bonafide.services.screening.hit_events import ScreeningDocument


def build_completion_event(result: SearchResult, record: BusinessRecord | None) -> NewEvent:
    """The event of a search that has ended. `record` is the business record that it refers to, if any."""
    selection = result.match_selection
    return NewEvent(
        EventType.SEARCH_COMPLETED,
        _build_subject(result),
        SearchCompletedData(
            search_id=result.meta.search_id,
            status=result.meta.status,
            matches=len(result.businesses) if result.businesses is not None else None,
            selection=selection.status if selection is not None else None,
            selected_match_id=selection.selected_match_id if selection is not None else None,
            open_hits=_count_open_hits(result),
        ),
        business=EventBusiness.from_record(record) if record is not None else None,
        resource=_build_path(result),
    )


def build_selection_event(
    old: MatchSelection, result: SearchResult, selected_by: str | None, record: BusinessRecord | None
) -> NewEvent | None:
    """The event of a person's choice, or of its reversal; None if the choice is the same as before."""
    new = result.match_selection
    if new is None or (new.status, new.selected_match_id) == (old.status, old.selected_match_id):
        return None
    before = str(old.selected_match_id) if old.selected_match_id is not None else None
    after = str(new.selected_match_id) if new.selected_match_id is not None else None
    values = (("matchSelection.status", old.status.value, new.status.value), ("matchSelection.selectedMatchId", before, after))
    return NewEvent(
        EventType.SEARCH_MATCH_SELECTED,
        _build_subject(result),
        MatchSelectedData(
            search_id=result.meta.search_id,
            selection=new.status,
            selected_match_id=new.selected_match_id,
            selected_by=selected_by,
            open_hits=_count_open_hits(result),
        ),
        business=EventBusiness.from_record(record) if record is not None else None,
        changes=tuple(EventChange(field=field, from_=one, to=other) for field, one, other in values if one != other),
        resource=_build_path(result),
    )


def to_screening_document(result: SearchResult) -> ScreeningDocument | None:
    """The screening of a search; None if no list was to be screened."""
    if result.sanctions is None:
        return None
    threshold = result.meta.submitted.params.sanctions_threshold
    return ScreeningDocument(result.meta.search_id, _build_path(result), result.sanctions, threshold)


def _build_subject(result: SearchResult) -> EventSubject:
    submitted = result.meta.submitted
    return EventSubject(kind=EventSubjectKind.SEARCH, id=result.meta.search_id, name=submitted.name)


def _build_path(result: SearchResult) -> str:
    return f"/v1/search/{result.meta.search_id}"


def _count_open_hits(result: SearchResult) -> int | None:
    return result.sanctions.open_hits if result.sanctions is not None else None
