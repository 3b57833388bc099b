"""Names and roles of people."""
