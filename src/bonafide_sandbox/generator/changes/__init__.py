"""The changes of the sandbox world from day to day, each a pure function of the seed and the day."""
