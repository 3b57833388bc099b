"""What waits in an organization, the condition of the sources, and what was done on each of the last days."""
