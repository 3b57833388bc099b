"""The name index: immutable, memory-mapped segments of names and numbers, one for each load of a source.

It finds candidates quickly and scores them roughly; the score that is shown, and why, is the business of `matching`. Everything
that other packages need of it is here.
"""

from bonafide.index.alone import alone
from bonafide.index.asked import Asked, FieldName, address, business, person
from bonafide.index.build import build_segment
from bonafide.index.document import ANYWHERE, Facets, Hit, IndexDocument, SegmentSummary, Where
from bonafide.index.draft import Draft, Stored
from bonafide.index.exchange import Exchange, described, sha256_of
from bonafide.index.generation import Generation
from bonafide.index.generations import GenerationStore
from bonafide.index.index import Index
from bonafide.index.segment import Segment

__all__ = [
    "ANYWHERE", "Asked", "Draft", "Exchange", "Facets", "FieldName", "Generation", "GenerationStore", "Hit", "Index",
    "IndexDocument", "Segment", "SegmentSummary", "Stored", "Where", "address", "alone", "build_segment", "business", "described",
    "person", "sha256_of",
]  # fmt: skip
