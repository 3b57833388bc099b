"""Build the index of a source, combine indexes and distribute them between machines."""
