"""What a fetched page contains: decoded text, clean markup and structured data."""
