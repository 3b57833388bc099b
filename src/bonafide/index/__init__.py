"""The name index: immutable, memory-mapped segments of names and numbers, one for each load of a source.

It finds candidates quickly and scores them roughly; `matching` computes the final score and its explanation. This module exports
everything that other packages use.
"""

from bonafide.index.build.process_pool import ReaderPool
from bonafide.index.build.segment_builder import build_segment
from bonafide.index.format.documents import ANY_FACETS, FacetFilter, Facets, FieldName, IndexDocument, IndexHit, SegmentSummary
from bonafide.index.generations.generation_store import GenerationStore, hold_exclusive_lock
from bonafide.index.generations.manifest import Generation
from bonafide.index.generations.transfer import IndexTransfer, compute_sha256, describe_file
from bonafide.index.generations.writer import GenerationWriter, StoredGeneration
from bonafide.index.search.name_index import LiveSegment, NameIndex
from bonafide.index.search.query import (
    IndexQuery,
    create_address_query,
    create_business_query,
    create_parsed_name_query,
    create_person_query,
)
from bonafide.index.search.segment import IndexSegment

__all__ = [
    "ANY_FACETS",
    "FacetFilter",
    "Facets",
    "FieldName",
    "Generation",
    "GenerationStore",
    "GenerationWriter",
    "IndexDocument",
    "IndexHit",
    "IndexQuery",
    "IndexSegment",
    "IndexTransfer",
    "LiveSegment",
    "NameIndex",
    "ReaderPool",
    "SegmentSummary",
    "StoredGeneration",
    "build_segment",
    "compute_sha256",
    "create_address_query",
    "create_business_query",
    "create_parsed_name_query",
    "create_person_query",
    "describe_file",
    "hold_exclusive_lock",
]  # fmt: skip
