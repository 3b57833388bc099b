"""Events: what changed, from what to what, according to which source."""
