"""Measurements of batches: rows per second of each kind, and searches while a batch runs."""
