"""The `bonafide bench` commands."""
