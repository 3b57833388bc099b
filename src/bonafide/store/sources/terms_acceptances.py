"""The operator's acceptances of the terms of sources: who accepted which text, and when.

They hold for all organizations. A record is never changed: another version is another record.
"""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.store.database.dialect import insert
from bonafide.store.database.rows import to_columns, to_value
from bonafide.store.database.tables import terms_acceptances


@dataclass(frozen=True, slots=True)
class TermsAcceptance:
    """One version of a source's terms, accepted; `terms` is the text as it stood."""

    source: str
    version: str
    accepted_by: str
    terms: str
    recorded_at: datetime


async def record_acceptance(connection: AsyncConnection, acceptance: TermsAcceptance) -> bool:
    """Keep an acceptance, unless this version's is kept already; True when it is new."""
    added = insert(connection, terms_acceptances).values(to_columns(acceptance)).on_conflict_do_nothing()
    return (await connection.execute(added)).rowcount == 1


async def list_acceptances(connection: AsyncConnection) -> list[TermsAcceptance]:
    """Every acceptance, the oldest first."""
    rows = await connection.execute(select(terms_acceptances).order_by(terms_acceptances.c.recorded_at))
    return [to_value(TermsAcceptance, row) for row in rows]
