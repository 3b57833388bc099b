"""Batches: upload a file, map its columns, follow the progress, download the results."""
