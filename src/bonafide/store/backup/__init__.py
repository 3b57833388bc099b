"""Read and write whole databases for backups."""
