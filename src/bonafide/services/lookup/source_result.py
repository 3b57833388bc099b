"""The result of querying one source: candidates with their origin, or why there are none.

A lookup never raises: a failure of a source becomes the `error` of its result.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from time import perf_counter

from bonafide.errors import SourceError
from bonafide.i18n.message import Message, end_sentence
from bonafide.index import Generation
from bonafide.matching.entries.ranking import NumberLink
from bonafide.model.entry import ENTRY_TYPES, AnyEntry
from bonafide.model.loading import DataOrigin, LoadRecord
from bonafide.runtime import Runtime
from bonafide.sources.framework.discovery import Source

ANSWERED = "answered"
"""The outcome of a lookup without an error, in metrics and spans."""


@dataclass(frozen=True, slots=True)
class EntryCandidate:
    """An entry that was found but is neither read nor scored yet; `rough` (0 to 1) is the index's own estimate.

    `link` is the number by which it was found, if that is one of another match of the search. `read_stored` returns the JSON of
    an entry that the index found by its name, number or address; None for others, such as those of live sources.
    """

    source: Source
    origin: DataOrigin
    rough: float
    read: Callable[[], AnyEntry]
    link: NumberLink | None = None
    read_stored: Callable[[], bytes] | None = None


@dataclass(frozen=True, slots=True)
class SourceResult:
    """What querying one source returned. Without an `origin` the source was not searched, and `note` or `error` says why.

    A source that the request excludes was not `requested`; its note is the reason.
    """

    source: Source
    origin: DataOrigin | None
    candidates: Sequence[EntryCandidate]
    error: SourceError | None
    elapsed_ms: int
    note: Message | None = None
    requested: bool = True

    @property
    def is_conclusive(self) -> bool:
        """Whether the source was searched or failed; otherwise it was not searched at all."""
        return self.origin is not None or self.error is not None

    @property
    def outcome(self) -> str:
        """The outcome in a word for metrics and spans: the code of the error, or whether the source was searched."""
        if self.error is not None:
            return self.error.code.value
        return ANSWERED if self.origin is not None else "not asked"


OnProgress = Callable[[SourceResult], None]
"""Called on the event loop with the result of each source as soon as it is known."""


def add_manual_lookup(reason: Message, page: str) -> Message:
    """The reason why a source was not searched, with the page for a manual search; console pages read both from its values."""
    return Message("{reason} You can search it yourself: {page}", reason=end_sentence(reason), page=page)


def ignore_progress(_: object) -> None:
    """Do nothing: the progress callback of a caller that follows none."""


def build_failed_result(source: Source, error: SourceError, elapsed_ms: int) -> SourceResult:
    """The result of a source that failed."""
    return SourceResult(source, None, (), error, elapsed_ms)


def record_metrics(runtime: Runtime, results: Iterable[SourceResult]) -> None:
    """Count the results of sources that were searched or failed."""
    for result in results:
        if result.is_conclusive:
            runtime.metrics.observe_lookup(result.source.key, result.elapsed_ms / 1000)
            runtime.metrics.count_lookup(result.source.key, result.outcome)


def compute_elapsed_ms(started: float) -> int:
    """Whole milliseconds since `started`, a reading of `perf_counter`."""
    return round((perf_counter() - started) * 1000)


def create_entry_reader(generation: Generation[LoadRecord], source: Source, document: int) -> Callable[[], AnyEntry]:
    """A function that reads one entry. It holds a reference to the generation, which may be replaced in the meantime."""
    return lambda: ENTRY_TYPES[source.metadata.kind].model_validate_json(generation.index.payload(document))
