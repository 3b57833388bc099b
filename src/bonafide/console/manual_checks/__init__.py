"""Pages of manual checks."""
