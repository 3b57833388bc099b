"""Cases, their parts, and the positions up to which they follow the events."""
