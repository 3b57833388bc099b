"""Rows of jobs, idempotency keys and what nodes share."""
