"""Track the generation of a source that a process reads, and switch to the next one without blocking readers.

The first reader that notices that the pointer has moved starts a thread that opens the new generation, which reads all its new
files and so warms the page cache; meanwhile all readers use the old one. Only the first opening of a source blocks. A generation
that can't be opened is logged, and the old one stays until the pointer moves again or `RETRY_S` have passed.

At startup, a process does not wait for the checksums of all files: it calls `open_unverified`, and `verify_opened` in the
background. A generation that turns out to be damaged is rejected from then on.

Readers keep a generation open through a Python reference and never lock; a generation in use is never closed.
"""

import threading
from collections.abc import Callable
from contextvars import copy_context
from dataclasses import dataclass
from time import monotonic
from typing import Generic, TypeVar
from weakref import WeakSet

from bonafide.errors import SegmentCorrupt
from bonafide.i18n.message import Message
from bonafide.index.generations.manifest import Generation, ParseManifest, open_generation, verify_generation
from bonafide.index.generations.source_folder import PointerState, SourceFolder
from bonafide.observability.log import get_logger

_NEVER: PointerState = (0, 0)
"""The pointer state recorded for a fallback generation, read because the pointer's generation is unusable."""
RETRY_S = 60.0
"""A failed opening is retried after this time, so that a damaged file causes one attempt per minute, not one per request."""
M = TypeVar("M")
_log = get_logger(__name__)


@dataclass(frozen=True, slots=True)
class _OpenFailure:
    """A failed opening: the state of the pointer, until when it is not retried, and the error."""

    moment: PointerState
    until: float
    message: Message


class GenerationWatcher(Generic[M]):
    """One source as one process reads it, shared by its threads. `clock` counts seconds."""

    def __init__(self, source: SourceFolder, parse: ParseManifest[M], clock: Callable[[], float] = monotonic) -> None:
        self.source = source
        self._parse = parse
        self._clock = clock
        self._lock = threading.RLock()
        self._known: tuple[PointerState, Generation[M]] | None = None
        self._failure: _OpenFailure | None = None
        self._opener: threading.Thread | None = None
        self._opened: WeakSet[Generation[M]] = WeakSet()
        self._unverified: Generation[M] | None = None

    def open(self, identity: str, open_already: Generation[M] | None) -> Generation[M]:
        """Verify and open a generation without activating it."""
        # Unverified segments are not reused, because the new generation would count as verified.
        return open_generation(self.source, identity, self._parse, open_already if open_already is not self._unverified else None)

    def open_unverified(self) -> None:
        """Open the pointer's generation without verifying checksums, unless one is already open; see `verify_opened`.

        Raises as `generation` does.
        """
        with self._lock:
            moment = self.source.get_pointer_state()
            if moment is None or self._known is not None:
                return
            try:
                generation = open_generation(self.source, self.source.get_current_id() or "", self._parse, verify=False)
            except SegmentCorrupt:
                self.generation()  # falls back to the newest usable one
                return
            self._unverified = generation
            self._install(generation, moment, None)

    def verify_opened(self) -> bool:
        """Verify what `open_unverified` opened; returns whether there was anything to verify.

        Raises `SegmentCorrupt` if it is damaged. It is then replaced by the newest usable generation before it; if there is
        none, `generation` raises.
        """
        generation, known = self._unverified, self._known
        if generation is None or known is None:
            return False
        try:
            if known[1] is generation:  # otherwise it has been replaced in the meantime
                verify_generation(self.source, generation)
        except SegmentCorrupt as error:
            self._refuse(known, error)
            raise
        finally:
            self._unverified = None
        return True

    def generation(self) -> Generation[M] | None:
        """The generation to read, at the cost of one `stat`; None before the first.

        Raises `SegmentCorrupt` when none can be read.
        """
        moment = self.source.get_pointer_state()
        known = self._known
        if moment is None:
            return None
        if known is None:
            return self._first(moment)
        if known[0] != moment:
            self._start_opening(moment)
        return known[1]

    def newest(self) -> Generation[M] | None:
        """The pointer's generation, or the newest usable one before it; blocks until it is open. Raises as `generation` does."""
        moment = self.source.get_pointer_state()
        if moment is None:
            return None
        known = self._known
        if known is not None and known[0] == moment:
            return known[1]
        # Without the lock, so that readers of the old generation do not wait.
        generation, opened_at = self._open_newest(moment, known)
        self._install(generation, opened_at, known)
        return generation

    def get_usable(self) -> Generation[M] | None:
        """Like `newest`, but None on errors: a damaged generation, or one of an old normaliser, must not block its replacement."""
        try:
            return self.newest()
        except SegmentCorrupt:
            return None

    def adopt(self, generation: Generation[M]) -> None:
        """Switch to a generation that this process has just made current."""
        moment = self.source.get_pointer_state()
        if moment is not None:
            with self._lock:
                self._install(generation, moment, self._known)

    @property
    def is_open(self) -> bool:
        """Whether a generation is being read."""
        return self._known is not None

    def list_open(self) -> list[Generation[M]]:
        """All generations that are still referenced in this process."""
        with self._lock:
            return list(self._opened)

    # -------------------------------------------------------------------------------------------------------- opening

    def _first(self, moment: PointerState) -> Generation[M]:
        with self._lock:
            if self._known is not None:
                return self._known[1]
            failure = self._failure
            if failure is not None and self._failed_lately(moment):
                raise SegmentCorrupt(failure.message)
            generation, opened_at = self._open_newest(moment, None)
            self._install(generation, opened_at, None)
            return generation

    def _refuse(self, known: tuple[PointerState, Generation[M]], problem: SegmentCorrupt) -> None:
        """Fall back to the generation before this one, or to none."""
        self._fail(known[0], problem.message)
        try:
            earlier = self._open_earlier(problem)
        except SegmentCorrupt:
            with self._lock:
                if self._known is known:
                    self._known = None
        else:
            self._install(earlier, _NEVER, known)

    def _start_opening(self, moment: PointerState) -> None:
        with self._lock:
            busy = self._opener is not None and self._opener.is_alive()
            if not busy and not self._failed_lately(moment):
                # A daemon thread, so that the process can exit without waiting for it.
                work = copy_context().run, self._change_over, moment  # its log lines keep the context of the caller
                self._opener = threading.Thread(target=work[0], args=work[1:], daemon=True, name="open generation")
                self._opener.start()

    def _change_over(self, moment: PointerState) -> None:
        before = self._known
        try:
            generation = self._open_pointed(before)
        except Exception as error:  # noqa: BLE001 - on any error the old generation stays in use and the error is logged
            self._fail(moment, Message("{error}", error=error))
        else:
            self._install(generation, moment, before)

    def _install(self, generation: Generation[M], moment: PointerState, before: tuple[PointerState, Generation[M]] | None) -> None:
        """Switch to this generation, unless `before` has already been replaced by a newer one."""
        with self._lock:
            self._opened.add(generation)
            if self._known is before:
                self._known = (moment, generation)

    def _open_pointed(self, known: tuple[PointerState, Generation[M]] | None) -> Generation[M]:
        """Open the pointer's generation; retries if that generation was replaced and removed in the meantime."""
        while True:
            pointed = self.source.get_current_id()
            try:
                return self.open(pointed or "", known[1] if known is not None else None)
            except SegmentCorrupt:
                if self.source.get_current_id() == pointed:
                    raise

    def _open_newest(
        self, moment: PointerState, known: tuple[PointerState, Generation[M]] | None
    ) -> tuple[Generation[M], PointerState]:
        try:
            return self._open_pointed(known), moment
        except SegmentCorrupt as error:
            self._fail(moment, error.message)
            return self._open_earlier(error), _NEVER

    def _open_earlier(self, problem: SegmentCorrupt) -> Generation[M]:
        pointed = self.source.get_current_id() or ""
        for identity in self.source.list_up_to(pointed):
            if identity != pointed:
                try:
                    return self.open(identity, None)
                except SegmentCorrupt as error:
                    _log.error("generation.rejected", source=self.source.key, generation=identity, problem=error.message)
        raise problem

    def _fail(self, moment: PointerState, message: Message) -> None:
        _log.error("generation.rejected", source=self.source.key, problem=message)
        with self._lock:
            self._failure = _OpenFailure(moment, self._clock() + RETRY_S, message)

    def _failed_lately(self, moment: PointerState) -> bool:
        return self._failure is not None and self._failure.moment == moment and self._clock() < self._failure.until
