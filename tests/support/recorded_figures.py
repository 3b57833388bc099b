"""Figures that tests record for people: measured, printed at the end of the run, never asserted."""

FIGURES = "figures"
"""The property of a test under which it records a text of figures."""
