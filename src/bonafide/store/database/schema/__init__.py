"""The tables of the database by subject. `bonafide.store.database.tables` has the others and the metadata of all."""
