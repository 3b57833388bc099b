"""Combined indexes: which sources are searched together in one, and what it was built from."""

from collections.abc import Mapping

from bonafide.model.base import Document, Instant
from bonafide.model.entry import SourceKind

REGISTERS, OTHERS = "joint-registers", "joint-others"
GROUPS: Mapping[str, frozenset[SourceKind]] = {
    REGISTERS: frozenset({SourceKind.REGISTRY}),
    OTHERS: frozenset({SourceKind.REGULATOR, SourceKind.LISTING}),
}
"""Which sources are searched together, by the key of their joint index: those whose best entries are wanted among each other, and
those each of whose own are."""


class CombinedIndexRecord(Document):
    """The sources of a combined index by key, each with the identity of its generation (`services/indexing/combined_index`)."""

    made_at: Instant
    generations: dict[str, str]
