"""The events that a day of the sandbox must have for monitored records, from the list of changes that `bonafide sandbox` prints.

Nothing of the service's monitoring is used. Names are equal if their words are, without their order, case, accents and legal forms.
"""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bonafide.model.accounts.organizations import World
from bonafide.model.entry import ENTRY_TYPES, SourceKind
from bonafide.runtime import build_generation_stores
from bonafide.sources.framework.discovery import discover_sources
from tests.support.monitoring.portfolio import PortfolioRecord, split_words

MONITORED_EVENTS = ("registry.", "licence.", "screening.", "website.", "monitoring.")
"""What the types of events begin with that monitoring records."""
REGISTRY_TYPES = {
    "status": "registry.status_changed",
    "goodStanding": "registry.status_changed",
    "legalName": "registry.name_changed",
    "alternateNames": "registry.name_changed",
    "entityType": "registry.name_changed",
    "registrationNumbers": "registry.name_changed",
    "addresses": "registry.address_changed",
    "people": "registry.people_changed",
}
"""The fields of a register's entry that are watched, and the type of the event."""
LICENCE_FIELDS = frozenset({"status", "legalName", "alternateNames", "addresses"})
PLAIN_FIELDS = frozenset({"status", "goodStanding", "legalName", "entityType"})
"""Fields whose values an event has as the entry has them."""
Document = dict[str, Any]
EntryKey = tuple[str, str]
"""The source of an entry, and its ID."""


@dataclass(frozen=True, slots=True)
class ExpectedEvent:
    """An event as far as it follows from a change: its type, its record, the entry and, field by field, what has changed."""

    type: str
    external_id: str
    source: str
    entry_id: str
    changes: frozenset[str] = frozenset()
    """`status: "Active" -> "Dissolved"`, or the name of the field alone if its values are not those of the entry."""

    @classmethod
    def read(cls, event: Document) -> "ExpectedEvent":
        """The same from an event that was received."""
        entry_id = event["subject"].get("entryId") or event["data"]["entryId"]
        is_hit = event["type"].startswith("screening.")
        changes = () if is_hit else (_describe(change["field"], change["from"], change["to"]) for change in event["changes"])
        return cls(event["type"], event["business"]["externalId"], event["source"]["key"], entry_id, frozenset(changes))


def _describe(field: str, before: object, after: object) -> str:
    return f"{field}: {json.dumps(before)} -> {json.dumps(after)}" if field in PLAIN_FIELDS else field


def is_monitored(event: Document) -> bool:
    """Whether monitoring has recorded an event."""
    return str(event["type"]).startswith(MONITORED_EVENTS)


@dataclass(frozen=True, slots=True)
class _ChangedEntry:
    """An entry before and after the day; None where it does not exist."""

    source: str
    entry_id: str
    before: Document | None
    after: Document | None
    fields: frozenset[str]

    @property
    def shown(self) -> Document:
        shown = self.after or self.before
        assert shown is not None
        return shown

    def describe(self, fields: Collection[str]) -> frozenset[str]:
        """The changes of these fields of an entry that exists before and after the day."""
        before, after = self.before or {}, self.after or {}
        return frozenset(_describe(field, before[field], after[field]) for field in self.fields.intersection(fields))

    def describe_end(self) -> frozenset[str]:
        """The change of an entry that is gone, or no longer about a record."""
        assert self.before is not None
        return frozenset({_describe("status", self.before["status"], None)})

    def describe_start(self) -> frozenset[str]:
        """The change of an entry that is new, or newly about a record."""
        assert self.after is not None
        return frozenset({_describe("status", None, self.after["status"])})


def list_expected_events(
    changes: Iterable[Document],
    before: Mapping[EntryKey, Document],
    after: Mapping[EntryKey, Document],
    records: Sequence[PortfolioRecord],
) -> Counter[ExpectedEvent]:
    """Return the events of a day. `before` and `after` are the entries of all loaded sources."""
    fields: dict[EntryKey, set[str]] = defaultdict(set)
    for change in changes:
        fields[change["source"], change["entryId"]].add(change["field"])
    kinds = {key: source.metadata.kind for key, source in discover_sources().items()}
    expected: Counter[ExpectedEvent] = Counter()
    for (source, entry_id), changed in fields.items():
        entry = _ChangedEntry(source, entry_id, before.get((source, entry_id)), after.get((source, entry_id)), frozenset(changed))
        expected.update(_BY_KIND.get(kinds[source], _ignore)(entry, records))
    return expected


def _list_registry_events(entry: _ChangedEntry, records: Sequence[PortfolioRecord]) -> Iterator[ExpectedEvent]:
    """A new entry is none: the record begins to be compared."""
    for record in records:
        if (record.jurisdiction, record.registration_number) != (entry.shown["jurisdiction"], entry.entry_id):
            continue
        if entry.after is None:
            yield ExpectedEvent("registry.entry_gone", record.external_id, entry.source, entry.entry_id, entry.describe_end())
        elif entry.before is not None:
            for event_type in {REGISTRY_TYPES[field] for field in entry.fields if field in REGISTRY_TYPES}:
                watched = [field for field, its_type in REGISTRY_TYPES.items() if its_type == event_type]
                yield ExpectedEvent(event_type, record.external_id, entry.source, entry.entry_id, entry.describe(watched))


def _list_licence_events(entry: _ChangedEntry, records: Sequence[PortfolioRecord]) -> Iterator[ExpectedEvent]:
    for record in records:
        was_linked, is_linked = (one is not None and _is_about(one, record) for one in (entry.before, entry.after))
        if was_linked and entry.after is not None:
            # An entry with another name is still the one that was about the record.
            changes = entry.describe(LICENCE_FIELDS)
            if changes:
                yield ExpectedEvent("licence.changed", record.external_id, entry.source, entry.entry_id, changes)
        elif was_linked:
            yield ExpectedEvent("licence.lapsed", record.external_id, entry.source, entry.entry_id, entry.describe_end())
        elif is_linked:
            yield ExpectedEvent("licence.granted", record.external_id, entry.source, entry.entry_id, entry.describe_start())


def _is_about(entry: Document, record: PortfolioRecord) -> bool:
    """Whether a regulator's entry has the name or the register's number of a record."""
    names = {split_words(name) for name in (entry["legalName"], *entry["alternateNames"])}
    numbers = {_digits(number["value"]) for number in entry["joinNumbers"]}
    return split_words(record.name) in names or _digits(record.registration_number or "none") in numbers


def _digits(number: str) -> str:
    return re.sub(r"\W", "", number).casefold()


def _list_hit_events(entry: _ChangedEntry, records: Sequence[PortfolioRecord]) -> Iterator[ExpectedEvent]:
    names = [{split_words(name) for name in _list_names(one)} for one in (entry.before, entry.after)]
    for record in records:
        for party in record.parties:
            was_hit, is_hit = (split_words(party) in listed for listed in names)
            if was_hit or is_hit:
                outcome = "changed" if was_hit and is_hit else "cleared" if was_hit else "found"
                yield ExpectedEvent(f"screening.hit_{outcome}", record.external_id, entry.source, entry.entry_id)


def _list_names(entry: Document | None) -> Iterator[str]:
    if entry is not None:
        yield from (entry["name"], *entry["aliases"])


def _ignore(_entry: _ChangedEntry, _records: Sequence[PortfolioRecord]) -> Iterator[ExpectedEvent]:
    """Sources that are not monitored."""
    return iter(())


_BY_KIND = {
    SourceKind.REGISTRY: _list_registry_events,
    SourceKind.REGULATOR: _list_licence_events,
    SourceKind.SANCTIONS: _list_hit_events,
}


def read_entries(data_dir: Path) -> dict[EntryKey, Document]:
    """Read the entries of all loaded sources of the sandbox."""
    generations, found = build_generation_stores(data_dir)[World.SANDBOX], {}
    for key in discover_sources():
        generation = generations.current(key)
        if generation is not None and generation.manifest.kind in _BY_KIND:
            entry_type = ENTRY_TYPES[generation.manifest.kind]
            for document in generation.index.documents():
                entry = json.loads(entry_type.model_validate_json(generation.index.payload(document)).to_json())
                found[key, entry["entryId"]] = entry
    return found
