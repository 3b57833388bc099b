"""Steps of SQLite's query plans."""

from bonafide.store.database.tables import metadata


def is_scan(step: str) -> bool:
    """Whether a step reads a whole table."""
    words = step.split()
    return words[0] == "SCAN" and words[1] in metadata.tables
