"""Business names: normalization, legal forms and comparison."""
