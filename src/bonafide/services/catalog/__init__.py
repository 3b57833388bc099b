"""The state of every source and the coverage of an installation."""
