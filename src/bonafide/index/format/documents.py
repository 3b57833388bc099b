"""The values that go into an index and come out of it: documents, facets, filters and hits.

What is made by the million for a build is a named tuple: a frozen dataclass takes three times as long to make and to hash.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple


class FieldName(StrEnum):
    """The searchable texts of a document, each with words of its own kind."""

    NAMES = "names"
    PEOPLE = "people"
    ADDRESSES = "addresses"


class Facets(NamedTuple):
    """What documents can be filtered by; an empty text where the source doesn't say."""

    jurisdiction: str = ""
    status: str = ""
    kind: str = ""


@dataclass(frozen=True, slots=True)
class FacetFilter:
    """Which documents are wanted: those whose facet is among these; an empty set stands for any."""

    jurisdictions: frozenset[str] = frozenset()
    statuses: frozenset[str] = frozenset()
    kinds: frozenset[str] = frozenset()

    def admits(self, facets: Facets) -> bool:
        """Whether a document with these facets is wanted."""
        wanted = (
            (self.jurisdictions, facets.jurisdiction),
            (self.statuses, facets.status),
            (self.kinds, facets.kind),
        )
        return all(not among or value in among for among, value in wanted)


ANY_FACETS = FacetFilter()


@dataclass(frozen=True, slots=True)
class ScoreHints:
    """Scores that are known before a search: `best` is that of the best hit elsewhere, and less than `floor` is not wanted."""

    best: float = 0.0
    floor: float = 0.0


NO_SCORE_HINTS = ScoreHints()


class IndexDocument(NamedTuple):
    """One entry of a source as the index sees it. `payload` is opaque and comes back as it was given.

    `key` identifies the entry within its source from load to load. `names` are those of businesses, `people` those of persons,
    `addresses` single lines of text.
    """

    key: str
    payload: bytes
    names: tuple[str, ...] = ()
    people: tuple[str, ...] = ()
    addresses: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()
    active: bool = True
    facets: Facets = Facets()


class IndexHit(NamedTuple):
    """A document's number (from 0), its rough score, 0 to 1, and whether it is active: of equals, active ones come first."""

    document: int
    score: float
    active: bool = True


@dataclass(frozen=True, slots=True)
class SegmentSummary:
    """What was built: counts of documents, searchable names of all fields, distinct words, number keys; `size` in bytes on disk."""

    documents: int
    names: int
    tokens: int
    numbers: int
    size: int
