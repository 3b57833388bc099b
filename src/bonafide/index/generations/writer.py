"""Write a source's next generation: a delta on the current segments, or a new base.

    a delta     contains new and changed documents; changed and removed documents of earlier segments are marked as deleted
    a base      contains all documents

Every delta slows searches slightly, and a base requires a full build: `CompactionPolicy` decides between them. A small delta is
merged with later changes, a large one is kept. Without changes, no segment is written, and the next generation has the same
segments. The caller decides what a document contains and whether a load is acceptable.
"""

import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import takewhile
from typing import Any, Generic, TypeVar

from bonafide.errors import SegmentCorrupt
from bonafide.index.build.delta import DeltaTooLarge, DocumentChanges, LoadComparison, StoredDocuments
from bonafide.index.build.process_pool import ReaderPool
from bonafide.index.build.segment_builder import build_segment
from bonafide.index.format.documents import IndexDocument
from bonafide.index.format.jagged_arrays import Flags
from bonafide.index.format.segment_files import open_segment_files
from bonafide.index.generations.manifest import GenerationPart, compute_header_checksum, write_generation
from bonafide.index.generations.source_folder import build_draft_path, create_draft
from bonafide.index.generations.watcher import GenerationWatcher
from bonafide.observability.log import get_logger

M = TypeVar("M")
ReadDocuments = Callable[[], Iterable[IndexDocument]]
"""Returns an iterator over the documents of a load; called again if they must be reread."""
_log = get_logger(__name__)


@dataclass(frozen=True, slots=True)
class CompactionPolicy:
    """When a load becomes a delta.

    `share`: the maximum ratio of deleted base documents plus delta documents to base documents. `deltas`: the maximum number of
    deltas; a delta is kept unmerged only if it fills its part of the share. `smallest_base`: a smaller base is always rebuilt,
    which takes seconds per load, whereas a delta would cost every search half a millisecond.
    """

    share: float = 0.2
    deltas: int = 4
    smallest_base: int = 200_000

    def kept(self, earlier: Sequence[StoredDocuments]) -> int:
        """The number of current segments to keep: the base unless it is small, and the deltas that are large enough."""
        if not earlier or len(earlier[0]) < self.smallest_base:
            return 0
        large = self.share / self.deltas * len(earlier[0])
        return 1 + sum(1 for _ in takewhile(lambda delta: len(delta) >= large, earlier[1:]))

    def room(self, kept: Sequence[StoredDocuments], dead: Flags | None) -> int:
        """The maximum number of documents of a new delta, given the kept segments and the deleted documents of the base."""
        base, deltas = kept[0], kept[1:]
        return int(self.share * len(base)) - sum(map(len, deltas)) - (int(dead.sum()) if dead is not None else 0)


DEFAULT_COMPACTION_POLICY = CompactionPolicy()


@dataclass(frozen=True, slots=True)
class StoredGeneration:
    """How a load was stored: changes since the previous load, number of segments, and number of documents written."""

    changes: DocumentChanges
    segments: int
    written: int


class GenerationWriter(Generic[M]):
    """A generation under construction: write it, then commit or discard it. The source is locked in the meantime.

    `previous` is the generation with which the load is compared; None if there is no readable one.
    """

    def __init__(self, in_use: GenerationWatcher[M], policy: CompactionPolicy, at_end: ExitStack) -> None:
        self._in_use = in_use
        self._source = in_use.source
        self._policy = policy
        self._at_end = at_end
        self._id = self._source.next_id()
        self._folder = self._source.segments / self._id
        self._parts: list[tuple[GenerationPart, Flags | None]] = []
        self.previous = in_use.get_usable()

    def write(self, read: ReadDocuments, *, whole: bool = False, workforce: ReaderPool | None = None) -> StoredGeneration:
        """Store a load and sync its segment to disk. `whole` forces a base; `workforce` reads the texts."""
        earlier = self._earlier()
        try:
            kept = 0 if whole else self._policy.kept(earlier)
            comparison = self._build(read, earlier, kept, workforce)
        except DeltaTooLarge:
            kept = 0
            comparison = self._build(read, earlier, kept, workforce)
        changes = comparison.changes()
        if not changes and earlier and not whole:
            # The partial segment is removed with other leftovers.
            self._parts = self._in_use_now(len(earlier), None)
            return StoredGeneration(changes, len(self._parts), 0)
        self._parts = self._in_use_now(kept, comparison.dead())
        if comparison.written > 0 or kept == 0:
            folder = self._source.finish(build_draft_path(self._folder))
            self._parts.append((GenerationPart(self._id, compute_header_checksum(folder)), None))
        return StoredGeneration(changes, len(self._parts), comparison.written)

    def commit(self, manifest: Mapping[str, Any]) -> None:
        """Verify the generation and make it current. Raises `SegmentCorrupt` if the verification fails; nothing is changed then."""
        draft = create_draft(self._source.generations / self._id)
        write_generation(draft, self._parts, manifest)
        self._source.finish(draft)
        generation = self._in_use.open(self._id, self.previous)
        self._source.set_current(self._id)
        self._in_use.adopt(generation)
        self._at_end.close()

    def discard(self) -> None:
        """Discard the build; does nothing after a commit."""
        self._at_end.close()

    def _earlier(self) -> list[StoredDocuments]:
        """The current documents, after verifying their files again: a delta must build on files that are intact on disk."""
        if self.previous is None:
            return []
        try:
            arrays = [open_segment_files(self._source.segments / part.segment).arrays for part in self.previous.parts]
        except SegmentCorrupt as error:
            _log.error("segment.rejected", source=self._source.key, problem=error.message)
            return []
        dead = (live.dead for live in self.previous.index.segments)
        return [
            StoredDocuments(own["document_keys"], own["document_digests"], flags) for own, flags in zip(arrays, dead, strict=True)
        ]

    def _build(
        self, read: ReadDocuments, earlier: Sequence[StoredDocuments], kept: int, workforce: ReaderPool | None
    ) -> LoadComparison:
        """Write a segment of the documents that are not in the kept ones. Raises `DeltaTooLarge` if there are too many."""
        shutil.rmtree(build_draft_path(self._folder), ignore_errors=True)
        room = self._policy.room(earlier[:kept], earlier[0].dead) if kept > 0 else None
        comparison = LoadComparison(earlier, kept, room)
        like = self.previous.index.segments[0].segment if kept > 0 and self.previous is not None else None
        build_segment(create_draft(self._folder), comparison.iterate_unstored(read()), like, workforce)
        if kept > 0 and comparison.written > self._policy.room(earlier[:kept], comparison.dead()[0]):
            raise DeltaTooLarge
        return comparison

    def _in_use_now(self, kept: int, dead: Sequence[Flags] | None) -> list[tuple[GenerationPart, Flags | None]]:
        """The first parts of the current generation, with these deletion flags instead of their own."""
        if self.previous is None:
            return []
        flags = dead if dead is not None else [live.dead for live in self.previous.index.segments]
        return list(zip(self.previous.parts[:kept], flags, strict=False))
