"""Gazette notices, and the entries derived from them."""
