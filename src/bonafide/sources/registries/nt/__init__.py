"""The Northwest Territories' corporate registries: live queries by name or file number."""
