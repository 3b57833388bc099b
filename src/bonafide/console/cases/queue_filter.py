"""The filter of the queue of cases, in the query of its URL and of the URLs of its cases."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from enum import StrEnum
from urllib.parse import urlencode

from bonafide.console.frame.forms import parse_choice
from bonafide.model.cases.case import CaseStatus
from bonafide.model.cases.policy import CaseItemKind, CasePriority
from bonafide.store.cases.case_queue import CaseOrder
from bonafide.store.cases.cases import CaseFilter

CASES = "/console/cases"
ALL, MINE, NOBODY = "all", "me", "none"
"""Values of the filters by status and by assignee."""
MAX_TEXT = 200
_WEEK = timedelta(days=7)


class DueChoice(StrEnum):
    """Which due dates are listed."""

    OVERDUE = "overdue"
    TODAY = "today"
    WEEK = "week"


@dataclass(frozen=True, slots=True)
class QueueFilter:
    """The filter of the queue, with the cursor of the page. Without a status, cases that have not ended are listed."""

    status: str = ""
    assignee: str = ""
    kind: CaseItemKind | None = None
    priority: CasePriority | None = None
    due: DueChoice | None = None
    text: str = ""
    sort: CaseOrder | None = None
    cursor: str | None = None

    @classmethod
    def from_query(cls, query: Mapping[str, str]) -> "QueueFilter":
        """Parse the query parameters of a URL; invalid ones are ignored."""
        given = query.get("status", "")
        status = given if given == ALL or parse_choice(CaseStatus, given) is not None else ""
        sort = parse_choice(CaseOrder, query.get("sort", ""))
        return cls(
            status=status,
            assignee=query.get("assignee", "").strip()[:MAX_TEXT],
            kind=parse_choice(CaseItemKind, query.get("kind", "")),
            priority=parse_choice(CasePriority, query.get("priority", "")),
            due=parse_choice(DueChoice, query.get("due", "")),
            text=query.get("text", "").strip()[:MAX_TEXT],
            sort=sort if sort is not _find_usual_order(status) else None,
            cursor=query.get("cursor") or None,
        )

    @property
    def order(self) -> CaseOrder:
        """The order of the queue."""
        return self.sort if self.sort is not None else _find_usual_order(self.status)

    @property
    def is_narrow(self) -> bool:
        """Whether any filter is set."""
        return self._list_parameters() != {}

    def build_stored(self, email: str, now: datetime) -> CaseFilter:
        """The filter for the service, for the person with this e-mail. `now` is in the time zone in which days begin."""
        due_before = {
            None: None,
            DueChoice.OVERDUE: now,
            DueChoice.TODAY: datetime.combine(now.date() + timedelta(days=1), time.min, now.tzinfo),
            DueChoice.WEEK: now + _WEEK,
        }[self.due]
        assignee = email if self.assignee == MINE else self.assignee
        return CaseFilter(
            status=parse_choice(CaseStatus, self.status),
            assignee=assignee.casefold() if assignee not in {"", NOBODY} else None,
            is_unassigned=self.assignee == NOBODY,
            kind=self.kind,
            due_before=due_before,
            is_undecided=self.status == "",
            priority=self.priority,
            text=self.text or None,
        )

    def build_query(self, **further: str | None) -> str:
        """The query of a URL with the filter and further parameters; empty without any, else it begins with `?`."""
        given = self._list_parameters() | {name: value for name, value in further.items() if value}
        return f"?{urlencode(given)}" if given else ""

    def build_address(self, cursor: str | None = None, **further: str | None) -> str:
        """The URL of the page at this cursor."""
        return f"{CASES}{self.build_query(cursor=cursor, **further)}"

    def build_case_address(self, case_id: object, **further: str | None) -> str:
        """The URL of a case, from which one returns to this queue."""
        return f"{CASES}/{case_id}{self.build_query(**further)}"

    def _list_parameters(self) -> dict[str, str]:
        names = ("status", "assignee", "kind", "priority", "due", "text", "sort")
        return {name: str(getattr(self, name)) for name in names if getattr(self, name)}


def _find_usual_order(status: str) -> CaseOrder:
    """By due date as long as something is due."""
    return CaseOrder.NEWEST if status in {ALL, CaseStatus.DECIDED} else CaseOrder.DUE
