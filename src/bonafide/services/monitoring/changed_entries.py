"""Select the records of a chunk that changed entries of registers and regulators concern."""

import asyncio
from collections.abc import Mapping, Sequence
from functools import lru_cache
from uuid import UUID

from bonafide.concurrency.executors import run_cpu_bound
from bonafide.index import Generation
from bonafide.index.generations.entry_changes import hash_entry_id
from bonafide.matching.identifiers.number_matching import build_number_keys
from bonafide.model.entry import RegulatoryEntry
from bonafide.model.loading import LoadRecord
from bonafide.model.monitoring.evaluations import WatchedParties
from bonafide.runtime import Runtime
from bonafide.services.monitoring.changed_parties import ListState
from bonafide.services.monitoring.linked_entries import build_name_key, hash_entries
from bonafide.store.monitoring import monitored_records
from bonafide.store.monitoring.runs import MonitoringChunk

MAX_COMPARED_ENTRIES = 500_000
"""A regulator's list with more entries is compared for linked entries only: new ones are found when a record is evaluated."""
BATCH_SIZE = 100
"""Records that are compared at a time in the CPU thread."""


async def select_by_registrations(
    runtime: Runtime, chunk: MonitoringChunk, registers: Sequence[tuple[str, Generation[LoadRecord]]]
) -> set[UUID]:
    """The records whose register has another content under their number than when it was last compared."""
    found: set[UUID] = set()
    for source, generation in registers:
        async with runtime.store.read(at_length=True) as connection:
            rows = await monitored_records.list_entries_of_source(
                connection, chunk.organization_id, chunk.after_id, chunk.last_id, source
            )
        found.update(await asyncio.to_thread(_compare_numbers, generation, rows))
    return found


def _compare_numbers(generation: Generation[LoadRecord], rows: Sequence[tuple[UUID, str, int | None]]) -> list[UUID]:
    index = generation.index
    return [business_id for business_id, number, known in rows if hash_entries(generation, index.lookup(number)) != known]


class ChangedLicences:
    """The new and changed entries of regulators by name and number, and the IDs of all that have changed or are gone."""

    def __init__(self, lists: Mapping[str, ListState]) -> None:
        self._keys: dict[str, frozenset[int]] = {}
        self._names: set[tuple[str, ...]] = set()
        self._own_numbers: set[str] = set()
        self._joined_numbers: set[str] = set()
        for source, state in lists.items():
            changes = state.find_changes()
            self._keys[source] = changes.keys
            if len(state.generation.index) > MAX_COMPARED_ENTRIES:
                continue
            for document in changes.documents:
                self._add(RegulatoryEntry.model_validate_json(state.generation.index.payload(document)))

    def __bool__(self) -> bool:
        """Whether there is a new or changed entry whose names and numbers are compared."""
        return bool(self._names)

    def _add(self, entry: RegulatoryEntry) -> None:
        self._names.update(map(build_name_key, entry.list_search_names()))
        if entry.registration_number is not None:
            self._own_numbers |= build_number_keys(entry.registration_number)
        for number in entry.join_numbers:
            self._joined_numbers |= build_number_keys(number.value)

    def has_changed(self, source: str, entry_id: str) -> bool:
        """Whether an entry has changed or is gone."""
        return hash_entry_id(entry_id) in self._keys.get(source, ())

    def concern(self, watched: WatchedParties) -> bool:
        """Whether a new or changed entry has a name or a number of a record."""
        own = {key for number in watched.own_numbers for key in build_number_keys(number)}
        joined = own | {key for number in watched.joined_numbers for key in build_number_keys(number)}
        if not joined.isdisjoint(self._joined_numbers) or not own.isdisjoint(self._own_numbers):
            return True
        return not self._names.isdisjoint(map(build_name_key, watched.names))


@lru_cache(maxsize=1)
def _read_licences(lists: tuple[tuple[str, ListState], ...]) -> ChangedLicences:
    """The changes of a run, kept for its next chunk."""
    return ChangedLicences(dict(lists))


async def select_by_licences(runtime: Runtime, chunk: MonitoringChunk, lists: tuple[tuple[str, ListState], ...]) -> set[UUID]:
    """The records whose linked entries have changed or are gone, and those with a name or number of a new entry."""
    if not lists:
        return set()
    changed = await asyncio.to_thread(_read_licences, lists)
    organization_id, after, last = chunk.organization_id, chunk.after_id, chunk.last_id
    found: set[UUID] = set()
    async with runtime.store.read(at_length=True) as connection:
        for source, _ in lists:
            rows = await monitored_records.list_entries_of_source(connection, organization_id, after, last, source)
            found.update(business_id for business_id, entry_id, _ in rows if changed.has_changed(source, entry_id))
        listed = await monitored_records.list_parties(connection, organization_id, after, last) if changed else []

    def match(batch: Sequence[tuple[UUID, str]]) -> list[UUID]:
        return [business_id for business_id, watched in batch if changed.concern(WatchedParties.model_validate_json(watched))]

    for start in range(0, len(listed), BATCH_SIZE):
        found.update(await run_cpu_bound(match, listed[start : start + BATCH_SIZE]))
    return found
