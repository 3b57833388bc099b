"""Screening of files, and the output of screenings."""
