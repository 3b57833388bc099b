"""Pages of searches."""
