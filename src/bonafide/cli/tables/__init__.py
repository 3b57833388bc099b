"""Commands that read and write tables: batches, and exports for analysts."""
