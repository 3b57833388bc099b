"""The inputs and results of an index: documents, facets, filters and hits; and how facets and hashes are stored.

    document_facets     the place of a document's facets in the segment's table of distinct facets (u2)
    facet_table         that table as JSON in UTF-8: rows of jurisdiction, status, kind (u1)
    document_keys       the hash of each document's key (u8)
    document_digests    the hash of a document's contents: texts, payload, activity, facets (u8)

Objects that a build creates by the million are named tuples: a frozen dataclass takes three times as long to create and to hash.
Loads of a source are compared by the hashes; the probability of a collision among ten million keys is one in 300,000.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from hashlib import blake2b
from operator import attrgetter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bonafide.index.format.hash_table import Hashes, hash_texts
from bonafide.index.format.jagged_arrays import Flags
from bonafide.index.format.segment_files import Arrays, SegmentWriter


class FieldName(StrEnum):
    """The searchable texts of a document, each with words of its own kind."""

    NAMES = "names"
    PEOPLE = "people"
    ADDRESSES = "addresses"


class Facets(NamedTuple):
    """The attributes by which documents can be filtered; empty if the source does not provide them."""

    jurisdiction: str = ""
    status: str = ""
    kind: str = ""


@dataclass(frozen=True, slots=True)
class FacetFilter:
    """A filter of documents by their facets; an empty set matches any."""

    jurisdictions: frozenset[str] = frozenset()
    statuses: frozenset[str] = frozenset()
    kinds: frozenset[str] = frozenset()

    def admits(self, facets: Facets) -> bool:
        """Whether a document with these facets matches."""
        wanted = (
            (self.jurisdictions, facets.jurisdiction),
            (self.statuses, facets.status),
            (self.kinds, facets.kind),
        )
        return all(not among or value in among for among, value in wanted)


ANY_FACETS = FacetFilter()


@dataclass(frozen=True, slots=True)
class ScoreHints:
    """Scores known before a search: `best` is the best score in other segments; scores below `floor` are not needed."""

    best: float = 0.0
    floor: float = 0.0


NO_SCORE_HINTS = ScoreHints()


class IndexDocument(NamedTuple):
    """One entry of a source in the index. `payload` is opaque and returned unchanged.

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
    """A document's number (from 0), its rough score (0 to 1), and whether it is active: on equal scores, active ones come first."""

    document: int
    score: float
    active: bool = True


@dataclass(frozen=True, slots=True)
class SegmentSummary:
    """Summary of a build: counts of documents, searchable names of all fields, distinct words and number keys; `size` in bytes."""

    documents: int
    names: int
    tokens: int
    numbers: int
    size: int


Documents = NDArray[np.uint32]


def write_facets(writer: SegmentWriter, table: Sequence[Facets], documents: NDArray[np.uint16]) -> None:
    """Write each document's facets, given as places in the table."""
    writer.save("document_facets", documents, "<u2")
    writer.save("facet_table", np.frombuffer(json.dumps(table).encode(), np.uint8), "<u1")


@dataclass(frozen=True, slots=True)
class DocumentFilter:
    """`allowed` flags the matching rows of the facet table; `dead` flags documents that have been replaced."""

    facets: NDArray[np.uint16]
    allowed: Flags | None
    dead: Flags | None

    def select(self, documents: Documents) -> Flags | None:
        """Flags for the documents that match; None if all match."""
        if self.allowed is None:
            return None if self.dead is None else ~self.dead[documents]
        admitted: Flags = self.allowed[self.facets[documents]]
        return admitted if self.dead is None else admitted & ~self.dead[documents]


class FacetColumn:
    """The facets of an opened segment's documents."""

    def __init__(self, arrays: Arrays) -> None:
        self._documents: NDArray[np.uint16] = arrays["document_facets"]
        self._table = [Facets(*row) for row in json.loads(arrays["facet_table"].tobytes())]

    def create_filter(self, where: FacetFilter, dead: Flags | None) -> DocumentFilter:
        """The filter of documents that have these facets and are not dead."""
        allowed = None if where == ANY_FACETS else np.array([where.admits(facets) for facets in self._table], np.bool_)
        return DocumentFilter(self._documents, allowed, dead)


_KEY = attrgetter("key")
_DIGEST_BYTES = 8
_TEXT_END, _LIST_END = "\0", "\1"
"""Terminators of a text and of a list of texts. They do not occur in registry data."""


def hash_keys(documents: Iterable[IndexDocument]) -> Hashes:
    """The hash of each document's key."""
    return hash_texts(list(map(_KEY, documents)))


def hash_contents(documents: Iterable[IndexDocument]) -> Hashes:
    """The hash of each document's contents, in which the order of names is significant."""
    return np.frombuffer(b"".join(map(_hash_content, documents)), "<u8")


def _hash_content(document: IndexDocument) -> bytes:
    facets = document.facets
    activity = "active" if document.active else "inactive"
    fields = (*document.names, _LIST_END, *document.people, _LIST_END, *document.addresses, _LIST_END, *document.numbers, _LIST_END)
    texts = _TEXT_END.join((activity, facets.jurisdiction, facets.status, facets.kind, *fields))
    digest = blake2b(texts.encode(errors="surrogatepass"), digest_size=_DIGEST_BYTES)
    digest.update(document.payload)
    return digest.digest()


def write_document_hashes(writer: SegmentWriter, keys: Hashes, contents: Hashes) -> None:
    """Write the hashes of all documents, in their order."""
    writer.save("document_keys", keys, "<u8")
    writer.save("document_digests", contents, "<u8")
