"""The history of the schema, as Alembic runs it. See `bonafide.store.migration`, which is the only way in."""
