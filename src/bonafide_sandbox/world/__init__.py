"""A world on disk: build it, look up its businesses, and find its simulated failures."""
