"""The name index: immutable, memory-mapped segments of names and numbers, one for each load of a source.

It finds candidates quickly and scores them roughly; the score that is shown, and why, is the business of `matching`. Everything
that other packages need of it is here.
"""

from bonafide.index.build import build_segment
from bonafide.index.document import Hit, IndexDocument, SegmentSummary
from bonafide.index.generations import Draft, Generation, GenerationStore
from bonafide.index.segment import Segment

__all__ = ["Draft", "Generation", "GenerationStore", "Hit", "IndexDocument", "Segment", "SegmentSummary", "build_segment"]
