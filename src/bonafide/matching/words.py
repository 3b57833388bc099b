"""What single words mean for the comparison of names: which are empty, which are common, which are opposites of each other.

All of it is data (`words.yml`). No word is weighed by how often a register holds it: a score must not change with the index.
"""

from bonafide.matching.tables import read_table

_TABLE = read_table("words")

CONNECTORS = frozenset[str](_TABLE["connectors"])
EMPTY_WORDS = CONNECTORS | frozenset[str](_TABLE["articles"])
"""Articles and connectors: they never distinguish a name."""
