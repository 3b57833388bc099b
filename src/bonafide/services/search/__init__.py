"""Run searches, store their results and select a match."""
