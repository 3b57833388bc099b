"""OFAC's lists in the three forms in which they are published."""
