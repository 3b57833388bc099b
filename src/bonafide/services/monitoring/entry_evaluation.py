"""Compare the linked entries of a record with those of its last evaluation. Reads indexes, not the database."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from bonafide.model.accounts.organizations import World
from bonafide.model.events.event import EventSource, NewEvent
from bonafide.model.loading import LoadRecord
from bonafide.model.monitoring.entry_snapshots import EntrySnapshot
from bonafide.model.monitoring.evaluations import EvaluationOutcome, StoredSourceEvaluation
from bonafide.model.monitoring.policy import MonitoringKind, MonitoringPolicy
from bonafide.model.records.business_record import BusinessRecord
from bonafide.runtime import Runtime
from bonafide.services.monitoring.entry_events import ComparedEntry, build_licence_event, build_registry_events
from bonafide.services.monitoring.linked_entries import LinkedEntries, find_registry_entries, find_regulatory_entries
from bonafide.store.monitoring.monitored_records import MonitoredEntry, MonitoringGap

_NONE = LinkedEntries()


@dataclass(frozen=True, slots=True)
class FoundEntries:
    """The linked entries of a record by kind."""

    at: datetime
    by_kind: Mapping[MonitoringKind, LinkedEntries]

    @property
    def loads(self) -> dict[str, LoadRecord]:
        """The loads of all sources that were searched."""
        return {key: load for found in self.by_kind.values() for key, load in found.loads.items()}

    @property
    def unloaded(self) -> list[tuple[str, str]]:
        """Registers that are not loaded, each with a number of the record."""
        return [one for found in self.by_kind.values() for one in found.unloaded]

    def list_gaps(self) -> list[MonitoringGap]:
        """The sources that could not be searched."""
        return [
            MonitoringGap(source, self.at, reason) for found in self.by_kind.values() for source, reason in found.problems.items()
        ]


@dataclass(frozen=True, slots=True)
class EntryComparison:
    """The rows to store in place of the earlier ones, the events, and the evaluation of each source."""

    rows: list[MonitoredEntry] = field(default_factory=list)
    events: list[NewEvent] = field(default_factory=list)
    sources: list[StoredSourceEvaluation] = field(default_factory=list)


def find_entries(
    runtime: Runtime, world: World, record: BusinessRecord, policy: MonitoringPolicy, known: Sequence[MonitoredEntry]
) -> FoundEntries:
    """The linked entries of a record, of the kinds that the policy watches. `known` are those that are stored."""
    found = {}
    if policy.watches(MonitoringKind.REGISTRY):
        found[MonitoringKind.REGISTRY] = find_registry_entries(runtime, world, record)
    if policy.watches(MonitoringKind.LICENCES):
        found[MonitoringKind.LICENCES] = find_regulatory_entries(
            runtime, world, record, {(row.source, row.number) for row in known}
        )
    return FoundEntries(runtime.clock(), found)


def compare_entries(
    found: FoundEntries, known: Sequence[MonitoredEntry], compared_before: Iterable[str], record: BusinessRecord, *, is_same: bool
) -> EntryComparison:
    """Compare the entries with those that are stored.

    `compared_before` are the regulators' lists of the last evaluation. Unless the names and numbers of the record are the same as
    then (`is_same`), new and missing entries follow from the record and not from the lists, and are no events.
    """
    result = EntryComparison()
    old = {(row.source, row.number): row for row in known}
    _compare_registers(found, old, record, result)
    _compare_regulators(found, old, frozenset(compared_before) if is_same else frozenset(), record, result)
    return result


def _compare_registers(
    found: FoundEntries, old: Mapping[tuple[str, str], MonitoredEntry], record: BusinessRecord, result: EntryComparison
) -> None:
    linked = found.by_kind.get(MonitoringKind.REGISTRY, _NONE)
    for entry in linked.entries:
        row = old.get((entry.source.key, entry.number))
        before = parse_snapshot(row)
        if row is not None and row.content_hash is None:
            before = align_with_origin(before, entry.snapshot)
        events = []
        if before is not None or entry.snapshot is not None:
            events = list(build_registry_events(ComparedEntry(_build_source(entry.load), before, entry.snapshot), record))
        result.events.extend(events)
        snapshot = entry.snapshot.to_json() if entry.snapshot is not None else None
        result.rows.append(MonitoredEntry(entry.source.key, entry.number, entry.content_hash, snapshot, entry.load.as_of, found.at))
        result.sources.append(_build_evaluation(MonitoringKind.REGISTRY, entry.load, is_changed=bool(events)))
    for source, number in linked.unloaded:
        result.rows.append(old.get((source, number), MonitoredEntry(source, number, None, None, None, None)))
    compared = {(row.source, row.number) for row in result.rows}
    result.rows.extend(row for key, row in old.items() if key[0] in linked.problems and key not in compared)


def _compare_regulators(
    found: FoundEntries,
    old: Mapping[tuple[str, str], MonitoredEntry],
    compared_before: frozenset[str],
    record: BusinessRecord,
    result: EntryComparison,
) -> None:
    linked = found.by_kind.get(MonitoringKind.LICENCES, _NONE)
    current = {(entry.source.key, entry.number): entry for entry in linked.entries}
    renamed = {(entry.source.key, entry.number): entry for entry in linked.renamed}
    current |= {key: entry for key, entry in renamed.items() if key[0] in compared_before and key in old}
    changed = set()
    for key, entry in current.items():
        before = parse_snapshot(old.get(key))
        event = build_licence_event(ComparedEntry(_build_source(entry.load), before, entry.snapshot), record)
        if event is not None and (before is not None or key[0] in compared_before):
            result.events.append(event)
            changed.add(key[0])
        snapshot = entry.snapshot.to_json() if entry.snapshot is not None else None
        result.rows.append(MonitoredEntry(*key, entry.content_hash, snapshot, entry.load.as_of, found.at))
    for key, row in old.items():
        before, load = parse_snapshot(row), linked.loads.get(key[0])
        if key[0] in linked.problems:
            result.rows.append(row)
        elif key not in current and before is not None and load is not None and key[0] in compared_before:
            event = build_licence_event(ComparedEntry(_build_source(load), before, None), record)
            result.events.extend([event] if event is not None else [])
            changed.add(key[0])
    for source, load in linked.loads.items():
        result.sources.append(_build_evaluation(MonitoringKind.LICENCES, load, is_changed=source in changed))


def align_with_origin(before: EntrySnapshot | None, after: EntrySnapshot | None) -> EntrySnapshot | None:
    """The earlier entry for a comparison with data of another origin: a load after live queries, or the other way round.

    Loaded data and live responses of one register state different parts of an entry, and word them differently. Only a change of
    the normalized status is a change of the entry; everything else is as it is now.
    """
    if before is None or after is None:
        return before
    if before.status_code is after.status_code:
        return after
    return after.model_copy(update={"status": before.status, "status_code": before.status_code})


def parse_snapshot(row: MonitoredEntry | None) -> EntrySnapshot | None:
    """The entry of a row; None if it has not been compared, or does not exist."""
    return EntrySnapshot.model_validate_json(row.snapshot) if row is not None and row.snapshot is not None else None


def _build_source(load: LoadRecord) -> EventSource:
    return EventSource(key=load.source, as_of=load.as_of, retrieved_at=load.retrieved_at)


def _build_evaluation(kind: MonitoringKind, load: LoadRecord, *, is_changed: bool) -> StoredSourceEvaluation:
    outcome = EvaluationOutcome.CHANGED if is_changed else EvaluationOutcome.NO_CHANGE
    return StoredSourceEvaluation(kind=kind, source=load.source, as_of=load.as_of, outcome=outcome)
