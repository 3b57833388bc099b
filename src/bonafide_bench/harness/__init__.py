"""Servers, load and a baseline to measure against."""
