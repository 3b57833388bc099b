"""Versions of an organization's risk rules. Documents are text and never parsed. Writers hold the organization's audit head."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import bindparam, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.model.risk.rules import RiskRulesStatus
from bonafide.store.database.engine import Store, fetch_value
from bonafide.store.database.rows import from_row, to_columns, to_value
from bonafide.store.database.schema.risk_tables import risk_rules

_ACTIVE = select(risk_rules.c.document).where(
    risk_rules.c.organization_id == bindparam("organization"), risk_rules.c.status == RiskRulesStatus.ACTIVE
)


@dataclass(frozen=True, slots=True)
class StoredRiskRules:
    """A version of the rules, with its document (`RiskRules`)."""

    version: int
    status: RiskRulesStatus
    saved_at: datetime
    saved_by: str
    activated_at: datetime | None
    activated_by: str | None
    document: str


_COLUMNS = [risk_rules.c[name] for name in StoredRiskRules.__slots__]


async def get_active_document(database: AsyncConnection | Store, organization_id: UUID) -> str | None:
    """The document of the active version; None if the organization has no active rules."""
    document: str | None = await fetch_value(database, _ACTIVE, {"organization": organization_id})
    return document


async def get(connection: AsyncConnection, organization_id: UUID, version: int) -> StoredRiskRules | None:
    """One version; None if the organization has no such version."""
    found = select(*_COLUMNS).where(risk_rules.c.organization_id == organization_id, risk_rules.c.version == version)
    return from_row(StoredRiskRules, (await connection.execute(found)).one_or_none())


async def get_by_status(connection: AsyncConnection, organization_id: UUID, status: RiskRulesStatus) -> StoredRiskRules | None:
    """The draft, or the active version; None without one."""
    found = select(*_COLUMNS).where(risk_rules.c.organization_id == organization_id, risk_rules.c.status == status)
    return from_row(StoredRiskRules, (await connection.execute(found)).one_or_none())


async def list_newest(connection: AsyncConnection, organization_id: UUID, limit: int) -> list[StoredRiskRules]:
    """The newest versions, newest first."""
    newest = select(*_COLUMNS).where(risk_rules.c.organization_id == organization_id).order_by(risk_rules.c.version.desc())
    return [to_value(StoredRiskRules, row) for row in await connection.execute(newest.limit(limit))]


async def get_last_version(connection: AsyncConnection, organization_id: UUID) -> int:
    """The highest number of a version; 0 without any."""
    last = select(func.max(risk_rules.c.version)).where(risk_rules.c.organization_id == organization_id)
    return (await connection.execute(last)).scalar_one() or 0


async def add(connection: AsyncConnection, organization_id: UUID, rules: StoredRiskRules) -> None:
    """Store a new version."""
    await connection.execute(insert(risk_rules).values(organization_id=organization_id, **to_columns(rules)))


async def replace(connection: AsyncConnection, organization_id: UUID, rules: StoredRiskRules) -> None:
    """Replace a version by its number."""
    mine = (risk_rules.c.organization_id == organization_id, risk_rules.c.version == rules.version)
    await connection.execute(update(risk_rules).where(*mine).values(**to_columns(rules)))
