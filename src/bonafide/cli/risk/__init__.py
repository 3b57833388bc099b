"""Commands of risk rating."""
