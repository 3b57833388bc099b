"""Ownership answers for tests."""
