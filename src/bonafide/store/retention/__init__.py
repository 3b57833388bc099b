"""Rows that are old enough to be deleted, what is deleted with them, erasures, and files to delete."""
