"""Thread pools, limits of concurrent work, deadlines and an in-memory cache."""
