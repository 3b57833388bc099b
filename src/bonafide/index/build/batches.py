"""Collect documents in batches into the arrays from which a segment is written.

Payloads are written at once and not kept. Of texts, the numbers of their words and their typed forms are kept in temporary files.
"""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from operator import attrgetter
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bonafide.index.build.batch_reader import ReadField, ReadKeys, TextBatch, WordNumbering
from bonafide.index.build.process_pool import ReaderPool
from bonafide.index.format.documents import Facets, FieldName, IndexDocument, hash_contents, hash_keys
from bonafide.index.format.hash_table import hash_rows
from bonafide.index.format.jagged_arrays import compute_offsets, expand_slices
from bonafide.index.format.segment_files import ChecksummedFile
from bonafide.index.format.word_list import WordList, sort_words

_FIELD_GETTERS = {
    FieldName.NAMES: attrgetter("names"),
    FieldName.PEOPLE: attrgetter("people"),
    FieldName.ADDRESSES: attrgetter("addresses"),
}
_DOCUMENTS_AT_ONCE = 512
"""Documents held at a time: with more, the garbage collector would traverse them repeatedly."""
_SPOOLED_BYTES = 2**20
"""Bytes of an array above which it is kept in a file."""


class GrowingArray:
    """An array that grows by whole pieces; joined once, when it is complete."""

    def __init__(self, dtype: type[np.unsignedinteger[Any]]) -> None:
        self._pieces: list[NDArray[Any]] = [np.zeros(0, dtype)]

    def __len__(self) -> int:
        """The current length."""
        return sum(map(len, self._pieces))

    def extend(self, piece: NDArray[Any]) -> None:
        """Append an array."""
        self._pieces.append(piece)

    def joined(self) -> NDArray[Any]:
        """The joined array."""
        self._pieces = [np.concatenate(self._pieces)]
        return self._pieces[0]


class SpooledArray:
    """An array that grows by whole pieces, kept in a temporary file of the folder once it is large. Close it after use."""

    def __init__(self, dtype: type[np.unsignedinteger[Any]], folder: Path) -> None:
        self._file = SpooledTemporaryFile(_SPOOLED_BYTES, dir=str(folder))  # noqa: SIM115 - `close` closes it
        self._dtype = np.dtype(dtype)
        self._length = 0

    def __len__(self) -> int:
        """The current length."""
        return self._length

    def extend(self, piece: NDArray[Any]) -> None:
        """Append an array."""
        self._file.write(piece.astype(self._dtype, copy=False).tobytes())
        self._length += len(piece)

    def joined(self) -> NDArray[Any]:
        """The joined array, read from the file. It is read-only."""
        self._file.seek(0)
        return np.frombuffer(self._file.read(), self._dtype)

    def close(self) -> None:
        """Delete the file."""
        self._file.close()


class _TextOwners:
    """The document of each text: `add_counts` adds the number of texts per document, `add_rows` the rows read from them."""

    def __init__(self) -> None:
        self._counts = array("I")
        self._read = 0
        self._texts = GrowingArray(np.uint32)

    def add_counts(self, counts: Iterable[int]) -> None:
        """Add the number of texts of each of the next documents."""
        self._counts.extend(counts)

    def add_rows(self, count: int, places: NDArray[np.uint32]) -> None:
        """Add which of the next `count` texts produced a row."""
        self._texts.extend(places + np.uint32(self._read))
        self._read += count

    def documents(self) -> NDArray[np.uint32]:
        """The document of each row."""
        counts = np.frombuffer(self._counts, np.uint32)
        documents: NDArray[np.uint32] = np.repeat(np.arange(len(counts), dtype=np.uint32), counts)[self._texts.joined()]
        return documents


class CollectedField:
    """The texts of one field in the order of their documents: `words` by number, `lengths` of each; `typed` and its lengths."""

    def __init__(self, folder: Path) -> None:
        self.owners = _TextOwners()
        self.numbering = WordNumbering()
        self.words = SpooledArray(np.uint32, folder)
        self.lengths = SpooledArray(np.uint8, folder)
        self.typed = SpooledArray(np.uint8, folder)
        self.typed_lengths = SpooledArray(np.uint16, folder)

    def __len__(self) -> int:
        """The number of rows read from the texts."""
        return len(self.lengths)

    def add(self, rows: ReadField) -> None:
        """Add the rows of the next texts."""
        self.owners.add_rows(rows.count, rows.places)
        self.words.extend(self.numbering.assign(rows.distinct.split())[rows.words])
        self.lengths.extend(rows.lengths)
        self.typed.extend(np.frombuffer(rows.typed, np.uint8))
        self.typed_lengths.extend(rows.typed_lengths)

    def sorted_words(self) -> tuple[WordList, NDArray[np.uint32]]:
        """The distinct words, and the words of all rows as positions among them. Releases the word numbers."""
        words, places = sort_words(self.numbering.words())
        if self.numbering.has_repeats:
            words, places = _merge_repeats(words, places)
        self.numbering = WordNumbering()
        rows: NDArray[np.uint32] = places[self.words.joined()]
        return words, rows

    def close(self) -> None:
        """Delete the temporary files."""
        for spooled in (self.words, self.lengths, self.typed, self.typed_lengths):
            spooled.close()


def _merge_repeats(words: WordList, places: NDArray[np.uint32]) -> tuple[WordList, NDArray[np.uint32]]:
    """Sorted words without repeats, and the place of each numbered word among them. Repeats are found by 64-bit hashes."""
    hashes, lengths = hash_rows(words.content, words.offsets), np.diff(words.offsets)
    is_new = np.ones(len(words), np.bool_)
    is_new[1:] = (hashes[1:] != hashes[:-1]) | (lengths[1:] != lengths[:-1])
    content = words.content[expand_slices(words.offsets[:-1][is_new], words.offsets[1:][is_new])]
    merged = (np.cumsum(is_new) - 1).astype(np.uint32)
    return WordList(content, compute_offsets(lengths[is_new])), merged[places]


class CollectedKeys:
    """The hashes of registration numbers or of acronyms, in the order of their documents."""

    def __init__(self) -> None:
        self.owners = _TextOwners()
        self.hashes = GrowingArray(np.uint64)

    def __len__(self) -> int:
        """The number of hashes."""
        return len(self.hashes)

    def add(self, read: ReadKeys) -> None:
        """Add the hashes of the next numbers or names."""
        self.owners.add_rows(read.count, read.places)
        self.hashes.extend(read.hashes)


class CollectedDocuments:
    """Everything that is collected of the documents, in their order. Temporary files in the folder hold most of the texts."""

    def __init__(self, folder: Path) -> None:
        self.fields = {name: CollectedField(folder) for name in FieldName}
        self.acronyms, self.numbers = CollectedKeys(), CollectedKeys()
        self.keys, self.digests = GrowingArray(np.uint64), GrowingArray(np.uint64)
        self.active = bytearray()
        self.payload_lengths = array("Q")
        self.document_facets = array("H")
        self._facets: dict[Facets, int] = {}

    def __len__(self) -> int:
        """The number of documents."""
        return len(self.active)

    def close(self) -> None:
        """Delete the temporary files."""
        for field in self.fields.values():
            field.close()

    @property
    def facets(self) -> list[Facets]:
        """The distinct facets, to which `document_facets` refers."""
        return list(self._facets)

    def collect(self, documents: Iterable[IndexDocument], payload: ChecksummedFile, workforce: ReaderPool) -> None:
        """Read all documents, and write their payloads."""
        for read in workforce.read(self._batches(iter(documents), payload, workforce.batch)):
            for name, rows in read.fields.items():
                self.fields[name].add(rows)
            self.acronyms.add(read.acronyms)
            self.numbers.add(read.numbers)

    def _batches(self, documents: Iterator[IndexDocument], payload: ChecksummedFile, size: int) -> Iterator[TextBatch]:
        """The texts of all documents, in batches of about this size."""
        texts = TextBatch()
        while piece := list(islice(documents, min(size, _DOCUMENTS_AT_ONCE))):
            self._remember(piece, payload)
            self._add_texts(piece, texts)
            if len(texts) >= size:
                yield texts
                texts = TextBatch()
        yield texts

    def _remember(self, documents: Sequence[IndexDocument], payload: ChecksummedFile) -> None:
        payloads = [document.payload for document in documents]
        payload.write(b"".join(payloads))
        self.payload_lengths.extend(map(len, payloads))
        self.keys.extend(hash_keys(documents))
        self.digests.extend(hash_contents(documents))
        self.active.extend([document.active for document in documents])
        self.document_facets.extend([self._facets.setdefault(document.facets, len(self._facets)) for document in documents])

    def _add_texts(self, documents: Sequence[IndexDocument], texts: TextBatch) -> None:
        for name, texts_of in _FIELD_GETTERS.items():
            # An acronym belongs to a name.
            owners = [self.fields[name].owners, *([self.acronyms.owners] if name is FieldName.NAMES else [])]
            texts.fields[name].extend(_flatten_texts(list(map(texts_of, documents)), *owners))
        texts.numbers.extend(_flatten_texts([document.numbers for document in documents], self.numbers.owners))


def _flatten_texts(texts: Sequence[tuple[str, ...]], *owners: _TextOwners) -> list[str]:
    """The distinct texts of each document, one after the other."""
    distinct = [own if len(own) < 2 else tuple(dict.fromkeys(own)) for own in texts]  # noqa: PLR2004  # one is distinct
    counts = list(map(len, distinct))
    for own in owners:
        own.add_counts(counts)
    return list(chain.from_iterable(distinct))
