"""Pages of business records."""
