"""The tables of manual checks, their files, and accepted discrepancies of verifications."""

from sqlalchemy import Column, ForeignKey, ForeignKeyConstraint, Index, PrimaryKeyConstraint, Table, Text, Uuid

from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.manual_checks.manual_check import ManualCheckStatus
from bonafide.store.database.columns import UtcInstant, create_enum_type, metadata

manual_checks = Table(
    # Like a case, a check outlives the record that it is about, so its business is no foreign key.
    "manual_checks",
    metadata,
    Column("organization_id", Uuid, ForeignKey("organizations.id"), nullable=False),
    Column("id", Uuid, nullable=False),
    # What the check is about: the ID of a business record, or the path of a search or a verification without one.
    Column("subject", Text, nullable=False),
    Column("business_id", Uuid),
    Column("source", Text, nullable=False),
    Column("jurisdiction", create_enum_type(Jurisdiction), nullable=False),
    # The keys of the number to look for, and of the number that was seen. NULL without one.
    Column("number", Text),
    Column("seen_number", Text),
    Column("status", create_enum_type(ManualCheckStatus), nullable=False),
    Column("opened_at", UtcInstant, nullable=False),
    Column("due_at", UtcInstant),
    Column("closed_at", UtcInstant),
    # When the person looked. NULL until somebody has.
    Column("seen_at", UtcInstant),
    # When the result becomes too old. NULL for never.
    Column("expires_at", UtcInstant),
    # When a new check is to be opened because the result has become too old. NULL if none is.
    Column("renew_at", UtcInstant),
    Column("updated_at", UtcInstant, nullable=False),
    Column("document", Text, nullable=False),
    PrimaryKeyConstraint("organization_id", "id"),
)
OPEN_CHECK = manual_checks.c.closed_at.is_(None)
"""The condition for checks that a person still has to do. There is at most one of each subject and source."""
Index(
    "uq_manual_checks_open",
    manual_checks.c.organization_id,
    manual_checks.c.subject,
    manual_checks.c.source,
    unique=True,
    sqlite_where=OPEN_CHECK,
    postgresql_where=OPEN_CHECK,
)
# The feed, and that of one status.
Index("ix_manual_checks_changes", manual_checks.c.organization_id, manual_checks.c.updated_at, manual_checks.c.id)
Index(
    "ix_manual_checks_status",
    manual_checks.c.organization_id,
    manual_checks.c.status,
    manual_checks.c.updated_at,
    manual_checks.c.id,
)
CHECK_OF_A_RECORD = manual_checks.c.business_id.is_not(None)
"""The condition for checks of a business record."""
Index(
    "ix_manual_checks_business",
    manual_checks.c.organization_id,
    manual_checks.c.business_id,
    manual_checks.c.updated_at,
    manual_checks.c.id,
    sqlite_where=CHECK_OF_A_RECORD,
    postgresql_where=CHECK_OF_A_RECORD,
)
SEEN_CHECK = manual_checks.c.seen_at.is_not(None)
"""The condition for checks with a result."""
for _column in ("number", "seen_number"):
    Index(
        f"ix_manual_checks_{_column}",
        manual_checks.c.organization_id,
        manual_checks.c.jurisdiction,
        manual_checks.c[_column],
        sqlite_where=SEEN_CHECK,
        postgresql_where=SEEN_CHECK,
    )
RENEWED_CHECK = manual_checks.c.renew_at.is_not(None)
"""The condition for checks whose result is to be renewed."""
# The order of renewals, across organizations.
Index(
    "ix_manual_checks_renewal",
    manual_checks.c.renew_at,
    sqlite_where=RENEWED_CHECK,
    postgresql_where=RENEWED_CHECK,
)

manual_check_files = Table(
    "manual_check_files",
    metadata,
    Column("organization_id", Uuid, nullable=False),
    Column("id", Uuid, nullable=False),
    Column("check_id", Uuid, nullable=False),
    Column("created_at", UtcInstant, nullable=False),
    Column("document", Text, nullable=False),
    PrimaryKeyConstraint("organization_id", "id"),
    ForeignKeyConstraint(["organization_id", "check_id"], ["manual_checks.organization_id", "manual_checks.id"]),
)
Index(
    "ix_manual_check_files_check",
    manual_check_files.c.organization_id,
    manual_check_files.c.check_id,
    manual_check_files.c.created_at,
    manual_check_files.c.id,
)

accepted_discrepancies = Table(
    # The verification is no foreign key: the decision is part of the trail that outlives it.
    "accepted_discrepancies",
    metadata,
    Column("organization_id", Uuid, ForeignKey("organizations.id"), nullable=False),
    Column("id", Uuid, nullable=False),
    Column("verification_id", Uuid, nullable=False),
    Column("field", Text, nullable=False),
    Column("accepted_at", UtcInstant, nullable=False),
    Column("revoked_at", UtcInstant),
    Column("document", Text, nullable=False),
    PrimaryKeyConstraint("organization_id", "id"),
)
HELD_ACCEPTANCE = accepted_discrepancies.c.revoked_at.is_(None)
"""The condition for decisions that were not revoked. There is at most one of each field."""
Index(
    "uq_accepted_discrepancies_held",
    accepted_discrepancies.c.organization_id,
    accepted_discrepancies.c.verification_id,
    accepted_discrepancies.c.field,
    unique=True,
    sqlite_where=HELD_ACCEPTANCE,
    postgresql_where=HELD_ACCEPTANCE,
)
Index(
    "ix_accepted_discrepancies_verification",
    accepted_discrepancies.c.organization_id,
    accepted_discrepancies.c.verification_id,
    accepted_discrepancies.c.accepted_at,
)
