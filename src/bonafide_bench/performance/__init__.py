"""The page of performance: all benchmarks at one size, the machine, and the figures of each release."""
