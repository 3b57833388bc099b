"""Enqueue background jobs and describe their attempts."""
