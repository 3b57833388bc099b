"""Consolidated Canadian Autonomous Sanctions List: Global Affairs Canada."""
