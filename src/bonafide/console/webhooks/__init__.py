"""Pages of webhooks: endpoints, their secrets and their deliveries."""
