"""Parse fetched pages: sanitized markup, visible text and structured data."""
