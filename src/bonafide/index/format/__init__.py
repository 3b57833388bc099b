"""The files of a segment: arrays, tables and postings."""
