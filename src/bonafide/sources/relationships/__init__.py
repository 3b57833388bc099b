"""Sources of relationships between businesses."""
