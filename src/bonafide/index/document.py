"""The values that go into an index and come out of it. They say nothing of how it is stored or searched."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class IndexDocument:
    """One entry of a source as the index sees it. `payload` is opaque and comes back as it was given."""

    names: tuple[str, ...]
    numbers: tuple[str, ...]
    payload: bytes
    active: bool


@dataclass(frozen=True, slots=True)
class Hit:
    """A document's number in its segment (from 0, in the order of building) and its rough score, 0 to 1."""

    document: int
    score: float


@dataclass(frozen=True, slots=True)
class SegmentSummary:
    """What was built: counts of documents, searchable names, distinct words, number keys; `size` in bytes on disk."""

    documents: int
    names: int
    tokens: int
    numbers: int
    size: int
