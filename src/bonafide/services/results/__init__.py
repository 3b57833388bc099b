"""Build the result document from lookups, matches and errors."""
