"""The Open Database of Businesses: Statistics Canada."""
