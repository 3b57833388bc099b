"""The history of the schema, as Alembic runs it. See `bonafide.store.database.schema_migration`, which is the only way in."""
