"""Monitoring of business records: what is watched, and when it was last evaluated."""
