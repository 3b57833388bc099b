"""Batches over the API: the bodies that request them, and their endpoints."""
