"""Rows of organizations, their settings, API keys and audit logs."""
