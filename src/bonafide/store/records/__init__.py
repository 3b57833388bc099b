"""Rows of searches, verifications, reports, business records and dismissals."""
