"""The performance page: the performance benchmarks at one size, the machine, and the figures of each release."""
