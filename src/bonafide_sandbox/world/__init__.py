"""A world on disk: build it, find its businesses, know its simulated failures."""
