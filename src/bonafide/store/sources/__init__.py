"""Rows of source loads, published generations, accepted terms and throttles."""
