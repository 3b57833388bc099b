"""The two words of SQL that SQLAlchemy spells by database: `INSERT … ON CONFLICT`, the same in SQLite and PostgreSQL.

Nothing else differs in our statements; a statement that would need a branch on the database belongs here or nowhere.
"""

from sqlalchemy import Table
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection


def insert(connection: AsyncConnection, table: Table) -> postgresql.Insert | sqlite.Insert:
    """An insert that can be given `on_conflict_do_nothing` or `on_conflict_do_update`."""
    return postgresql.insert(table) if connection.dialect.name == "postgresql" else sqlite.insert(table)
