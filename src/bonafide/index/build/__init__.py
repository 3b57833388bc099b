"""Build a segment from documents."""
