"""Fit the numbers of the scoring to labelled pairs."""
