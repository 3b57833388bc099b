"""Organizations, API keys, users, roles and branding."""
