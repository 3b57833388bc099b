"""Batches and their partitions."""
