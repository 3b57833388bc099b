"""Build, publish and replace the generations of each source's index."""
