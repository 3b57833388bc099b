"""Readiness, metrics gauges and other tasks of an operator."""
