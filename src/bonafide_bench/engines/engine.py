"""The interface of an engine, and the files that it is built from."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

LIMIT = 50
"""Names that an engine gives for a query: what the product scores afterwards, and what the prototype gives."""


class EngineUnavailable(Exception):
    """An engine can't be measured here; the message says what it lacks."""


@dataclass(frozen=True, slots=True)
class EngineMaterial:
    """What an engine is built from and where its files are.

    `names` and `words` are files of rows (see `bench.names`); `prototype` is the folder of that yardstick's scripts, None when
    it was not named.
    """

    names: Path
    words: Path
    folder: Path
    prototype: Path | None = None


class SearchEngine(Protocol):
    """An engine open for queries. What `find` gives is its own; `records` reads it, outside the measured time."""

    def find(self, text: str) -> Any:
        """Search for a name as somebody typed it."""

    def records(self, found: Any) -> list[int]:
        """The records found, best first, each once."""


class CompletionEngine(SearchEngine, Protocol):
    """An engine that also completes what was typed so far."""

    def complete(self, prefix: str) -> object:
        """The names that a person is shown who has typed so much."""
