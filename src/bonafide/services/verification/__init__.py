"""Verify a claim about a business against its register."""
