"""API keys, organizations, users, sign-in and sessions."""
