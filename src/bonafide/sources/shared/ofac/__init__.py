"""Parsers for the three formats of OFAC's lists."""
