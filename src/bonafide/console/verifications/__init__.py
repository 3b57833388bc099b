"""Pages of verifications."""
