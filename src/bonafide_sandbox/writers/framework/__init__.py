"""What a writer is, and the manifest of the files that it writes."""
