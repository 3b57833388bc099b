"""What a source is: metadata, discovery, live queries and parse context."""
