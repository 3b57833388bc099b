"""Search the names, people and addresses of a segment."""
