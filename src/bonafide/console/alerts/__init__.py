"""Alerts: events that a person should look at, what they mean, and their acknowledgement."""
