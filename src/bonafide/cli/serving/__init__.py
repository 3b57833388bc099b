"""Commands that run processes, and process control."""
