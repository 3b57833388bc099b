"""Query every source for one search, in its index or live."""
