"""Batches: the rows of a file searched, verified or screened in partitions, and their results as files."""
