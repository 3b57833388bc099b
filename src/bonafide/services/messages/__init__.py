"""Translate what services report, and describe validation errors."""
