"""API keys, members and settings of an organization."""
