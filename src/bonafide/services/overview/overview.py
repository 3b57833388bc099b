"""The overview of an organization: what waits, by kind, age and assignee, the condition of the sources, and the last days."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from uuid import UUID
from zoneinfo import ZoneInfo

from bonafide.model.accounts.organizations import World
from bonafide.model.cases.case import CaseStatus
from bonafide.model.cases.policy import CaseItemKind
from bonafide.model.loading import SourceCondition
from bonafide.runtime import Runtime
from bonafide.services.overview.daily_activity import DailyActivity, read_daily_activity
from bonafide.store.overview import waiting_cases
from bonafide.store.overview.waiting_cases import WaitingCaseGroup
from bonafide.store.records import source_conditions

MAX_ASSIGNEES = 8
"""The maximum number of assignees that are listed, besides nobody."""


class CaseAge(StrEnum):
    """How long a case has been open."""

    DAY = "day"
    """Less than a day."""
    WEEK = "week"
    """Up to seven days."""
    MONTH = "month"
    """Up to thirty days."""
    LONGER = "longer"


_BOUNDS = (timedelta(days=1), timedelta(days=7), timedelta(days=30))
"""What divides the ages."""


@dataclass(frozen=True, slots=True)
class AssigneeLoad:
    """The cases of one member that have not ended; of nobody if `assignee` is None."""

    assignee: str | None
    count: int
    overdue: int


@dataclass(frozen=True, slots=True)
class WaitingCases:
    """The cases of an organization that have not ended."""

    count: int
    overdue: int
    by_kind: Mapping[CaseItemKind, int]
    """Open items of cases by kind, in the order of the kinds; kinds without any are left out."""
    by_status: Mapping[CaseStatus, int]
    by_age: Mapping[CaseAge, int]
    by_assignee: tuple[AssigneeLoad, ...]
    """Nobody first, then those with most cases."""
    other_assignees: int
    """The number of assignees who are not listed."""


@dataclass(frozen=True, slots=True)
class SourceHealth:
    """The loaded sources of a world. Queried sources without data of their own have no condition."""

    loaded: int
    troubled: Mapping[str, SourceCondition]
    """Those that could not be loaded, or whose data is too old, by key."""


@dataclass(frozen=True, slots=True)
class Overview:
    """The overview of an organization."""

    cases: WaitingCases
    sources: SourceHealth
    activity: DailyActivity


async def read_overview(runtime: Runtime, organization_id: UUID, world: World, zone: ZoneInfo) -> Overview:
    """Read it. Days are those of the time zone. Raises `ServerBusy`."""
    now = runtime.clock()
    async with runtime.store.read_lagging() as connection:
        groups = await waiting_cases.count_waiting_cases(connection, organization_id, now, [now - bound for bound in _BOUNDS])
        items = await waiting_cases.count_open_items(connection, organization_id)
        conditions = await source_conditions.list_all(connection, world)
    return Overview(
        cases=_group_cases(groups, items),
        sources=_assess_sources(runtime, conditions),
        activity=await read_daily_activity(runtime, organization_id, zone),
    )


def _group_cases(groups: Sequence[WaitingCaseGroup], items: Mapping[CaseItemKind, int]) -> WaitingCases:
    ages, statuses = list(CaseAge), list(CaseStatus)
    by_status: Counter[CaseStatus] = Counter()
    by_age: Counter[CaseAge] = Counter()
    loads: Counter[str | None] = Counter()
    overdue: Counter[str | None] = Counter()
    for group in groups:
        by_status[group.status] += group.count
        by_age[ages[group.age]] += group.count
        loads[group.assignee] += group.count
        overdue[group.assignee] += group.overdue
    people = sorted((person for person in loads if person is not None), key=lambda person: (-loads[person], person))
    listed = [*([None] if None in loads else []), *people[:MAX_ASSIGNEES]]
    return WaitingCases(
        count=loads.total(),
        overdue=overdue.total(),
        by_kind={kind: items[kind] for kind in CaseItemKind if kind in items},
        by_status={status: by_status[status] for status in statuses if status is not CaseStatus.DECIDED},
        by_age={age: by_age[age] for age in ages},
        by_assignee=tuple(AssigneeLoad(person, loads[person], overdue[person]) for person in listed),
        other_assignees=max(0, len(people) - MAX_ASSIGNEES),
    )


def _assess_sources(runtime: Runtime, conditions: Mapping[str, SourceCondition]) -> SourceHealth:
    known = {key: condition for key, condition in conditions.items() if key in runtime.sources}
    return SourceHealth(len(known), {key: condition for key, condition in known.items() if not condition.is_good})
