"""Business records: upsert, list, import, export and audit."""
