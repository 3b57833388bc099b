"""Fill an organization with benchmark data."""
