"""Build a segment: collect the documents, then write each field.

This module neither parses sources nor activates segments.
"""

from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bonafide.index.build.batches import CollectedDocuments, CollectedField
from bonafide.index.build.process_pool import ReaderPool
from bonafide.index.format.acronym_index import write_acronyms
from bonafide.index.format.deletion_index import write_deletions
from bonafide.index.format.documents import FieldName, IndexDocument, SegmentSummary, write_document_hashes, write_facets
from bonafide.index.format.jagged_arrays import compute_offsets
from bonafide.index.format.number_index import write_numbers
from bonafide.index.format.postings import NameRows, WrittenNames, write_names
from bonafide.index.format.segment_files import PAYLOAD, FieldWriter, SegmentWriter
from bonafide.index.format.typed_forms import TypedForms
from bonafide.index.format.vocabulary import compute_word_weights, copy_word_weights, write_vocabulary
from bonafide.index.search.ranked_names import NameRanking, group_facets
from bonafide.index.search.segment import IndexSegment, SegmentField
from bonafide.index.search.typeahead import write_typeahead


def build_segment(
    folder: Path, documents: Iterable[IndexDocument], like: IndexSegment | None = None, workforce: ReaderPool | None = None
) -> SegmentSummary:
    """Write a segment to a folder, which is created if needed, and sync it.

    A name without letters and digits is not searchable and is skipped; the rest of the document is kept. With `like`, words have
    the weights of that segment, so that scores are comparable. Raises `RefreshRefused` when a process of the build dies.
    """
    writer = SegmentWriter(folder)
    with closing(CollectedDocuments(folder)) as collected:
        with writer.stream(PAYLOAD) as payload:
            collected.collect(documents, payload, ReaderPool() if workforce is None else workforce)
        names = tokens = 0
        for name, texts in collected.fields.items():
            if len(texts) > 0:
                layout = _FieldLayout(writer.within(name), texts, collected)
                tokens += layout.write(None if like is None else like.fields.get(name))
                names += len(texts)
        _write_documents(writer, collected)
    counts = {"documents": len(collected), "names": names, "tokens": tokens, "numbers": len(collected.numbers)}
    return SegmentSummary(**counts, size=writer.finish(counts))


def _write_documents(writer: SegmentWriter, collected: CollectedDocuments) -> None:
    write_acronyms(writer, collected.acronyms.hashes.joined(), collected.acronyms.owners.documents())
    write_numbers(writer, collected.numbers.hashes.joined(), collected.numbers.owners.documents())
    write_facets(writer, collected.facets, np.array(collected.document_facets, np.uint16))
    write_document_hashes(writer, collected.keys.joined(), collected.digests.joined())
    writer.save("payload_offsets", compute_offsets(np.array(collected.payload_lengths, np.int64)), "<i8")
    writer.save("document_active", np.frombuffer(collected.active, np.uint8), "<u1")


@dataclass(frozen=True, slots=True)
class _FieldLayout:
    """The files of one field: words, then names, then the typed forms of the names."""

    writer: FieldWriter
    texts: CollectedField
    collected: CollectedDocuments

    def write(self, like: SegmentField | None) -> int:
        """Write all of them; returns the number of distinct words."""
        words, tokens = self.texts.sorted_words()
        if like is None:
            weights = compute_word_weights(np.bincount(tokens, minlength=len(words)), len(self.texts))
        else:
            weights = copy_word_weights(words, like.vocabulary, len(like))
        heads = write_vocabulary(self.writer, words, weights)
        write_deletions(self.writer, words)
        rows = NameRows(compute_offsets(self.texts.lengths.joined()), tokens, self.texts.owners.documents())
        self._write_typed(write_names(self.writer, rows, weights), heads)
        return len(words)

    def _write_typed(self, names: WrittenNames, heads: NDArray[np.uint64]) -> None:
        forms = TypedForms.from_collected(self.texts.typed.joined(), self.texts.typed_lengths.joined(), names.order)
        forms.write(self.writer)
        if self.writer.field != FieldName.NAMES:
            return  # people and addresses are not completed as they are typed
        ranking = NameRanking.from_lengths(forms.lengths, names.documents, np.frombuffer(self.collected.active, np.uint8))
        groups = group_facets(np.array(self.collected.document_facets, np.uint16))[names.documents]
        write_typeahead(self.writer, forms, ranking, groups, heads, names.postings)
