"""Render the pages of a generated web site as HTML."""
