"""What the page of a case shows of its items and its history. Pure."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from bonafide.console.cases import labels
from bonafide.console.events import labels as event_labels
from bonafide.console.events.event_view import EventView, build_event_view, find_page
from bonafide.i18n.message import Message
from bonafide.model.cases.case import Case, CaseItem, CaseItemStatus, CaseStatus
from bonafide.model.cases.policy import CaseDecisionKind, CaseItemKind, CasePriority, ReasonCode
from bonafide.model.events.event import Event
from bonafide.model.records.business_record import AuditEntry
from bonafide.services.cases import case_changes
from bonafide.services.cases.causes import SETTLED_BY_ACKNOWLEDGEMENT


@dataclass(frozen=True, slots=True)
class CaseItemView:
    """An item with its evidence: the address of a page, and for an open alert what its event reports."""

    item: CaseItem
    summary: Message
    page: str | None
    alert: EventView | None
    is_dismissed: bool
    """Whether the hit of an open item is dismissed by now."""


@dataclass(frozen=True, slots=True)
class HistoryLine:
    """A changed value, or a text without one before it. An instant is a `datetime`."""

    label: Message | None
    value: Message | datetime | str | None
    before: Message | datetime | str | None = None
    is_change: bool = False


@dataclass(slots=True)
class HistoryStep:
    """What one person, or the service, did at one time."""

    at: datetime
    actor: str
    titles: list[Message] = field(default_factory=list)
    lines: list[HistoryLine] = field(default_factory=list)


def build_items(
    case: Case, alerts: Mapping[UUID, Event], dismissed: Collection[UUID], titles: Mapping[str, Message]
) -> tuple[list[CaseItemView], list[CaseItemView]]:
    """The open items and the others, hits and discrepancies before the rest. `titles` are those of the sources by their keys."""
    order = list(CaseItemKind)
    views = [
        CaseItemView(
            item=item,
            summary=_name_source(item.summary, titles),
            page=_find_evidence(case.id, item),
            alert=build_event_view(alerts[item.event_id]) if _is_alert(item, alerts) else None,
            is_dismissed=item.id in dismissed,
        )
        for item in sorted(case.items, key=lambda item: order.index(item.kind))
    ]
    is_open = [view.item.status is CaseItemStatus.OPEN for view in views]
    return (
        [view for view, shown in zip(views, is_open, strict=True) if shown],
        [view for view, shown in zip(views, is_open, strict=True) if not shown],
    )


def _name_source(summary: Message, titles: Mapping[str, Message]) -> Message:
    """The summary with the title of its source instead of its key."""
    key = summary.values.get("source")
    return summary.fill(**{**summary.values, "source": titles[key]}) if isinstance(key, str) and key in titles else summary


def _is_alert(item: CaseItem, alerts: Mapping[UUID, Event]) -> bool:
    return item.kind in SETTLED_BY_ACKNOWLEDGEMENT and item.status is CaseItemStatus.OPEN and item.event_id in alerts


def _find_evidence(case_id: UUID, item: CaseItem) -> str | None:
    """The address of the evidence. That of an open hit is found when somebody follows the link."""
    if item.kind is CaseItemKind.SANCTIONS_HIT and item.status is CaseItemStatus.OPEN:
        return f"/console/cases/{case_id}/items/{item.id}/evidence"
    return find_page(item.ref)


def build_history(entries: Iterable[AuditEntry]) -> list[HistoryStep]:
    """The steps of a case, newest first. What one person changed at one time is one step."""
    steps: list[HistoryStep] = []
    for entry in entries:
        if not steps or (steps[-1].at, steps[-1].actor) != (entry.at, entry.actor):
            steps.append(HistoryStep(entry.at, entry.actor))
        title = labels.HISTORY.get(entry.field, Message.untranslated(entry.field))
        if title not in steps[-1].titles:
            steps[-1].titles.append(title)
        steps[-1].lines += _list_lines(entry)
    return steps[::-1]


def _list_lines(entry: AuditEntry) -> list[HistoryLine]:
    old, new = _as_object(entry.old), _as_object(entry.new)
    if entry.field in {case_changes.ITEM_OPENED, case_changes.ITEM_SETTLED}:
        return [HistoryLine(None, labels.KIND_OF_ONE[CaseItemKind(new["kind"])])]
    if entry.field == case_changes.NOTED:
        return [HistoryLine(None, str(new["text"]))]
    if entry.field == case_changes.ATTACHED:
        return [HistoryLine(None, str(new["name"]))]
    lines = []
    decision = _as_object(new.get("decision"))
    if decision:
        lines.append(HistoryLine(None, labels.DECISION[CaseDecisionKind(decision["decision"])]))
        reason = ReasonCode(code=decision["reasonCode"], title=decision["reasonTitle"])
        lines.append(HistoryLine(Message("Reason"), reason.title))
        if decision.get("note"):
            lines.append(HistoryLine(Message("Note"), str(decision["note"])))
    if entry.field in {case_changes.CHANGED, case_changes.DECIDED}:
        lines += [
            HistoryLine(label, _read_value(name, new.get(name)), _read_value(name, old.get(name)), is_change=True)
            for name, label in _VALUES.items()
            if old.get(name) != new.get(name)
        ]
    return lines


_VALUES: Mapping[str, Message] = {
    "status": Message("Status"),
    "priority": Message("Priority"),
    "assignee": Message("Assignee"),
    "dueAt": Message("Due date"),
}


def _read_value(name: str, value: Any) -> Message | datetime | str | None:
    if value is None:
        return None
    if name == "status":
        return event_labels.CASE_STATUS[CaseStatus(value)]
    if name == "priority":
        return event_labels.CASE_PRIORITY[CasePriority(value)]
    return datetime.fromisoformat(value) if name == "dueAt" else str(value)


def _as_object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
