"""Rank entries against a query and relate entries to each other."""
