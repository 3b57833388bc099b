"""Consolidated list of EU financial sanctions: European Commission."""
