"""An opened segment: all names, numbers and payloads of one load of one source, answered from mapped files.

It never changes after it is opened, so any number of threads may read it at once without locks. There is no `close`: the mappings
go with the last reference, so nobody can read a closed one. Which segment is in use is the business of `generations`.
"""

from pathlib import Path

from bonafide.index.deletions import Deletions
from bonafide.index.document import Hit
from bonafide.index.expand import Expander
from bonafide.index.files import SegmentFiles, read_files
from bonafide.index.gather import gather
from bonafide.index.numbers import Numbers
from bonafide.index.plan import make_plan
from bonafide.index.postings import NameTable, Postings
from bonafide.index.score import SCORE_FLOOR, rank, score
from bonafide.index.spelling import Speller
from bonafide.index.tokens import index_tokens
from bonafide.index.typeahead import Typeahead
from bonafide.index.vocabulary import Vocabulary
from bonafide.matching.names import NormalName


class Segment:
    """A segment open for reading. Documents are numbered from 0 in the order in which they were built."""

    def __init__(self, files: SegmentFiles) -> None:
        self._payload = files.payload
        self._payload_offsets = files.arrays["payload_offsets"]
        self._vocabulary = Vocabulary.read(files.arrays)
        self._postings = Postings.read(files.arrays)
        self._names = NameTable.read(files.arrays)
        self._numbers = Numbers(files.arrays)
        self._typeahead = Typeahead(files.arrays, self._vocabulary, self._postings, self._names)
        self._expander = Expander(self._vocabulary, Speller(self._vocabulary, Deletions(files.arrays)), self._postings)

    @classmethod
    def open(cls, folder: Path) -> "Segment":
        """Verify and map a segment. Raises `SegmentCorrupt` when it is damaged, incomplete or of another version."""
        return cls(read_files(folder))

    def __len__(self) -> int:
        """The number of documents."""
        return len(self._payload_offsets) - 1

    def search(self, name: NormalName, limit: int) -> list[Hit]:
        """The documents whose names are most like this one, best first; equals by activity, then in the order of the source."""
        words = index_tokens(name)
        readings = self._expander.readings(words) if words else []
        if not readings:
            return []
        plan = make_plan(len(words), readings, self._vocabulary, self._postings, len(self._names))
        found = gather(plan, self._postings, self._names)
        scores = score(plan, found, self._names, len(self._vocabulary))
        enough = scores >= SCORE_FLOOR
        return rank(found[enough], scores[enough], self._names, limit)

    def lookup(self, number: str) -> list[int]:
        """The documents that bear this number, in any spelling, in rising order."""
        return self._numbers.lookup(number)

    def complete(self, prefix: str, limit: int) -> list[Hit]:
        """Documents with a name that fits what was typed so far, best first; none for less than two characters."""
        return self._typeahead.complete(prefix, limit)

    def payload(self, document: int) -> bytes:
        """The payload as it was given. Raises `IndexError` for a number that no document has."""
        if not 0 <= document < len(self):
            raise IndexError(f"document {document} of {len(self)}")
        return self._payload[self._payload_offsets[document] : self._payload_offsets[document + 1]]
