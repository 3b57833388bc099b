"""Regulators, one folder for each source; see `docs/howto/add-a-source.md`."""
