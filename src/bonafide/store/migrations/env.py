"""Alembic's entry point: runs the migrations on the connection it is given, inside that connection's transaction.

It opens nothing and configures no logging; `bonafide.store.database.schema_migration` does the first,
`bonafide.observability.log` the second.
"""

from alembic import context

from bonafide.store.database.tables import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata, transactional_ddl=True)
with context.begin_transaction():
    context.run_migrations()
