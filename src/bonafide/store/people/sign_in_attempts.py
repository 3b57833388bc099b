"""How often somebody failed to sign in lately, by what is counted: an e-mail or a client's address, as a digest."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import bindparam, delete, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.store.database.account_tables import sign_in_attempts
from bonafide.store.database.dialect import insert
from bonafide.store.database.rows import to_columns, to_value

_ROW = select(sign_in_attempts).where(sign_in_attempts.c.subject == bindparam("of")).with_for_update()


@dataclass(frozen=True, slots=True)
class SignInAttempts:
    """Failures in a row, when the last one was, and until when nothing is tried."""

    failures: int
    failed_at: datetime
    paused_until: datetime | None = None


async def lock(connection: AsyncConnection, subjects: Sequence[str], now: datetime) -> dict[str, SignInAttempts]:
    """What is known of each subject, held until the transaction ends; of a new one that it never failed."""
    held = {}
    # In one order, for two who each hold what the other waits for would wait for ever.
    for subject in sorted(subjects):
        first = insert(connection, sign_in_attempts).values(subject=subject, failures=0, failed_at=now, paused_until=None)
        await connection.execute(first.on_conflict_do_nothing(index_elements=["subject"]))
        held[subject] = to_value(SignInAttempts, (await connection.execute(_ROW, {"of": subject})).one())
    return held


async def save(connection: AsyncConnection, subject: str, attempts: SignInAttempts) -> None:
    """Write back what is held."""
    await connection.execute(update(sign_in_attempts).where(sign_in_attempts.c.subject == subject).values(to_columns(attempts)))


async def remove(connection: AsyncConnection, subject: str) -> None:
    """Let the subject be one that never failed."""
    await connection.execute(delete(sign_in_attempts).where(sign_in_attempts.c.subject == subject))


async def purge(connection: AsyncConnection, before: datetime) -> int:
    """Forget whoever has not failed since then; returns how many."""
    return (await connection.execute(delete(sign_in_attempts).where(sign_in_attempts.c.failed_at < before))).rowcount
