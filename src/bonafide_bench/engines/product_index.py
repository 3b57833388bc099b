"""The product's index over one segment, without the final score."""

from pathlib import Path

from bonafide.errors import SegmentCorrupt
from bonafide.index import IndexDocument, IndexHit, IndexSegment, build_segment, create_business_query
from bonafide_bench.datasets.name_files import read_records
from bonafide_bench.engines.engine import LIMIT, EngineMaterial

COMPLETIONS = 10


def build(material: EngineMaterial) -> None:
    """Build a segment. A document is a record with all its names; its payload holds what the final score needs."""
    documents = (
        IndexDocument(key=str(record), payload="\n".join([str(record), *names]).encode(), names=tuple(names))
        for record, names in read_records(material.names)
    )
    build_segment(material.folder, documents)


def can_open(folder: Path) -> bool:
    """Whether the folder holds a complete segment of this index version."""
    try:
        IndexSegment.open(folder)
    except (OSError, SegmentCorrupt):
        return False
    return True


class ProductIndex:
    """The index without the final score."""

    def __init__(self, material: EngineMaterial) -> None:
        self._segment = IndexSegment.open(material.folder)

    def find(self, text: str) -> list[IndexHit]:
        """The best documents by rough score."""
        return self._segment.search(create_business_query(text), LIMIT)

    def records(self, found: list[IndexHit]) -> list[int]:
        """The records of the hits."""
        return [int(self._segment.payload(hit.document).partition(b"\n")[0]) for hit in found]

    def complete(self, prefix: str) -> object:
        """Run a typeahead query, as pre-fill does."""
        return self._segment.complete(prefix, COMPLETIONS)
