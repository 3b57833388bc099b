"""What a load has changed: the fields of a source's entries, before and after."""

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

from bonafide.errors import SegmentCorrupt
from bonafide.index.generations.manifest import Generation
from bonafide.model.accounts.organizations import World
from bonafide.model.entry import ENTRY_TYPES, Entry
from bonafide.model.loading import LoadRecord
from bonafide.runtime import Runtime

DIGEST_BYTES = 16
_IDENTITY = frozenset({"entryId", "kind"})
_EMPTY: tuple[Any, ...] = (None, "", [], {})


@dataclass(frozen=True, slots=True)
class EntryFieldChange:
    """A field of a source's entry that has changed. For a new entry, `before` is None; for one that is gone, `after` is."""

    source: str
    entry_id: str
    field: str
    """The name of the field in the JSON form of the entry: `statusCode`."""
    before: Any
    after: Any

    def to_document(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "source": self.source,
            "entryId": self.entry_id,
            "field": self.field,
            "from": self.before,
            "to": self.after,
        }


@dataclass(frozen=True, slots=True)
class ChangeRecorder:
    """Records what loads of the sandbox change."""

    runtime: Runtime
    changes: list[EntryFieldChange] = field(default_factory=list)

    @contextmanager
    def record(self, key: str) -> Iterator[None]:
        """Record what the load of one source, made inside the context, changes. Nothing is recorded if the load fails."""
        before = self._open(key)
        yield
        self.changes.extend(compare_generations(key, before, self._open(key)))

    def count_entries(self) -> dict[str, int]:
        """Return the number of entries that are new, changed or gone, by source."""
        return Counter(source for source, _ in {(change.source, change.entry_id) for change in self.changes})

    def to_json(self) -> str:
        """Return the line printed for `--json`."""
        return json.dumps({"changes": [change.to_document() for change in self.changes]}, ensure_ascii=False)

    def _open(self, key: str) -> Generation[LoadRecord] | None:
        try:
            return self.runtime.generations[World.SANDBOX].current(key)
        except SegmentCorrupt:
            return None


def compare_generations(
    key: str, before: Generation[LoadRecord] | None, after: Generation[LoadRecord] | None
) -> Iterator[EntryFieldChange]:
    """Yield the fields that differ between two generations of a source, sorted by entry."""
    earlier, later = _list_documents(before), _list_documents(after)
    gone = _read_entries(before, [number for digest, number in earlier.items() if digest not in later])
    new = _read_entries(after, [number for digest, number in later.items() if digest not in earlier])
    for entry_id in sorted(gone.keys() | new.keys()):
        yield from _compare_entries(key, entry_id, gone.get(entry_id), new.get(entry_id))


def _list_documents(generation: Generation[LoadRecord] | None) -> dict[bytes, int]:
    """Return the number of each document by a digest of its content."""
    if generation is None:
        return {}
    index = generation.index
    return {blake2b(index.payload(number), digest_size=DIGEST_BYTES).digest(): number for number in index.documents()}


def _read_entries(generation: Generation[LoadRecord] | None, numbers: list[int]) -> dict[str, dict[str, Any]]:
    if generation is None:
        return {}
    entry_type = ENTRY_TYPES[generation.manifest.kind]
    entries: list[Entry] = [entry_type.model_validate_json(generation.index.payload(number)) for number in numbers]
    return {entry.entry_id: json.loads(entry.to_json()) for entry in entries}


def _compare_entries(
    key: str, entry_id: str, before: dict[str, Any] | None, after: dict[str, Any] | None
) -> Iterator[EntryFieldChange]:
    present, is_whole = after or before or {}, before is None or after is None
    for name in present:
        old, new = (document.get(name) if document is not None else None for document in (before, after))
        if name not in _IDENTITY and old != new and not (is_whole and present[name] in _EMPTY):
            yield EntryFieldChange(key, entry_id, name, old, new)
