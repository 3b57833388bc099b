"""Rows of organizations, API keys and settings."""
