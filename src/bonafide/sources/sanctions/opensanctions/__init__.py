"""OpenSanctions: lists of many states in one collection."""
