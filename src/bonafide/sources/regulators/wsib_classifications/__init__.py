"""Businesses classification details: Workplace Safety and Insurance Board (Ontario)."""
