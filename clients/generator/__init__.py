"""Generates the client libraries from `docs/openapi.json`."""
