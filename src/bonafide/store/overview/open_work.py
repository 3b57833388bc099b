"""Counts of what waits for a person in an organization. One statement reads all of them, from indexes of what is open only."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, FromClause, Integer, Label, bindparam, func, select

from bonafide.model.search.result import SelectionStatus
from bonafide.store.database.engine import Connection, Store, fetch_row
from bonafide.store.database.schema.case_tables import UNDECIDED_CASE, cases
from bonafide.store.database.schema.manual_check_tables import OPEN_CHECK, manual_checks
from bonafide.store.database.tables import (
    IS_OPEN_ALERT,
    OPEN_DISCREPANCY,
    UNDECIDED,
    alerts,
    discrepancies,
    open_hits,
    searches,
)

_MINE = bindparam("organization", type_=cases.c.organization_id.type)
_PERSON = bindparam("person", type_=cases.c.assignee.type)
_MOST = bindparam("most", type_=Integer())


@dataclass(frozen=True, slots=True)
class OpenWorkCounts:
    """How much waits in an organization, each counted up to a limit."""

    cases: int
    """Cases that have not ended."""
    own_cases: int
    """Those of them that are assigned to the person."""
    searches_to_review: int
    """Searches of which a person has to select the match."""
    open_hits: int
    """Open hits of business records on sanctions lists."""
    discrepancies: int
    """Open discrepancies in ownership."""
    alerts: int
    """Alerts that nobody has acknowledged."""
    manual_checks: int
    """Checks of sources that no program may query."""


def _count(name: str, table: FromClause, *conditions: ColumnElement[bool]) -> Label[Any]:
    limited = select(table.c.organization_id).where(table.c.organization_id == _MINE, *conditions).limit(_MOST).subquery()
    return select(func.count()).select_from(limited).scalar_subquery().label(name)


_COUNTS = select(
    _count("cases", cases, UNDECIDED_CASE),
    _count("own_cases", cases, UNDECIDED_CASE, cases.c.assignee == _PERSON),
    _count(
        "searches_to_review",
        searches,
        UNDECIDED,
        searches.c.selection == SelectionStatus.NEEDS_REVIEW,
        ~searches.c.archived,
    ),
    _count("open_hits", open_hits),
    _count("discrepancies", discrepancies, OPEN_DISCREPANCY),
    _count("alerts", alerts, IS_OPEN_ALERT),
    _count("manual_checks", manual_checks, OPEN_CHECK),
)


async def count_open_work(database: Connection | Store, organization_id: UUID, person: str, most: int) -> OpenWorkCounts:
    """The counts of an organization, each up to `most`. `person` is the e-mail of the person whose cases are counted apart."""
    return OpenWorkCounts(*await fetch_row(database, _COUNTS, {"organization": organization_id, "person": person, "most": most}))
