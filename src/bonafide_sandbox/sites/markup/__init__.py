"""Render the pages of a made-up web site as HTML."""
