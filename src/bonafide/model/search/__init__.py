"""Searches: request, matches and result document."""
