"""Record events with the changes that they report, and read the feed."""
