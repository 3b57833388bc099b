"""Invent the businesses, people and sanctioned parties of the made-up Canada."""
