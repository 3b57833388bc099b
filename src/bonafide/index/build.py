"""Building a segment: documents are collected, then laid out field by field, each part by the module that reads it.

It neither parses sources nor decides what is in use.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bonafide.index.admission import write_facets
from bonafide.index.asked import FieldName
from bonafide.index.collect import Collected, CollectedField
from bonafide.index.deletions import write_deletions
from bonafide.index.document import IndexDocument, SegmentSummary
from bonafide.index.field import Field
from bonafide.index.files import PAYLOAD, FieldWriter, SegmentWriter
from bonafide.index.identity import write_identities
from bonafide.index.numbers import write_numbers
from bonafide.index.postings import NameRows, WrittenNames, write_names
from bonafide.index.ragged import offsets_of
from bonafide.index.ranked import Ranking, groups_of
from bonafide.index.segment import Segment
from bonafide.index.typeahead import write_typeahead
from bonafide.index.typed import TypedForms
from bonafide.index.vocabulary import weigh, weigh_like, write_vocabulary
from bonafide.index.workforce import Workforce


def build_segment(
    folder: Path, documents: Iterable[IndexDocument], like: Segment | None = None, workforce: Workforce | None = None
) -> SegmentSummary:
    """Write a segment into a folder, which is made if need be; on return everything is on disk.

    A name without letters and digits can't be searched and is left out; what else the document has is kept. With `like`, the words
    weigh what they weigh in that segment, so that scores in both compare. Raises `RefreshRefused` when a process of the build dies.
    """
    writer, collected = SegmentWriter(folder), Collected()
    with writer.stream(PAYLOAD) as payload:
        collected.collect(documents, payload, Workforce() if workforce is None else workforce)
    names = tokens = 0
    for name, texts in collected.fields.items():
        if len(texts) > 0:
            layout = _FieldLayout(writer.within(name), texts, collected)
            tokens += layout.write(None if like is None else like.fields.get(name))
            names += len(texts)
    _write_documents(writer, collected)
    counts = {"documents": len(collected), "names": names, "tokens": tokens, "numbers": len(collected.numbers)}
    return SegmentSummary(**counts, size=writer.finish(counts))


def _write_documents(writer: SegmentWriter, collected: Collected) -> None:
    write_numbers(writer, collected.numbers.hashes.joined(), collected.numbers.owners.documents())
    write_facets(writer, collected.facets, np.array(collected.document_facets, np.uint16))
    write_identities(writer, collected.keys.joined(), collected.digests.joined())
    writer.save("payload_offsets", offsets_of(np.array(collected.payload_lengths, np.int64)), "<i8")
    writer.save("document_active", np.frombuffer(collected.active, np.uint8), "<u1")


@dataclass(frozen=True, slots=True)
class _FieldLayout:
    """The files of one field: words first, then the names that they make up, then the names as one types them."""

    writer: FieldWriter
    texts: CollectedField
    collected: Collected

    def write(self, like: Field | None) -> int:
        """Write all of them; returns the number of distinct words."""
        words, tokens = self.texts.sorted_words()
        if like is None:
            weights = weigh(np.bincount(tokens, minlength=len(words)), len(self.texts))
        else:
            weights = weigh_like(words, like.vocabulary, len(like))
        heads = write_vocabulary(self.writer, words, weights)
        write_deletions(self.writer, words)
        rows = NameRows(offsets_of(self.texts.lengths.joined()), tokens, self.texts.owners.documents())
        self._write_typed(write_names(self.writer, rows, weights), heads)
        return len(words)

    def _write_typed(self, names: WrittenNames, heads: NDArray[np.uint64]) -> None:
        forms = TypedForms.collected(np.frombuffer(self.texts.typed, np.uint8), self.texts.typed_lengths.joined(), names.order)
        forms.write(self.writer)
        if self.writer.field != FieldName.NAMES:
            return  # people and addresses are not completed as they are typed
        ranking = Ranking.of(forms.lengths, names.documents, np.frombuffer(self.collected.active, np.uint8))
        groups = groups_of(np.array(self.collected.document_facets, np.uint16))[names.documents]
        write_typeahead(self.writer, forms, ranking, groups, heads, names.postings)
