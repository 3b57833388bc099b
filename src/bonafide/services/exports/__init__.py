"""Exports for analysts: what an organization has stored, as tables."""
