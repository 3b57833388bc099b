"""Examiner's packs: request one, follow it, download its files."""
