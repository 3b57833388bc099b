"""Loads of sources, published indexes and combined indexes, and the provenance of what they hold."""
