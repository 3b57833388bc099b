"""Create, check and restore backups."""
