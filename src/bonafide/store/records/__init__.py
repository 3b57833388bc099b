"""Rows of searches, verifications, reports, business records, dismissals and what sources have loaded and published."""
