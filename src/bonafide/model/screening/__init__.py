"""Sanctions screenings and dismissed hits."""
