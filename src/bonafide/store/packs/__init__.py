"""Examiner's packs, and the rows that they consist of."""
