"""Classify the trade of a site as an industry of NAICS Canada, by the official tables."""
