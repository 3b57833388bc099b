"""Sanctions screening and dismissals."""
