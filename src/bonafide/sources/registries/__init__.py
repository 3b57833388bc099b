"""One folder a source; see `docs/howto/add-a-source.md`."""
