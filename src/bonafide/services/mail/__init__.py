"""E-mail about events: prepare it from the feeds, send it, and let members turn it off."""
