"""Building a segment: documents are read once, their payloads written as they come, their names and numbers collected and laid out.

Payloads never stay in memory. What does, until the end, is the words of all names as numbers, the names as typed, and the distinct
words: about 500 bytes a name, less than a gigabyte for the largest registers. It neither parses sources nor decides what is in use.
"""

from array import array
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np

from bonafide.index.deletions import write_deletions
from bonafide.index.document import IndexDocument, SegmentSummary
from bonafide.index.files import PAYLOAD, SegmentWriter
from bonafide.index.numbers import number_hashes, write_numbers
from bonafide.index.postings import Tokens, write_names, write_postings
from bonafide.index.ragged import offsets_of
from bonafide.index.tokens import index_tokens
from bonafide.index.typeahead import typed_form, write_typeahead
from bonafide.index.vocabulary import weigh, write_vocabulary
from bonafide.matching.names import normalise


def build_segment(folder: Path, documents: Iterable[IndexDocument]) -> SegmentSummary:
    """Write a segment into a folder, which is made if need be; on return everything is on disk.

    A name without letters and digits can't be searched and is left out; what else the document has is kept.
    """
    writer = SegmentWriter(folder)
    collector = _Collector()
    with writer.stream(PAYLOAD) as payload:
        for document in documents:
            collector.add(document)
            payload.write(document.payload)
    return _write(writer, collector)


class _Collector:
    """What is remembered of the documents, in the order in which they come."""

    def __init__(self) -> None:
        self.active = bytearray()
        self.payload_lengths = array("Q")
        self.words: dict[str, int] = {}
        self.typed: list[str] = []
        self.name_words = array("I")
        self.name_lengths = array("I")
        self.name_documents = array("I")
        self.number_hashes = array("Q")
        self.number_documents = array("I")

    def add(self, document: IndexDocument) -> None:
        """Remember one document."""
        number = len(self.active)
        self.active.append(document.active)
        self.payload_lengths.append(len(document.payload))
        hashes = number_hashes(document.numbers)
        self.number_hashes.extend(hashes)
        self.number_documents.extend([number] * len(hashes))
        for name in dict.fromkeys(document.names):
            self._add_name(name, number)

    def _add_name(self, name: str, document: int) -> None:
        words = index_tokens(normalise(name))
        if words:
            self.name_words.extend([self.words.setdefault(word, len(self.words)) for word in words])
            self.name_lengths.append(len(words))
            self.name_documents.append(document)
            self.typed.append(typed_form(name))


def _write(writer: SegmentWriter, collector: _Collector) -> SegmentSummary:
    vocabulary = sorted(collector.words)
    tokens = _as_places(collector.name_words, collector.words, vocabulary)
    offsets = offsets_of(np.array(collector.name_lengths, np.int64))
    weights = weigh(np.bincount(tokens, minlength=len(vocabulary)), len(collector.typed))
    write_vocabulary(writer, vocabulary, weights)
    write_deletions(writer, vocabulary)
    write_postings(writer, offsets, tokens, len(vocabulary))
    write_names(writer, offsets, tokens, np.array(collector.name_documents, np.uint32), weights)
    write_typeahead(writer, collector.typed)
    write_numbers(writer, np.array(collector.number_hashes, np.uint64), np.array(collector.number_documents, np.uint32))
    writer.save("payload_offsets", offsets_of(np.array(collector.payload_lengths, np.int64)), "<i8")
    writer.save("document_active", np.frombuffer(bytes(collector.active), np.uint8), "<u1")
    counts = {
        "documents": len(collector.active),
        "names": len(collector.typed),
        "tokens": len(vocabulary),
        "numbers": len(collector.number_hashes),
    }
    return SegmentSummary(**counts, size=writer.finish(counts))


def _as_places(name_words: "array[int]", first_seen: Mapping[str, int], vocabulary: Sequence[str]) -> Tokens:
    """The words of names, numbered as first seen, renumbered by their place in the sorted vocabulary."""
    places = np.zeros(len(vocabulary), np.int64)
    places[np.fromiter(map(first_seen.__getitem__, vocabulary), np.int64, len(vocabulary))] = np.arange(len(vocabulary))
    return places[np.array(name_words, np.int64)]
