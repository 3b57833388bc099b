"""What the pages show of an event: its title, its page in the console, and lines with its details and changes. Pure."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import Any

from bonafide.console.discrepancies import labels as discrepancy_labels
from bonafide.console.events import labels
from bonafide.console.frame import code_labels
from bonafide.console.verifications.discrepancy_labels import get_discrepancy_label
from bonafide.i18n.message import Message
from bonafide.model.cases.case import CaseOutcome, CaseStatus
from bonafide.model.cases.policy import CasePriority
from bonafide.model.events.event import Event, EventChange, EventSubjectKind, EventType
from bonafide.model.ownership.owner_comparison import DifferenceKind

EVENTS_PAGE = "/console/events"
SHOWN_LINES = 4
"""Lines of an event that are shown at once; the others are folded."""
_MAX_CHARACTERS = 160
_MAX_ELEMENTS = 5
_ID = "([0-9a-f-]{36})"
_PAGES = (
    (re.compile(f"/v1/search/{_ID}"), "/console/searches/{}"),
    (re.compile(f"/v1/verify/{_ID}"), "/console/verifications/{}"),
    (re.compile(f"/v1/manual-checks/{_ID}"), "/console/manual-checks/{}"),
    (re.compile(f"/v1/sanctions/{_ID}"), "/console/sanctions/screenings/{}"),
    (re.compile(f"/v1/sanctions/dismissals/{_ID}"), "/console/sanctions/dismissals/{}"),
    (re.compile(f"/v1/businesses/{_ID}"), "/console/businesses/{}"),
    (re.compile(f"/v1/businesses/{_ID}/monitoring"), "/console/businesses/{}"),
    (re.compile(f"/v1/businesses/{_ID}/ownership"), "/console/businesses/{}/ownership"),
    (re.compile(f"/v1/businesses/{_ID}/discrepancies/{_ID}"), "/console/businesses/{}/discrepancies/{}"),
    (re.compile(f"/v1/webhook-endpoints/{_ID}"), "/console/webhooks/{}"),
    (re.compile(f"/v1/cases/{_ID}"), "/console/cases/{}"),
    (re.compile(f"/v1/packs/{_ID}"), "/console/packs#pack-{}"),
    (re.compile(f"/v1/batches/{_ID}"), "/console/batches/{}"),
)
"""Paths of the API, and the page of each in the console. Business reports have none."""
_CHANGELOG = "/changelog"
_OPAQUE = frozenset({"digest", "matchSelection.selectedMatchId"})
"""Fields whose values mean nothing to a person."""


class LineKind(StrEnum):
    """How the values of a line are written."""

    VALUE = "value"
    """As a value of a record."""
    MESSAGE = "message"
    NUMBER = "number"
    SCORE = "score"
    INSTANT = "instant"
    DAY = "day"
    CHANGED = "changed"
    """The values are not shown."""


@dataclass(frozen=True, slots=True)
class EventLine:
    """One detail of an event, or one change with the value before it. `field` is the path of a changed field."""

    label: Message
    kind: LineKind
    value: Any
    before: Any = None
    is_change: bool = False
    field: str = ""


@dataclass(frozen=True, slots=True)
class EventView:
    """An event as the pages show it."""

    event: Event
    title: Message
    page: str | None
    """The address of what it was made from."""
    subject: str | None
    """The name of what it is about, unless that is the name of its business."""
    business_name: str | None
    made_by: str | None
    lines: tuple[EventLine, ...]


def build_event_view(event: Event) -> EventView:
    """An event as the pages show it."""
    business, name = event.business, event.subject.name
    names = (business.name, business.external_id, str(business.id)) if business is not None else ()
    business_name = next((one for one in names if one is not None), None)
    by = next((event.data[key] for key in ("changedBy", "selectedBy", "revokedBy", "dismissedBy") if event.data.get(key)), None)
    return EventView(
        event=event,
        title=labels.TITLE[event.type],
        page=_find_event_page(event),
        subject=name if name != business_name else None,
        business_name=business_name,
        made_by=str(by) if by is not None else None,
        lines=(*_list_details(event), *(_build_change_line(event.subject.kind, change) for change in event.changes)),
    )


def _find_event_page(event: Event) -> str | None:
    """The address of the page of what the event was made from; None without one."""
    if event.subject.kind is EventSubjectKind.SOURCE:
        return f"/console/sources/{event.subject.source}"
    return _CHANGELOG if event.links.resource == _CHANGELOG else find_page(event.links.resource)


def find_page(resource: str | None) -> str | None:
    """The address of the page that shows a document of the API; None if there is none."""
    for pattern, page in _PAGES:
        found = pattern.fullmatch(resource) if resource is not None else None
        if found is not None:
            return page.format(*found.groups())
    return None


def _list_details(event: Event) -> Iterator[EventLine]:
    list_details = _DETAILS.get(event.type)
    return iter(()) if list_details is None else list_details(event.data)


def _list_search_details(data: dict[str, Any]) -> Iterator[EventLine]:
    yield EventLine(Message("Outcome"), LineKind.MESSAGE, code_labels.SEARCH_STATUS[data["status"]])
    if data["matches"] is not None:
        yield EventLine(Message("Matches"), LineKind.NUMBER, data["matches"])
    if data["selection"] is not None:
        yield EventLine(Message("Match selection"), LineKind.MESSAGE, code_labels.SELECTION[data["selection"]])
    yield from _list_open_hits(data)


def _list_verification_details(data: dict[str, Any]) -> Iterator[EventLine]:
    yield EventLine(Message("Outcome"), LineKind.MESSAGE, code_labels.OUTCOME[data["status"]])
    yield EventLine(Message("Discrepancies"), LineKind.NUMBER, data["discrepancyCount"])
    yield from _list_open_hits(data)


def _list_open_hits(data: dict[str, Any]) -> Iterator[EventLine]:
    if data["openHits"] is not None:
        yield EventLine(Message("Open hits"), LineKind.NUMBER, data["openHits"])


def _list_hit_details(data: dict[str, Any]) -> Iterator[EventLine]:
    yield EventLine(Message("Screened name"), LineKind.VALUE, data["screened"]["name"])
    # Of a hit that is still there, a changed score is among the changes.
    if data["score"] is None or data["previousScore"] is None:
        score = data["score"] if data["score"] is not None else data["previousScore"]
        yield EventLine(Message("Score"), LineKind.SCORE, score)


def _list_dismissal_details(data: dict[str, Any]) -> Iterator[EventLine]:
    yield EventLine(Message("Screened name"), LineKind.VALUE, data["subject"])
    if data.get("until") is not None:
        yield EventLine(Message("Expires"), LineKind.INSTANT, datetime.fromisoformat(data["until"]))


def _list_source_details(data: dict[str, Any]) -> Iterator[EventLine]:
    yield EventLine(Message("Age of the data in days"), LineKind.NUMBER, data["ageDays"])
    if data["maxAgeDays"] is not None:
        yield EventLine(Message("Limit in days"), LineKind.NUMBER, data["maxAgeDays"])


def _list_changelog_details(data: dict[str, Any]) -> Iterator[EventLine]:
    yield EventLine(Message("Released on"), LineKind.DAY, date.fromisoformat(data["releasedOn"]))
    if data["operations"]:
        yield EventLine(Message("Operations"), LineKind.VALUE, _shorten(data["operations"]))
    if data["deprecatedOn"] is not None:
        yield EventLine(Message("Deprecated from"), LineKind.DAY, date.fromisoformat(data["deprecatedOn"]))
    if data["sunsetOn"] is not None:
        yield EventLine(Message("Ends on"), LineKind.DAY, date.fromisoformat(data["sunsetOn"]))


def _list_ownership_details(data: dict[str, Any]) -> Iterator[EventLine]:
    if data["isWithdrawn"]:
        yield EventLine(Message("Status"), LineKind.MESSAGE, Message("Statement withdrawn"))
        return
    yield EventLine(Message("Parties"), LineKind.NUMBER, data["parties"])
    yield EventLine(Message("Interests"), LineKind.NUMBER, data["interests"])


def _list_discrepancy_details(data: dict[str, Any]) -> Iterator[EventLine]:
    yield EventLine(Message("Class"), LineKind.MESSAGE, discrepancy_labels.KIND[DifferenceKind(data["kind"])])
    if data.get("dueAt") is not None:
        yield EventLine(Message("Due"), LineKind.INSTANT, datetime.fromisoformat(data["dueAt"]))


def _list_website_details(data: dict[str, Any]) -> Iterator[EventLine]:
    if data["failingSince"] is not None:
        yield EventLine(Message("Not reached since"), LineKind.INSTANT, datetime.fromisoformat(data["failingSince"]))
    if data["isNameOfRecord"] is False:
        yield EventLine(Message("Note"), LineKind.MESSAGE, Message("The stated name isn’t a name of the record."))


def _list_rating_details(data: dict[str, Any]) -> Iterator[EventLine]:
    if not data["isComplete"]:
        yield EventLine(Message("Status"), LineKind.MESSAGE, Message("Some rules could not be evaluated"))


def _list_manual_check_details(data: dict[str, Any]) -> Iterator[EventLine]:
    if "found" in data:
        found = Message("Found in the register") if data["found"] else Message("Not found in the register")
        yield EventLine(Message("Outcome"), LineKind.MESSAGE, found)
        yield EventLine(Message("Seen"), LineKind.INSTANT, datetime.fromisoformat(data["retrievedAt"]))
    if data.get("dueAt") is not None:
        yield EventLine(Message("Due"), LineKind.INSTANT, datetime.fromisoformat(data["dueAt"]))


def _list_acceptance_details(data: dict[str, Any]) -> Iterator[EventLine]:
    yield EventLine(Message("Field"), LineKind.MESSAGE, get_discrepancy_label(data["field"]))
    yield EventLine(Message("Open discrepancies"), LineKind.NUMBER, data["openCount"])


def _list_overdue_details(data: dict[str, Any]) -> Iterator[EventLine]:
    overdue = Message("Verification") if data["kind"] is not None else Message("Evaluation")
    yield EventLine(Message("Overdue"), LineKind.MESSAGE, overdue)
    yield EventLine(Message("Due"), LineKind.INSTANT, datetime.fromisoformat(data["dueAt"]))


def _list_case_details(data: dict[str, Any]) -> Iterator[EventLine]:
    yield EventLine(Message("Number"), LineKind.NUMBER, data["number"])
    if "outcome" in data:
        yield EventLine(Message("Outcome"), LineKind.MESSAGE, labels.CASE_OUTCOME[CaseOutcome(data["outcome"])])
    if "priority" in data:
        yield EventLine(Message("Priority"), LineKind.MESSAGE, labels.CASE_PRIORITY[CasePriority(data["priority"])])
    if data.get("dueAt") is not None:
        yield EventLine(Message("Due"), LineKind.INSTANT, datetime.fromisoformat(data["dueAt"]))


_DETAILS: dict[EventType, Callable[[dict[str, Any]], Iterator[EventLine]]] = {
    EventType.SEARCH_COMPLETED: _list_search_details,
    EventType.VERIFICATION_COMPLETED: _list_verification_details,
    EventType.ACCEPTANCE_CREATED: _list_acceptance_details,
    EventType.ACCEPTANCE_REVOKED: _list_acceptance_details,
    EventType.MANUAL_CHECK_OPENED: _list_manual_check_details,
    EventType.MANUAL_CHECK_COMPLETED: _list_manual_check_details,
    EventType.SCREENING_HIT_FOUND: _list_hit_details,
    EventType.SCREENING_HIT_CHANGED: _list_hit_details,
    EventType.SCREENING_HIT_CLEARED: _list_hit_details,
    EventType.DISMISSAL_CREATED: _list_dismissal_details,
    EventType.DISMISSAL_EXPIRED: _list_dismissal_details,
    EventType.DISMISSAL_REVOKED: _list_dismissal_details,
    EventType.OWNERSHIP_CHANGED: _list_ownership_details,
    EventType.DISCREPANCY_OPENED: _list_discrepancy_details,
    EventType.DISCREPANCY_DUE: _list_discrepancy_details,
    EventType.DISCREPANCY_RESOLVED: _list_discrepancy_details,
    EventType.WEBSITE_CHANGED: _list_website_details,
    EventType.CASE_OPENED: _list_case_details,
    EventType.CASE_ASSIGNED: _list_case_details,
    EventType.CASE_DECIDED: _list_case_details,
    EventType.CASE_DUE: _list_case_details,
    EventType.RISK_BAND_CHANGED: _list_rating_details,
    EventType.MONITORING_EVALUATION_OVERDUE: _list_overdue_details,
    EventType.SOURCE_FAILED: _list_source_details,
    EventType.SOURCE_STALE: _list_source_details,
    EventType.SOURCE_DRIFTED: _list_source_details,
    EventType.SOURCE_RECOVERED: _list_source_details,
    EventType.CHANGELOG_BREAKING: _list_changelog_details,
    EventType.CHANGELOG_DEPRECATED: _list_changelog_details,
}


def _build_change_line(subject: EventSubjectKind, change: EventChange) -> EventLine:
    label = labels.get_change_label(subject, change.field)
    before: Any = change.from_
    after: Any = change.to
    if change.field in _OPAQUE:
        return EventLine(label, LineKind.CHANGED, None, is_change=True)
    kind = LineKind.SCORE if change.field == "score" else LineKind.VALUE
    if subject is EventSubjectKind.OWNERSHIP and change.field == "asOf":
        kind = LineKind.DAY
        before, after = (date.fromisoformat(str(value)) if value is not None else None for value in (before, after))
    elif subject is EventSubjectKind.DISCREPANCY and change.field == "status":
        kind, words = LineKind.MESSAGE, {str(status): text for status, text in discrepancy_labels.STATUS.items()}
        before, after = (words[str(value)] if value is not None else None for value in (before, after))
    elif subject is EventSubjectKind.CASE and change.field == "status":
        kind = LineKind.MESSAGE
        before, after = (labels.CASE_STATUS[CaseStatus(str(value))] for value in (before, after))
    elif subject is EventSubjectKind.SOURCE:
        kind, states = LineKind.MESSAGE, labels.DATA_AGE if change.field == "isStale" else labels.LOAD_PROBLEM
        before, after = states[before], states[after]
    elif subject is EventSubjectKind.WEBSITE and change.field == "isReachable":
        kind, before, after = LineKind.MESSAGE, labels.REACHABLE[bool(before)], labels.REACHABLE[bool(after)]
    elif subject is EventSubjectKind.WEBSITE and change.field == "domainCreatedOn":
        kind, before, after = LineKind.DAY, date.fromisoformat(str(before)), date.fromisoformat(str(after))
    elif change.field == "matchSelection.status":
        kind = LineKind.MESSAGE
        before, after = (code_labels.SELECTION[str(value)] if value is not None else None for value in (before, after))
    return EventLine(label, kind, _shorten(after), _shorten(before), is_change=True, field=change.field)


def _shorten(value: Any) -> Any:
    """Long texts and lists cut off; a page has many events."""
    if isinstance(value, list) and len(value) > _MAX_ELEMENTS:
        return [*value[:_MAX_ELEMENTS], "…"]
    is_long = isinstance(value, str) and not isinstance(value, Message) and len(value) > _MAX_CHARACTERS
    return f"{value[:_MAX_CHARACTERS]}…" if is_long else value
