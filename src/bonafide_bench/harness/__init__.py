"""Server processes, load generation, memory sampling and baselines."""
