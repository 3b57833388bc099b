"""Parsers that sanctions lists share: names, dates, parties and Canadian regulations."""
