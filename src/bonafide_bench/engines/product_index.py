"""The product's index over one segment, without the final score."""

from pathlib import Path

from bonafide.errors import SegmentCorrupt
from bonafide.index import IndexDocument, IndexHit, IndexSegment, build_segment, create_business_query
from bonafide_bench.datasets.name_files import read_records
from bonafide_bench.engines.engine import LIMIT, EngineMaterial

COMPLETIONS = 10


def build(material: EngineMaterial) -> None:
    """Build a segment; a document is a record with all its names, and its payload is what the final score reads."""
    documents = (
        IndexDocument(key=str(record), payload="\n".join([str(record), *names]).encode(), names=tuple(names))
        for record, names in read_records(material.names)
    )
    build_segment(material.folder, documents)


def can_open(folder: Path) -> bool:
    """Whether a whole segment is there that this version of the index wrote."""
    try:
        IndexSegment.open(folder)
    except (OSError, SegmentCorrupt):
        return False
    return True


class ProductIndex:
    """The index alone."""

    def __init__(self, material: EngineMaterial) -> None:
        self._segment = IndexSegment.open(material.folder)

    def find(self, text: str) -> list[IndexHit]:
        """The roughly best documents."""
        return self._segment.search(create_business_query(text), LIMIT)

    def records(self, found: list[IndexHit]) -> list[int]:
        """Their records."""
        return [int(self._segment.payload(hit.document).partition(b"\n")[0]) for hit in found]

    def complete(self, prefix: str) -> object:
        """What pre-fill asks for."""
        return self._segment.complete(prefix, COMPLETIONS)
