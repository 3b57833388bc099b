"""Documents as they come from a source, gathered to the arrays that are laid out as a segment.

Payloads are written as they come and never stay; of texts stay the numbers of their words, and how one would type them. Nothing is
sorted here.
"""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from operator import attrgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bonafide.index.asked import FieldName
from bonafide.index.document import Facets, IndexDocument
from bonafide.index.files import SummedFile
from bonafide.index.identity import digests, key_hashes
from bonafide.index.reading import Numbering, ReadField, ReadNumbers, Texts
from bonafide.index.word_list import WordList, sorted_words
from bonafide.index.workforce import Workforce

_TEXTS_OF = {
    FieldName.NAMES: attrgetter("names"),
    FieldName.PEOPLE: attrgetter("people"),
    FieldName.ADDRESSES: attrgetter("addresses"),
}
_PIECE = 512
"""Documents that are held at a time: with more, the garbage collector would look through them again and again."""


class Column:
    """An array that grows by whole pieces; joined once, when it is complete."""

    def __init__(self, dtype: type[np.unsignedinteger[Any]]) -> None:
        self._pieces: list[NDArray[Any]] = [np.zeros(0, dtype)]

    def __len__(self) -> int:
        """How long it is by now."""
        return sum(map(len, self._pieces))

    def extend(self, piece: NDArray[Any]) -> None:
        """Add to its end."""
        self._pieces.append(piece)

    def joined(self) -> NDArray[Any]:
        """All of it."""
        self._pieces = [np.concatenate(self._pieces)]
        return self._pieces[0]


class _Owners:
    """Which document a text belongs to: of each document it is told first how many texts it has, then what was read of them."""

    def __init__(self) -> None:
        self._counts = array("I")
        self._answered = 0
        self._texts = Column(np.uint32)

    def told(self, counts: Iterable[int]) -> None:
        """How many texts each of the next documents has."""
        self._counts.extend(counts)

    def answered(self, count: int, places: NDArray[np.uint32]) -> None:
        """Of which of the next `count` texts something was read."""
        self._texts.extend(places + np.uint32(self._answered))
        self._answered += count

    def documents(self) -> NDArray[np.uint32]:
        """The document of each thing that was read."""
        counts = np.frombuffer(self._counts, np.uint32)
        documents: NDArray[np.uint32] = np.repeat(np.arange(len(counts), dtype=np.uint32), counts)[self._texts.joined()]
        return documents


class CollectedField:
    """The texts of one field in the order of their documents: `words` by number, `lengths` of each; `typed` and its lengths."""

    def __init__(self) -> None:
        self.owners = _Owners()
        self.numbering = Numbering()
        self.words = Column(np.uint32)
        self.lengths = Column(np.uint8)
        self.typed = bytearray()
        self.typed_lengths = Column(np.uint16)

    def __len__(self) -> int:
        """The number of rows read from the texts."""
        return len(self.lengths)

    def add(self, rows: ReadField) -> None:
        """Remember what was read of the next texts."""
        self.owners.answered(rows.count, rows.places)
        self.words.extend(self.numbering.of(rows.distinct.split())[rows.words])
        self.lengths.extend(rows.lengths)
        self.typed += rows.typed
        self.typed_lengths.extend(rows.typed_lengths)

    def sorted_words(self) -> tuple[WordList, NDArray[np.uint32]]:
        """The distinct words, and those of all rows by their place among them. Their numbers are then forgotten, to save memory."""
        words, places = sorted_words(self.numbering.words())
        rows: NDArray[np.uint32] = places[self.words.joined()]
        self.numbering, self.words = Numbering(), Column(np.uint32)
        return words, rows


class CollectedNumbers:
    """The hashes of registration numbers, in the order of their documents."""

    def __init__(self) -> None:
        self.owners = _Owners()
        self.hashes = Column(np.uint64)

    def __len__(self) -> int:
        """The number of hashes."""
        return len(self.hashes)

    def add(self, read: ReadNumbers) -> None:
        """Remember what was read of the next numbers."""
        self.owners.answered(read.count, read.places)
        self.hashes.extend(read.hashes)


class Collected:
    """All that is remembered of the documents, in the order in which they come."""

    def __init__(self) -> None:
        self.fields = {name: CollectedField() for name in FieldName}
        self.numbers = CollectedNumbers()
        self.keys, self.digests = Column(np.uint64), Column(np.uint64)
        self.active = bytearray()
        self.payload_lengths = array("Q")
        self.document_facets = array("H")
        self._facets: dict[Facets, int] = {}

    def __len__(self) -> int:
        """The number of documents."""
        return len(self.active)

    @property
    def facets(self) -> list[Facets]:
        """The distinct facets, to which `document_facets` refers."""
        return list(self._facets)

    def collect(self, documents: Iterable[IndexDocument], payload: SummedFile, workforce: Workforce) -> None:
        """Read all documents, and write their payloads."""
        for read in workforce.read(self._batches(iter(documents), payload, workforce.batch)):
            for name, rows in read.fields.items():
                self.fields[name].add(rows)
            self.numbers.add(read.numbers)

    def _batches(self, documents: Iterator[IndexDocument], payload: SummedFile, size: int) -> Iterator[Texts]:
        """The texts of all documents, so many at a time or a few more."""
        texts = Texts()
        while piece := list(islice(documents, min(size, _PIECE))):
            self._remember(piece, payload)
            self._add_texts(piece, texts)
            if len(texts) >= size:
                yield texts
                texts = Texts()
        yield texts

    def _remember(self, documents: Sequence[IndexDocument], payload: SummedFile) -> None:
        payloads = [document.payload for document in documents]
        payload.write(b"".join(payloads))
        self.payload_lengths.extend(map(len, payloads))
        self.keys.extend(key_hashes(documents))
        self.digests.extend(digests(documents))
        self.active.extend([document.active for document in documents])
        self.document_facets.extend([self._facets.setdefault(document.facets, len(self._facets)) for document in documents])

    def _add_texts(self, documents: Sequence[IndexDocument], texts: Texts) -> None:
        for name, texts_of in _TEXTS_OF.items():
            texts.fields[name].extend(_flat(list(map(texts_of, documents)), self.fields[name].owners))
        texts.numbers.extend(_flat([document.numbers for document in documents], self.numbers.owners))


def _flat(texts: Sequence[tuple[str, ...]], owners: _Owners) -> list[str]:
    """The distinct texts of each document, one after the other."""
    distinct = [own if len(own) < 2 else tuple(dict.fromkeys(own)) for own in texts]  # noqa: PLR2004  # one is distinct
    owners.told(map(len, distinct))
    return list(chain.from_iterable(distinct))
