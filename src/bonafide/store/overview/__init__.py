"""Counts of what waits in an organization, and of what was done on each day. All are read from indexes."""
