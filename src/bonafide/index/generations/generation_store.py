"""Store the generations of every source: build, verify, and activate them by moving a pointer.

A folder lock ensures that one process per machine builds a source at a time; any number of processes read it. `watcher` switches
readers to a new generation, and `writer` writes one.
"""

import fcntl
import os
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from typing import Generic, TypeVar

from bonafide.errors import RefreshRefused, SegmentCorrupt
from bonafide.i18n.message import Message
from bonafide.index.generations.manifest import Generation, ParseManifest, read_parts
from bonafide.index.generations.source_folder import SourceFolder
from bonafide.index.generations.transfer import IndexTransfer
from bonafide.index.generations.watcher import GenerationWatcher
from bonafide.index.generations.writer import DEFAULT_COMPACTION_POLICY, CompactionPolicy, GenerationWriter


@contextmanager
def hold_exclusive_lock(folder: Path, whose: str) -> Iterator[None]:
    """Lock an existing folder. Raises `RefreshRefused` when another process holds the lock."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise RefreshRefused(Message("{whose} is being built by another process", whose=whose)) from None
        yield
    finally:
        os.close(descriptor)


M = TypeVar("M")


class GenerationStore(Generic[M]):
    """The generations of all sources in one folder, shared by the threads of a process. `parse` parses a manifest's JSON."""

    def __init__(self, root: Path, parse: ParseManifest[M], policy: CompactionPolicy = DEFAULT_COMPACTION_POLICY) -> None:
        self.root = root
        self._parse = parse
        self._policy = policy
        self._lock = threading.Lock()
        self._sources: dict[str, GenerationWatcher[M]] = {}

    def keys(self) -> list[str]:
        """The keys of the sources that have a generation in use."""
        return sorted(pointer.parent.name for pointer in self.root.glob("*/current"))

    def get_current_id(self, key: str) -> str | None:
        """The id of the generation that is in use on disk; None before the first. Nothing is opened."""
        return self._in_use(key).source.get_current_id()

    def current(self, key: str) -> Generation[M] | None:
        """The generation to read, at the cost of one `stat`; None before the first. Only the first call for a source opens it.

        If the pointer's generation is unusable, returns the newest usable one before it. Raises `SegmentCorrupt` if there is none.
        """
        return self._in_use(key).generation()

    def open_unverified(self, key: str) -> None:
        """Open the generation that `current` returns without comparing checksums; call `verify_opened` soon after.

        Raises `SegmentCorrupt` as `current` does.
        """
        self._in_use(key).open_unverified()

    def verify_opened(self, key: str) -> bool:
        """Verify what `open_unverified` opened; returns whether there was anything to verify.

        Raises `SegmentCorrupt` if it is damaged; `current` no longer returns it then.
        """
        return self._in_use(key).verify_opened()

    def is_open(self, key: str) -> bool:
        """Whether this process has read a generation of the source already."""
        known = self._sources.get(key)
        return known is not None and known.is_open

    def is_unopened(self, key: str) -> bool:
        """Whether the next call of `current` for this source opens a generation, which reads and verifies its files."""
        in_use = self._in_use(key)
        try:
            return not in_use.is_open and in_use.source.get_pointer_state() is not None
        except OSError:
            return True

    def begin(self, key: str) -> GenerationWriter[M]:
        """Begin to build a source's next generation. Raises `RefreshRefused` while another process builds it."""
        in_use = self._in_use(key)
        in_use.source.prepare()
        at_end = ExitStack()
        try:
            at_end.enter_context(_lock_source(in_use.source))
            _remove_unused(in_use)
            at_end.callback(_remove_unused, in_use)
            return GenerationWriter(in_use, self._policy, at_end)
        except BaseException:
            at_end.close()
            raise

    @contextmanager
    def exchange(self, key: str) -> Iterator[IndexTransfer[M]]:
        """Lock a source for exporting its generation to, or importing one from, another machine.

        Raises `RefreshRefused` while another process of this machine builds or exchanges it.
        """
        in_use = self._in_use(key)
        in_use.source.prepare()
        with _lock_source(in_use.source):
            yield IndexTransfer(in_use)

    def tidy(self, key: str) -> None:
        """Remove unused files of a source; call it within `exchange`."""
        _remove_unused(self._in_use(key))

    def _in_use(self, key: str) -> GenerationWatcher[M]:
        known = self._sources.get(key)
        if known is None:
            with self._lock:
                known = self._sources.setdefault(key, GenerationWatcher(SourceFolder(self.root, key), self._parse))
        return known


def _lock_source(source: SourceFolder) -> AbstractContextManager[None]:
    """Lock the source against other builders."""
    return hold_exclusive_lock(source.generations, source.key)


def _remove_unused(in_use: GenerationWatcher[M]) -> None:
    """Remove generations that are neither current nor referenced in this process.

    The previous generation is kept for processes that have read the pointer but not yet opened its generation.
    """
    source = in_use.source
    pointed = source.get_current_id()
    held = in_use.list_open()
    generations = {*(source.list_up_to(pointed)[:2] if pointed is not None else ()), *(generation.id for generation in held)}
    segments = {part.segment for generation in held for part in generation.parts}
    try:
        segments.update(part.segment for identity in generations for part in read_parts(source, identity))
    except SegmentCorrupt:
        # Its segments are unknown, so all segments are kept until the generation itself is removed.
        source.tidy(generations, None)
    else:
        source.tidy(generations, segments)
