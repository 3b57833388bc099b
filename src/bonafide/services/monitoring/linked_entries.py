"""The entries of loaded registers and regulators that are linked to a record.

A register's entry is linked by the record's registration. A regulator's entry is linked if it has one of the record's numbers, or a
name of the record in its normal form, that is without the legal form and whatever the spelling of its words. A linked entry that
gets another name stays linked as long as the record has the same names and numbers.
"""

from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import blake2b

from bonafide.errors import SegmentCorrupt
from bonafide.i18n.message import Message
from bonafide.index import Generation, create_business_query
from bonafide.index.generations.entry_changes import find_documents
from bonafide.matching.identifiers.number_matching import build_number_keys
from bonafide.matching.screening.name_parsing import parse_organization_name
from bonafide.model.accounts.organizations import World
from bonafide.model.entry import RegulatoryEntry, SourceKind
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.loading import LoadRecord
from bonafide.model.monitoring.entry_snapshots import EntrySnapshot
from bonafide.model.records.business_record import BusinessRecord
from bonafide.runtime import Runtime
from bonafide.services.lookup.registration_lookup import find_loaded_entry
from bonafide.services.monitoring.query_planning import find_query_blocker
from bonafide.sources.framework.discovery import Source
from bonafide.sources.framework.live import RegistrationQuery

MAX_NAME_HITS = 20
"""Entries with a similar name of which those with an equal one are taken."""


@dataclass(frozen=True, slots=True)
class LinkedEntry:
    """An entry that is linked to a record, by the number or the ID under which it is found again; None if it does not exist."""

    source: Source
    load: LoadRecord
    number: str
    content_hash: int
    snapshot: EntrySnapshot | None


@dataclass(frozen=True, slots=True)
class LinkedEntries:
    """The linked entries of all loaded sources, and the loads of the sources that were searched."""

    entries: list[LinkedEntry] = field(default_factory=list)
    renamed: list[LinkedEntry] = field(default_factory=list)
    """Entries that were linked before, and have neither a name nor a number of the record any more."""
    loads: dict[str, LoadRecord] = field(default_factory=dict)
    problems: dict[str, Message] = field(default_factory=dict)
    """Why a source could not be searched."""
    unloaded: list[tuple[str, str]] = field(default_factory=list)
    """Registers without loaded data, or with partial data that lacks the entry, each with the number to look up."""


def list_registrations(record: BusinessRecord) -> list[RegistrationQuery]:
    """The registrations of a record in registers, each once."""
    given = [(record.jurisdiction, record.registration_number)]
    for registration in record.registrations:
        with suppress(ValueError):
            given.append((Jurisdiction(registration.jurisdiction or ""), registration.value))
    known = [RegistrationQuery(place, number) for place, number in given if place is not None and number is not None]
    return list(dict.fromkeys(known))


def list_registers(runtime: Runtime, jurisdiction: Jurisdiction) -> list[Source]:
    """The sources of one register alone."""
    return [
        source
        for source in runtime.sources.values()
        if source.metadata.kind is SourceKind.REGISTRY and source.metadata.jurisdiction is jurisdiction
    ]


def list_regulators(runtime: Runtime) -> list[Source]:
    """The regulators' lists."""
    return [source for source in runtime.sources.values() if source.metadata.kind is SourceKind.REGULATOR]


def find_registry_entries(runtime: Runtime, world: World, record: BusinessRecord) -> LinkedEntries:
    """The record's entries in loaded registers. Reads the index."""
    found = LinkedEntries()
    for registration in list_registrations(record):
        for source in list_registers(runtime, registration.jurisdiction):
            generation = _open(runtime, world, source, found)
            if generation is None:
                found.unloaded.append((source.key, registration.number))
                continue
            entry = find_loaded_entry(generation, registration)
            if entry is None and source.metadata.gaps is not None and world is World.LIVE:
                if find_query_blocker(runtime, world, source) is None:
                    found.unloaded.append((source.key, registration.number))
                else:
                    found.problems[source.key] = source.metadata.gaps
                continue
            snapshot = EntrySnapshot.from_registry_entry(entry) if entry is not None else None
            content_hash = hash_entries(generation, generation.index.lookup(registration.number))
            found.entries.append(LinkedEntry(source, generation.manifest, registration.number, content_hash, snapshot))
    return found


def find_regulatory_entries(
    runtime: Runtime, world: World, record: BusinessRecord, linked_before: Collection[tuple[str, str]]
) -> LinkedEntries:
    """The regulators' entries about the record in loaded lists. Reads the indexes.

    `linked_before` are the sources and IDs of the entries that were linked to the record.
    """
    found = LinkedEntries()
    names, numbers = list_names(record), list_numbers(record)
    keys = set(map(build_name_key, names))
    for source in list_regulators(runtime):
        generation = _open(runtime, world, source, found)
        if generation is None:
            continue
        index = generation.index
        by_number = {document for number in [*numbers.own, *numbers.joined] for document in index.lookup(number)}
        by_name = {hit.document for name in names for hit in index.search(create_business_query(name), MAX_NAME_HITS)}
        for document in sorted(by_number | by_name):
            entry = RegulatoryEntry.model_validate_json(index.payload(document))
            if numbers.match(entry) or not keys.isdisjoint(map(build_name_key, entry.list_search_names())):
                found.entries.append(_link_regulatory_entry(source, generation, document, entry))
        linked = {entry.number for entry in found.entries if entry.source is source}
        missing = [entry_id for key, entry_id in linked_before if key == source.key and entry_id not in linked]
        found.renamed.extend(_find_by_id(source, generation, missing))
    return found


def _find_by_id(source: Source, generation: Generation[LoadRecord], entry_ids: Sequence[str]) -> Iterable[LinkedEntry]:
    if not entry_ids:
        return
    for document in find_documents(generation.index.document_hashes(), entry_ids):
        entry = RegulatoryEntry.model_validate_json(generation.index.payload(document))
        yield _link_regulatory_entry(source, generation, document, entry)


def _link_regulatory_entry(
    source: Source, generation: Generation[LoadRecord], document: int, entry: RegulatoryEntry
) -> LinkedEntry:
    content_hash, snapshot = hash_entries(generation, [document]), EntrySnapshot.from_regulatory_entry(entry)
    return LinkedEntry(source, generation.manifest, entry.entry_id, content_hash, snapshot)


def list_names(record: BusinessRecord) -> list[str]:
    """The names by which regulators' entries are found."""
    return [*([record.name] if record.name is not None else []), *record.operating_names]


@dataclass(frozen=True, slots=True)
class RecordNumbers:
    """The numbers of a record: `own` may be a regulator's own number of a business, `joined` only a number of another register.

    Regulators number their licences as registers do, so an equal number of a licence is no evidence.
    """

    own: tuple[str, ...]
    joined: tuple[str, ...]

    def match(self, entry: RegulatoryEntry) -> bool:
        """Whether an entry has one of the numbers."""
        joined = {key for number in entry.join_numbers for key in build_number_keys(number.value)}
        own = build_number_keys(entry.registration_number) if entry.registration_number is not None else frozenset()
        return _have_common_key((*self.own, *self.joined), joined) or _have_common_key(self.own, own)


def _have_common_key(numbers: Iterable[str], keys: Collection[str]) -> bool:
    return any(not build_number_keys(number).isdisjoint(keys) for number in numbers)


def list_numbers(record: BusinessRecord) -> RecordNumbers:
    """The numbers by which regulators' entries are found."""
    own = (record.business_number,) if record.business_number is not None else ()
    first = (record.registration_number,) if record.registration_number is not None else ()
    return RecordNumbers(own, (*first, *(one.value for one in record.registrations)))


def build_name_key(name: str) -> tuple[str, ...]:
    """The same for two spellings of a name."""
    return parse_organization_name(name).core


def hash_entries(generation: Generation[LoadRecord], documents: Iterable[int]) -> int:
    """A hash of the contents of entries, as a signed 64-bit number; the same for no entry."""
    digest = blake2b(digest_size=8)
    for payload in sorted(map(generation.index.payload, documents)):
        digest.update(payload)
    return int.from_bytes(digest.digest(), "little", signed=True)


def _open(runtime: Runtime, world: World, source: Source, found: LinkedEntries) -> Generation[LoadRecord] | None:
    try:
        generation = runtime.generations[world].current(source.key)
    except SegmentCorrupt as error:
        found.problems[source.key] = error.message
        return None
    if generation is not None:
        found.loads[source.key] = generation.manifest
    return generation
