"""Fill an organization with copies of its cases, their items and its manual checks, for measuring pages.

Two of three cases have ended. The others have different statuses and assignees, and one open item each.
"""

from collections.abc import Mapping
from typing import Any
from uuid import UUID, uuid4

from bonafide.model.cases.case import CaseItemStatus, CaseOutcome, CaseStatus
from bonafide.model.cases.policy import CaseItemKind
from bonafide.model.manual_checks.manual_check import ManualCheckStatus
from bonafide.runtime import Runtime
from bonafide.services.loading.refresh import Progress
from bonafide.store.database.schema.case_tables import case_items, cases
from bonafide.store.database.schema.manual_check_tables import manual_checks
from bonafide_bench.seeding.row_copies import fill_with_copies

FIRST_NUMBER = 1_000_000
ASSIGNEES = (None, *(f"analyst-{number}@bench.example" for number in range(20)))
_WAITING = (CaseStatus.OPEN, CaseStatus.OPEN, CaseStatus.WAITING, CaseStatus.IN_SECOND_REVIEW)
_KINDS = tuple(CaseItemKind)


async def fill_cases(runtime: Runtime, organization_id: UUID, size: int, told: Progress) -> None:
    """Add `size` cases with one item each, and as many manual checks of which one in three is open."""
    now = runtime.clock()
    ids = [uuid4() for _ in range(size)]

    def vary_case(number: int) -> Mapping[str, Any]:
        identity = {"id": ids[number], "number": FIRST_NUMBER + number, "subject": f"/bench/{number}", "business_id": None}
        given = {**identity, "assignee": ASSIGNEES[number % len(ASSIGNEES)], "reminder_at": None}
        if _has_ended(number):
            return {**given, "status": CaseStatus.DECIDED, "outcome": CaseOutcome.APPROVED, "decided_at": now}
        return {**given, "status": _WAITING[number % len(_WAITING)], "outcome": None, "decided_at": None}

    def vary_item(number: int) -> Mapping[str, Any]:
        given = {"case_id": ids[number], "cause": f"bench:{number}", "kind": _KINDS[number % len(_KINDS)]}
        if _has_ended(number):
            return {**given, "status": CaseItemStatus.DECIDED, "settled_at": now, "settled_by": "bench"}
        return {**given, "status": CaseItemStatus.OPEN, "settled_at": None, "settled_by": None}

    def vary_check(number: int) -> Mapping[str, Any]:
        given = {"subject": f"/bench/{number}", "business_id": None, "renew_at": None}
        if _has_ended(number):
            return {**given, "status": ManualCheckStatus.CANCELLED, "closed_at": now}
        return {**given, "status": ManualCheckStatus.OPEN, "closed_at": None}

    await fill_with_copies(runtime, organization_id, cases, size, told, vary_case)
    await fill_with_copies(runtime, organization_id, case_items, size, told, vary_item)
    await fill_with_copies(runtime, organization_id, manual_checks, size, told, vary_check)


def _has_ended(number: int) -> bool:
    return number % 3 > 0
