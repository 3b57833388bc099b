"""The tables of risk rating: versions of rules, and the facts of business records. The others are in `tables`."""

from sqlalchemy import Column, ForeignKey, ForeignKeyConstraint, Index, Integer, PrimaryKeyConstraint, Table, Text, Uuid

from bonafide.model.risk.rules import RiskRulesStatus
from bonafide.store.database.columns import UtcInstant, create_enum_type, metadata

risk_rules = Table(
    # The versions of an organization's risk rules.
    "risk_rules",
    metadata,
    Column("organization_id", Uuid, ForeignKey("organizations.id"), nullable=False),
    Column("version", Integer, nullable=False),
    Column("status", create_enum_type(RiskRulesStatus), nullable=False),
    Column("saved_at", UtcInstant, nullable=False),
    Column("saved_by", Text, nullable=False),
    Column("activated_at", UtcInstant),
    Column("activated_by", Text),
    Column("document", Text, nullable=False),
    PrimaryKeyConstraint("organization_id", "version"),
)
IS_IN_PLACE = risk_rules.c.status.in_([RiskRulesStatus.ACTIVE, RiskRulesStatus.DRAFT])
"""The condition for versions of which an organization has one of each status at most."""
Index(
    "uq_risk_rules_in_place",
    risk_rules.c.organization_id,
    risk_rules.c.status,
    unique=True,
    sqlite_where=IS_IN_PLACE,
    postgresql_where=IS_IN_PLACE,
)

risk_facts = Table(
    # What is known of a business record, from all of its checks.
    "risk_facts",
    metadata,
    Column("organization_id", Uuid, nullable=False),
    Column("business_id", Uuid, nullable=False),
    Column("document", Text, nullable=False),
    PrimaryKeyConstraint("organization_id", "business_id"),
    ForeignKeyConstraint(["organization_id", "business_id"], ["businesses.organization_id", "businesses.id"]),
)
