"""An opened segment: the documents of one build of one source, answered from mapped files.

It never changes after it is opened, so any number of threads may read it at once without locks. There is no `close`: the mappings
go with the last reference, so nobody can read a closed one. Which segments are in use together is the business of `index`.
"""

from pathlib import Path

from bonafide.index.admission import FacetColumn, Flags
from bonafide.index.asked import Asked, FieldName
from bonafide.index.document import ANYWHERE, NO_MARKS, Hit, Marks, Where
from bonafide.index.field import Field
from bonafide.index.files import SegmentFiles, arrays_within, read_files
from bonafide.index.numbers import Numbers

MOST_READINGS = 4
"""Ways to read a text that are followed, each a search of its own: the whole, and the first of the names that it may consist of."""


class Segment:
    """A segment open for reading. Documents are numbered from 0 in the order in which they were built."""

    def __init__(self, files: SegmentFiles) -> None:
        self.size = len(files.payload) + sum(array.nbytes for array in files.arrays.values())
        """Bytes that it maps."""
        self._payload = files.payload
        self._payload_offsets = files.arrays["payload_offsets"]
        self._numbers = Numbers(files.arrays)
        self._facets = FacetColumn(files.arrays)
        shared = {"document_active": files.arrays["document_active"]}
        self.fields = {
            name: Field({**arrays, **shared}) for name in FieldName if (arrays := arrays_within(files.arrays, name.value))
        }

    @classmethod
    def open(cls, folder: Path) -> "Segment":
        """Verify and map a segment. Raises `SegmentCorrupt` when it is damaged, incomplete or of another version."""
        return cls(read_files(folder))

    def __len__(self) -> int:
        """The number of documents."""
        return len(self._payload_offsets) - 1

    def search(
        self, asked: Asked, limit: int, where: Where = ANYWHERE, dead: Flags | None = None, marks: Marks = NO_MARKS
    ) -> list[Hit]:
        """The documents most like what is asked, best first; equals by activity, then in the order of the source.

        `dead` marks documents that are not to be found, one flag for each document.
        """
        field = self.fields.get(asked.field)
        if field is None:
            return []
        admission = self._facets.admission(where, dead)
        return _best_of([field.search(reading, limit, admission, marks) for reading in asked.readings[:MOST_READINGS]], limit)

    def lookup(self, number: str) -> list[int]:
        """The documents that bear this number, in any spelling, in rising order."""
        return self._numbers.lookup(number)

    def complete(self, prefix: str, limit: int, where: Where = ANYWHERE, dead: Flags | None = None) -> list[Hit]:
        """Documents with a business name that fits what was typed so far, best first; none for less than two characters."""
        field = self.fields.get(FieldName.NAMES)
        return [] if field is None else field.complete(prefix, limit, self._facets.admission(where, dead))

    def payload(self, document: int) -> bytes:
        """The payload as it was given. Raises `IndexError` for a number that no document has."""
        if not 0 <= document < len(self):
            raise IndexError(f"document {document} of {len(self)}")
        return self._payload[self._payload_offsets[document] : self._payload_offsets[document + 1]]


def _best_of(lists: list[list[Hit]], limit: int) -> list[Hit]:
    """Lists of hits as one, each document with its best score, best first; equals by activity, then in the order of the source."""
    if len(lists) == 1:
        return lists[0]
    best: dict[int, Hit] = {}
    for hit in (hit for hits in lists for hit in hits):
        known = best.get(hit.document)
        if known is None or hit.score > known.score:
            best[hit.document] = hit
    return sorted(best.values(), key=lambda hit: (-hit.score, not hit.active, hit.document))[:limit]
