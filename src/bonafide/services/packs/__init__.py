"""Examiner's packs: collect what is stored about a business or a period, build the files, and verify them."""
