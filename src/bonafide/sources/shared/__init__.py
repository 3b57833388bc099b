"""Parsers that several sources share because their publishers use one format."""
