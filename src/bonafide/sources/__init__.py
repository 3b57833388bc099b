"""Anything that things are looked up in: a folder a source, found by its `source.yml`, with no central list."""
