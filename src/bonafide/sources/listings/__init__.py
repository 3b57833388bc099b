"""One folder a source; see `docs/howto/add-a-source.md`. What these list is weak evidence and proves no registration."""
