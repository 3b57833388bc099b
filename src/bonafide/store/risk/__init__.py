"""Risk rules and the facts of business records."""
