"""The interface of a search engine, and the files from which it is built."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

LIMIT = 50
"""Names that an engine returns per query: as many as the product scores and as the prototype returns."""


class EngineUnavailable(Exception):
    """An engine cannot be measured here; the message names what is missing."""


@dataclass(frozen=True, slots=True)
class EngineMaterial:
    """The input files of an engine, and the folder of its own files.

    `names` and `words` are files of rows (see `name_files`); `prototype` is the folder of the prototype's scripts, if given.
    """

    names: Path
    words: Path
    folder: Path
    prototype: Path | None = None


class SearchEngine(Protocol):
    """An opened engine. `find` returns an engine-specific result; `records` decodes it outside the measured time."""

    def find(self, text: str) -> Any:
        """Search for a name as typed."""

    def records(self, found: Any) -> list[int]:
        """The distinct records found, best first."""


class CompletionEngine(SearchEngine, Protocol):
    """An engine that also supports typeahead."""

    def complete(self, prefix: str) -> object:
        """The suggestions for a prefix."""
