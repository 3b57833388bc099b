"""Rows of monitoring: what is watched, which records are to be evaluated, and the runs that select them."""
