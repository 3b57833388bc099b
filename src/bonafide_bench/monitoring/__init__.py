"""Measurements of monitoring: a portfolio of parties against the changes of sanctions lists."""
