"""One searchable text of a segment's documents, such as their names: found by their words, and completed as they are typed.

Every field is of the same make and is asked in the same way; the words of its texts are chosen by `matching`. A document may have
several texts in a field; it is found by the one most like what is sought.
"""

import numpy as np

from bonafide.index.admission import Admission
from bonafide.index.asked import Reading
from bonafide.index.document import NO_MARKS, Hit, Marks
from bonafide.index.files import Arrays
from bonafide.index.finder import Finder
from bonafide.index.postings import NameTable, Postings
from bonafide.index.typeahead import Typeahead, has_typeahead
from bonafide.index.vocabulary import Vocabulary


class Field:
    """A field of an opened segment."""

    def __init__(self, arrays: Arrays) -> None:
        self.vocabulary = Vocabulary.read(arrays)
        self._postings = Postings.read(arrays)
        self._names = NameTable.read(arrays)
        self._finder = Finder(arrays)
        self._typeahead = Typeahead(arrays, self.vocabulary, self._postings, self._names) if has_typeahead(arrays) else None

    def __len__(self) -> int:
        """The number of texts."""
        return len(self._names)

    def search(self, reading: Reading, limit: int, admission: Admission, marks: Marks = NO_MARKS) -> list[Hit]:
        """The admitted documents whose texts are most like this one, best first; equals by activity, then in their order.

        Where one is known from elsewhere that is like enough, unlikely slips are not sought.
        """
        return self._finder.search(reading, limit, admission, marks)

    def complete(self, prefix: str, limit: int, admission: Admission) -> list[Hit]:
        """Admitted documents with a text that fits what was typed so far, best first; none for less than two characters."""
        return self._typeahead.complete(prefix, limit, admission) if self._typeahead is not None else []

    def common_words(self, at_least: int) -> dict[str, int]:
        """The words that at least so many texts hold, and how many do."""
        counts = self._postings.frequencies_of_range(range(len(self.vocabulary)))
        tokens = np.flatnonzero(counts >= at_least)
        return dict(zip(self.vocabulary.texts(tokens), counts[tokens].tolist(), strict=True))
