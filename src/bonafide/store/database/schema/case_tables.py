"""The tables of cases: their items, notes, attachments and decisions. The others are in `tables`."""

from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
    Uuid,
)

from bonafide.model.cases.case import CaseItemStatus, CaseOutcome, CaseStatus
from bonafide.model.cases.policy import CaseItemKind, CasePriority
from bonafide.store.database.columns import UtcInstant, create_enum_type, metadata

case_positions = Table(
    # Up to which event the cases of an organization have been updated, and the number of its last case.
    "case_positions",
    metadata,
    Column("organization_id", Uuid, ForeignKey("organizations.id"), primary_key=True),
    Column("position", BigInteger, nullable=False),
    Column("last_number", BigInteger, nullable=False),
)

cases = Table(
    # Like an event, a case outlives the record that it is about, so its business is no foreign key.
    "cases",
    metadata,
    Column("organization_id", Uuid, ForeignKey("organizations.id"), nullable=False),
    Column("id", Uuid, nullable=False),
    Column("number", BigInteger, nullable=False),
    Column("business_id", Uuid),
    # What the case gathers: the ID of a business record, or the path of a document without one.
    Column("subject", Text, nullable=False),
    Column("status", create_enum_type(CaseStatus), nullable=False),
    Column("outcome", create_enum_type(CaseOutcome)),
    Column("priority", create_enum_type(CasePriority), nullable=False),
    Column("assignee", Text),
    Column("opened_at", UtcInstant, nullable=False),
    Column("due_at", UtcInstant),
    # When the event that the case is due is to be recorded. NULL without one.
    Column("reminder_at", UtcInstant),
    Column("decided_at", UtcInstant),
    Column("updated_at", UtcInstant, nullable=False),
    Column("pending_decision_id", Uuid),
    # The business record and the name, as JSON.
    Column("document", Text, nullable=False),
    # The name without case and accents, for the filter of the queue.
    Column("folded_name", Text, nullable=False, server_default=""),
    PrimaryKeyConstraint("organization_id", "id"),
    UniqueConstraint("organization_id", "number"),
)
UNDECIDED_CASE = cases.c.decided_at.is_(None)
"""The condition for cases that have not ended. There is at most one of each subject."""
Index(
    "uq_cases_undecided",
    cases.c.organization_id,
    cases.c.subject,
    unique=True,
    sqlite_where=UNDECIDED_CASE,
    postgresql_where=UNDECIDED_CASE,
)
# The queue, by due date.
Index(
    "ix_cases_queue",
    cases.c.organization_id,
    cases.c.due_at,
    cases.c.number,
    sqlite_where=UNDECIDED_CASE,
    postgresql_where=UNDECIDED_CASE,
)
# All cases by due date, also those that have ended.
Index("ix_cases_due", cases.c.organization_id, cases.c.due_at, cases.c.number)
# The feed, and the queue of one status.
Index("ix_cases_changes", cases.c.organization_id, cases.c.updated_at, cases.c.id)
Index("ix_cases_status", cases.c.organization_id, cases.c.status, cases.c.updated_at, cases.c.id)
Index("ix_cases_assignee", cases.c.organization_id, cases.c.assignee, cases.c.updated_at, cases.c.id)
# What waits, by assignee and age. It has all columns that counting names, so that counting reads no rows.
Index(
    "ix_cases_undecided",
    cases.c.organization_id,
    cases.c.assignee,
    cases.c.opened_at,
    cases.c.due_at,
    cases.c.status,
    cases.c.decided_at,
    sqlite_where=UNDECIDED_CASE,
    postgresql_where=UNDECIDED_CASE,
)
DECIDED_CASE = cases.c.decided_at.is_not(None)
"""The condition for cases that have ended."""
# The order in which retention deletes them.
Index(
    "ix_cases_decided",
    cases.c.organization_id,
    cases.c.decided_at,
    cases.c.id,
    sqlite_where=DECIDED_CASE,
    postgresql_where=DECIDED_CASE,
)
CASE_OF_A_RECORD = cases.c.business_id.is_not(None)
"""The condition for cases of a business record."""
Index(
    "ix_cases_business",
    cases.c.organization_id,
    cases.c.business_id,
    cases.c.updated_at,
    cases.c.id,
    sqlite_where=CASE_OF_A_RECORD,
    postgresql_where=CASE_OF_A_RECORD,
)
CASE_WITH_REMINDER = cases.c.reminder_at.is_not(None)
"""The condition for cases whose due date is still to be reported."""
# The order of reminders, across organizations.
Index("ix_cases_reminder", cases.c.reminder_at, sqlite_where=CASE_WITH_REMINDER, postgresql_where=CASE_WITH_REMINDER)


def _refer_to_case() -> ForeignKeyConstraint:
    return ForeignKeyConstraint(["organization_id", "case_id"], ["cases.organization_id", "cases.id"])


case_items = Table(
    "case_items",
    metadata,
    Column("organization_id", Uuid, nullable=False),
    Column("id", Uuid, nullable=False),
    Column("case_id", Uuid, nullable=False),
    Column("kind", create_enum_type(CaseItemKind), nullable=False),
    # What the item is about: the same fact has the same text, so that it is open once in a case.
    Column("cause", Text, nullable=False),
    Column("status", create_enum_type(CaseItemStatus), nullable=False),
    Column("opened_at", UtcInstant, nullable=False),
    Column("settled_at", UtcInstant),
    Column("settled_by", Text),
    # The number of the event that opened the item, whose alert may be open.
    Column("sequence", BigInteger, nullable=False),
    Column("document", Text, nullable=False),
    PrimaryKeyConstraint("organization_id", "id"),
    _refer_to_case(),
)
OPEN_ITEM = case_items.c.settled_at.is_(None)
"""The condition for items that a person still has to look at."""
# The earlier items about a fact.
Index("ix_case_items_cause", case_items.c.organization_id, case_items.c.cause)
Index("ix_case_items_case", case_items.c.organization_id, case_items.c.case_id, case_items.c.opened_at, case_items.c.id)
Index(
    "uq_case_items_open",
    case_items.c.organization_id,
    case_items.c.cause,
    case_items.c.case_id,
    unique=True,
    sqlite_where=OPEN_ITEM,
    postgresql_where=OPEN_ITEM,
)
# What waits, by kind. The case comes before the kind, so that the open items of a case are counted in the same index.
Index(
    "ix_case_items_waiting",
    case_items.c.organization_id,
    case_items.c.case_id,
    case_items.c.kind,
    case_items.c.settled_at,
    sqlite_where=OPEN_ITEM,
    postgresql_where=OPEN_ITEM,
)
Index(
    "ix_case_items_sequence",
    case_items.c.organization_id,
    case_items.c.sequence,
    sqlite_where=OPEN_ITEM,
    postgresql_where=OPEN_ITEM,
)


def _create_part_table(name: str) -> Table:
    """A table of parts of cases that never change."""
    table = Table(
        name,
        metadata,
        Column("organization_id", Uuid, nullable=False),
        Column("id", Uuid, nullable=False),
        Column("case_id", Uuid, nullable=False),
        Column("created_at", UtcInstant, nullable=False),
        Column("document", Text, nullable=False),
        PrimaryKeyConstraint("organization_id", "id"),
        _refer_to_case(),
    )
    Index(f"ix_{name}_case", table.c.organization_id, table.c.case_id, table.c.created_at, table.c.id)
    return table


case_notes = _create_part_table("case_notes")
case_attachments = _create_part_table("case_attachments")
# The order in which retention deletes them.
Index("ix_case_attachments_age", case_attachments.c.organization_id, case_attachments.c.created_at, case_attachments.c.id)
case_decisions = _create_part_table("case_decisions")
