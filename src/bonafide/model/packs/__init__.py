"""Examiner's packs: everything that is stored about a business or a period, as one PDF and one ZIP."""
