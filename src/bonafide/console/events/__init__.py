"""The list of events, and the timeline of a business record."""
