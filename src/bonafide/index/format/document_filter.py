"""Which documents of a segment a search may return: those that match a facet filter and are not deleted.

    document_facets    the place of a document's facets in the segment's table of distinct facets (u2)
    facet_table        that table as JSON in UTF-8: rows of jurisdiction, status, kind (u1)

It is asked inside the scoring loop, about the documents of candidates only, so that a limit counts admitted ones.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bonafide.index.format.documents import ANY_FACETS, FacetFilter, Facets
from bonafide.index.format.jagged_arrays import Flags
from bonafide.index.format.segment_files import Arrays, SegmentWriter

Documents = NDArray[np.uint32]


def write_facets(writer: SegmentWriter, table: Sequence[Facets], documents: NDArray[np.uint16]) -> None:
    """Write each document's facets, given as places in the table."""
    writer.save("document_facets", documents, "<u2")
    writer.save("facet_table", np.frombuffer(json.dumps(table).encode(), np.uint8), "<u1")


@dataclass(frozen=True, slots=True)
class DocumentFilter:
    """`allowed` says of each row of the facet table whether it is wanted; `dead` of each document whether it has been replaced."""

    facets: NDArray[np.uint16]
    allowed: Flags | None
    dead: Flags | None

    def select(self, documents: Documents) -> Flags | None:
        """For each of these documents whether it may be found; None when all may."""
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
