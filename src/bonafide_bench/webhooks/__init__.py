"""Webhooks: a receiver, a worker process, and the measurement of deliveries and delays."""
