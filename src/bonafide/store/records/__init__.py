"""Rows of searches, verifications, reports, business records, ownership, dismissals and what sources have loaded and published."""
