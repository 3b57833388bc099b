"""Rows of jobs, leases, idempotency keys and rate limits."""
