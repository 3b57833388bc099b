"""The generations of every source's index: built beside the one in use, verified, and swapped in by moving a pointer.

Readers hold on to a generation by a plain Python reference and never lock: its files are mapped, so a swap changes nothing for who
still reads the old one. One process builds a source at a time; any number read it. What a manifest says is the caller's business.
"""

import fcntl
import os
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar
from weakref import WeakKeyDictionary

from bonafide.errors import RefreshRefused, SegmentCorrupt
from bonafide.index.segment import Segment
from bonafide.index.source_folder import SourceFolder
from bonafide.log import get_logger

_log = get_logger(__name__)
M = TypeVar("M")
_Moment = tuple[int, int]
"""What identifies one state of a pointer: the file's number and the time of its writing."""


@dataclass(frozen=True, slots=True, weakref_slot=True, eq=False)
class Generation(Generic[M]):
    """One load of one source, open for reading for as long as it is referred to. `manifest` is what was given at its commit."""

    id: str
    manifest: M
    segment: Segment


class Draft:
    """A generation that is being built: write a segment into `folder`, then commit or discard. Nobody else can build meanwhile."""

    def __init__(self, source: SourceFolder, folder: Path, at_end: ExitStack) -> None:
        self.folder = folder
        self._source = source
        self._at_end = at_end

    def commit(self, manifest: Mapping[str, Any]) -> None:
        """Verify the segment and put it to use. Raises `SegmentCorrupt` when it does not verify; then nothing has changed."""
        Segment.open(self.folder)
        self._source.point_to(self._source.finish(self.folder, manifest))
        self._at_end.close()

    def discard(self) -> None:
        """Give the build up; does nothing after a commit."""
        self._at_end.close()


class GenerationStore(Generic[M]):
    """All sources' generations below one folder, shared by the threads of a process. `parse` makes a manifest of its JSON."""

    def __init__(self, root: Path, parse: Callable[[dict[str, Any]], M]) -> None:
        self.root = root
        self._parse = parse
        self._opening = threading.Lock()
        self._current: dict[str, tuple[_Moment, Generation[M]]] = {}
        self._held: WeakKeyDictionary[Generation[M], Path] = WeakKeyDictionary()

    def keys(self) -> list[str]:
        """The keys of the sources that have a generation in use."""
        return sorted(pointer.parent.name for pointer in self.root.glob("*/current"))

    def begin(self, key: str) -> Draft:
        """Start to build a source's next generation. Raises `RefreshRefused` while it is being built elsewhere."""
        source = SourceFolder(self.root, key)
        source.generations.mkdir(parents=True, exist_ok=True)
        with ExitStack() as at_end:
            at_end.enter_context(_only_builder(source))
            self._tidy(source)
            at_end.callback(self._tidy, source)
            return Draft(source, source.new_draft(), at_end.pop_all())

    def current(self, key: str) -> Generation[M] | None:
        """The generation in use, at the cost of one `stat` unless the pointer has moved; None before the first.

        When what the pointer names can't be used, it is the newest before it that can. Raises `SegmentCorrupt` when there is none.
        """
        source = SourceFolder(self.root, key)
        try:
            status = source.pointer.stat()
        except FileNotFoundError:
            return None
        moment = (status.st_ino, status.st_mtime_ns)
        known = self._current.get(key)
        if known is not None and known[0] == moment:
            return known[1]
        with self._opening:
            known = self._current.get(key)
            if known is None or known[0] != moment:
                known = self._current[key] = (moment, self._open(key, source))
        return known[1]

    def _open(self, key: str, source: SourceFolder) -> Generation[M]:
        pointed = source.pointed()
        problem = SegmentCorrupt(f"{key}: there is no generation")
        for identity in source.upto(pointed) if pointed is not None else ():
            try:
                manifest = self._parse(source.manifest(identity))
                generation = Generation(identity, manifest, Segment.open(source.path(identity)))
            except SegmentCorrupt as error:
                _log.error("generation can't be used", source=key, generation=identity, problem=error.message)
                problem = error if identity == pointed else problem
            else:
                self._held[generation] = source.path(identity)
                return generation
        raise problem

    def _tidy(self, source: SourceFolder) -> None:
        with self._opening:
            held = set(self._held.values())
        source.tidy(held)


@contextmanager
def _only_builder(source: SourceFolder) -> Iterator[None]:
    """Keep other builders of this source out. The kernel lets go of the lock when the process dies, however it dies."""
    descriptor = os.open(source.generations, os.O_RDONLY)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise RefreshRefused(f"{source.key} is being built by another process") from None
        yield
    finally:
        os.close(descriptor)
