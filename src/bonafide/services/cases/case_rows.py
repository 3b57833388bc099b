"""Conversion between the rows of cases and their documents. Pure."""

from dataclasses import replace
from datetime import datetime

from bonafide.model.base import Document, StoredDocument
from bonafide.model.cases.case import CaseItem, CaseItemContent, CaseListItem, CaseRecord, OpenItemCount
from bonafide.model.cases.policy import CaseItemKind
from bonafide.model.events.event import EventBusiness
from bonafide.store.cases.case_parts import StoredCaseItem
from bonafide.store.cases.cases import StoredCase


class CaseContent(Document):
    """The part of a case that is stored as text."""

    business: EventBusiness | None
    name: str | None


def to_record(row: StoredCase) -> CaseRecord:
    """The case of a row."""
    return CaseRecord(**_list_values(row))


def to_list_item(row: StoredCase, open_items: dict[CaseItemKind, int], now: datetime) -> CaseListItem:
    """The case of a row, with what is open of it."""
    overdue = row.decided_at is None and row.due_at is not None and row.due_at <= now
    counts = tuple(OpenItemCount(kind=kind, count=open_items[kind]) for kind in CaseItemKind if kind in open_items)
    return CaseListItem(**_list_values(row), overdue=overdue, open_items=counts)


def _list_values(row: StoredCase) -> dict[str, object]:
    content = CaseContent.model_validate_json(row.document)
    named = {name: getattr(row, name) for name in CaseRecord.model_fields if name not in CaseContent.model_fields}
    return named | dict(content)


def to_item(row: StoredCaseItem) -> CaseItem:
    """The item of a row."""
    content = StoredDocument.from_text(row.document).parse(CaseItemContent)
    return CaseItem(
        **dict(content),
        id=row.id,
        kind=row.kind,
        status=row.status,
        opened_at=row.opened_at,
        settled_at=row.settled_at,
        settled_by=row.settled_by,
    )


def set_due_date(row: StoredCase, due_at: datetime | None) -> StoredCase:
    """The case with another due date, which is to be reported when it has passed."""
    return row if due_at == row.due_at else replace(row, due_at=due_at, reminder_at=due_at)
