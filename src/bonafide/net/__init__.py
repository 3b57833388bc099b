"""Outbound HTTP, the address guard and the client of Valkey."""
