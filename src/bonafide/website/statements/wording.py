"""The words by which pages say what they say, read once. What they mean is decided where they are used."""

from typing import Any

from bonafide.website.tables import read_own_table

WORDING: dict[str, Any] = read_own_table("wording.yml")
"""Each of its lists is described in the file."""
