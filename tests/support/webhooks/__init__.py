"""What the tests of webhooks share."""
