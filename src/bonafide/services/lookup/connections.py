"""Find what a business record shares with other records of its organization, and with entries of loaded registers.

Records are found by the keys that are stored with each of them. Entries are found by address: each register's index of address
words returns the most similar entries, and those are counted whose address has an equal key. The number of entries that are read is
limited, so that a mail drop of any size costs the same; then the count is a minimum, and says so. Each search of a register is a
step of its own in the CPU thread, so that other callers get their turn in between.
Registers' people are not compared: no loaded register publishes them, and Quebec's terms prohibit grouping its people by name.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from pydantic import ConfigDict

from bonafide.concurrency.executors import run_cpu_bound
from bonafide.errors import SegmentCorrupt
from bonafide.i18n.message import Message
from bonafide.index import Generation, create_address_query
from bonafide.matching.connections.connection_keys import AddressQuery, SharedTrait, list_address_keys, list_record_traits
from bonafide.matching.identifiers.number_matching import build_number_keys, is_business_number
from bonafide.model.accounts.organizations import World
from bonafide.model.base import Document
from bonafide.model.entry import RegistryEntry
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.loading import LoadRecord
from bonafide.model.records.business_record import BusinessRecord, Registration
from bonafide.model.records.connections import (
    AddressLevel,
    BusinessConnections,
    ConnectedEntry,
    ConnectedRecord,
    Connection,
    ConnectionCheckStatus,
    ConnectionCounts,
    ConnectionCoverage,
    ConnectionKind,
)
from bonafide.runtime import Runtime
from bonafide.services.records import business_records
from bonafide.sources.framework.discovery import Source
from bonafide.store.records import business_traits
from bonafide.store.records.business_traits import TraitOwners

MAX_ADDRESSES = 5
"""The most addresses that are searched in the registers: each costs one or two searches of every register."""
MAX_CANDIDATES = 1_000
"""The most entries of a register that are compared for one line of an address."""
SEARCHED_PER_CANDIDATE = 2
"""How many entries are searched for each that is compared.

A search returns fewer entries than it is asked for if many of them have several similar addresses. More than `MAX_CANDIDATES` are
returned in any case where the list was cut, unless these have four addresses each on average.
"""
MAX_READ_ENTRIES = 10_000
"""The most entries that are parsed for one record."""
MAX_LISTED = 10
_SAME_NAME = Message("Same name. Equal names do not show that it is the same person.")
_NO_DATA = Message("No data of this source is loaded.")


async def read_connections(runtime: Runtime, organization_id: UUID, world: World, business_id: UUID) -> BusinessConnections:
    """What the record shares with others. Raises `NotFound` for an unknown business."""
    async with runtime.store.read() as connection:
        record = await business_records.load_record(connection, organization_id, business_id, None)
    with runtime.compute_for(organization_id):
        traits = await run_cpu_bound(list_record_traits, record)
        records = await _find_records(runtime, organization_id, business_id, traits)
        addresses = list(dict.fromkeys(query for trait in traits for query in trait.queries))
        search = _AddressSearch.create(record, traits, addresses[:MAX_ADDRESSES])
        coverage = await _search_registers(runtime, world, search)
    is_searched = any(row.status is ConnectionCheckStatus.SEARCHED for row in coverage)
    entries = search.found if is_searched else {}
    found = [_build_connection(trait, records.get(trait, _FoundRecords()), entries.get(trait)) for trait in traits]
    shared = [one for one in found if one.counts.records or one.counts.entries]
    return BusinessConnections(
        business_id=business_id,
        connections=tuple(sorted(shared, key=lambda one: one.level is AddressLevel.BUILDING)),
        addresses_not_searched=max(len(addresses) - MAX_ADDRESSES, 0),
        coverage=coverage,
    )


async def read_connected_records(
    runtime: Runtime, organization_id: UUID, record: BusinessRecord
) -> tuple[tuple[ConnectionKind, ConnectedRecord], ...]:
    """Other records that share something with a record, each with the first reason. Registers are not searched."""
    traits = await run_cpu_bound(list_record_traits, record)
    found = await _find_records(runtime, organization_id, record.id, traits)
    reasons: dict[UUID, tuple[ConnectionKind, ConnectedRecord]] = {}
    for trait in traits:
        for other in found[trait].listed if trait in found else ():
            reasons.setdefault(other.id, (trait.kind, other))
    return tuple(reasons.values())


def _build_connection(trait: SharedTrait, records: "_FoundRecords", entries: "_FoundEntries | None") -> Connection:
    return Connection(
        kind=trait.kind,
        level=trait.level,
        value=trait.value,
        counts=ConnectionCounts(
            records=records.count,
            entries=entries.count if entries is not None else None,
            entries_is_minimum=entries is not None and entries.is_minimum,
        ),
        records=records.listed,
        entries=tuple(entries.listed) if entries is not None else (),
        note=_SAME_NAME if trait.kind is ConnectionKind.DIRECTOR else None,
    )


# ------------------------------------------------------------------------------------------------------------- records


class _RecordTitle(Document):
    """What is shown of a stored record; its other fields are not parsed."""

    model_config = ConfigDict(extra="ignore")
    id: UUID
    name: str | None = None
    external_id: str | None = None
    registration_number: str | None = None
    is_archived: bool = False


@dataclass(frozen=True, slots=True)
class _FoundRecords:
    """The records that share one trait: how many, and the first of them."""

    count: int = 0
    listed: tuple[ConnectedRecord, ...] = ()


async def _find_records(
    runtime: Runtime, organization_id: UUID, business_id: UUID, traits: Sequence[SharedTrait]
) -> Mapping[SharedTrait, _FoundRecords]:
    async with runtime.store.read() as connection:
        keys = frozenset(key for trait in traits for key in trait.keys)
        shared = await business_traits.list_shared(connection, organization_id, business_id, keys)
        places = [trait.keys & shared for trait in traits]
        owners = await business_traits.list_owners(connection, organization_id, business_id, places, MAX_LISTED)
        listed = frozenset(owner for one in owners.values() for owner in one.first)
        documents = await business_traits.list_documents(connection, organization_id, listed)
    records = await run_cpu_bound(_read_connected_records, documents)
    return {traits[place]: _to_found_records(one, records) for place, one in owners.items()}


def _to_found_records(owners: TraitOwners, records: Mapping[UUID, ConnectedRecord]) -> _FoundRecords:
    return _FoundRecords(owners.count, tuple(records[owner] for owner in owners.first))


def _read_connected_records(documents: Iterable[str]) -> Mapping[UUID, ConnectedRecord]:
    records = map(_RecordTitle.model_validate_json, documents)
    return {record.id: _to_connected_record(record) for record in records}


def _to_connected_record(record: _RecordTitle) -> ConnectedRecord:
    names = (record.name, record.external_id, record.registration_number)
    name = next((name for name in names if name is not None), str(record.id))
    return ConnectedRecord(id=record.id, name=name, is_archived=record.is_archived)


# ------------------------------------------------------------------------------------------------------------- entries


@dataclass(slots=True)
class _FoundEntries:
    """The entries that share one trait."""

    count: int = 0
    is_minimum: bool = False
    listed: list[ConnectedEntry] = field(default_factory=list)

    def add(self, entry: RegistryEntry, source: Source, load: LoadRecord) -> None:
        """Count an entry, and keep it if it is one of the first."""
        self.count += 1
        if len(self.listed) < MAX_LISTED:
            number = entry.registration_numbers[0].value if entry.registration_numbers else None
            self.listed.append(
                ConnectedEntry(
                    jurisdiction=entry.jurisdiction,
                    registration_number=number,
                    name=entry.legal_name,
                    source=source.key,
                    as_of=load.day,
                )
            )


@dataclass(frozen=True, slots=True)
class _OwnNumbers:
    """The numbers of a record, by which its own entries are recognized.

    A registration number identifies it in its jurisdiction only: other registers issue the same numbers. A valid business number
    identifies it in every register.
    """

    registrations: frozenset[tuple[Jurisdiction, str]]
    business: frozenset[str]

    @classmethod
    def create(cls, record: BusinessRecord) -> "_OwnNumbers":
        """The numbers of a record. A registration number without a jurisdiction is not used."""
        registrations = [(record.jurisdiction, record.registration_number)]
        registrations += [(_parse_jurisdiction(one), one.value) for one in record.registrations]
        # The federal register has shorter numbers, so a business number with its jurisdiction is one of the tax agency.
        taxed = [number for jurisdiction, number in registrations[1:] if jurisdiction in {None, Jurisdiction.FED}]
        return cls(
            frozenset((jurisdiction, key) for jurisdiction, number in registrations if jurisdiction for key in _list_keys(number)),
            frozenset(key for number in (record.business_number, *taxed) for key in _list_business_number_keys(number)),
        )

    def identify(self, entry: RegistryEntry) -> bool:
        """Whether an entry is one of the record itself."""
        return any(
            not self.registrations.isdisjoint((entry.jurisdiction, key) for key in build_number_keys(number.value))
            or not self.business.isdisjoint(_list_business_number_keys(number.value))
            for number in entry.registration_numbers
        )


def _parse_jurisdiction(registration: Registration) -> Jurisdiction | None:
    try:
        return Jurisdiction.parse(registration.jurisdiction or "")
    except ValueError:
        return None


def _list_keys(number: str | None) -> frozenset[str]:
    return build_number_keys(number) if number is not None else frozenset()


def _list_business_number_keys(number: str | None) -> frozenset[str]:
    return build_number_keys(number) if number is not None and is_business_number(number) else frozenset()


@dataclass(slots=True)
class _AddressSearch:
    """The search for entries at the addresses of one record."""

    queries: Sequence[AddressQuery]
    found: Mapping[SharedTrait, _FoundEntries]
    own_numbers: _OwnNumbers
    compared: set[tuple[str, int]] = field(default_factory=set)
    """The sources and documents of the entries that were read: several lines find the same entry."""

    @classmethod
    def create(cls, record: BusinessRecord, traits: Iterable[SharedTrait], queries: Sequence[AddressQuery]) -> "_AddressSearch":
        """A search that has found nothing yet. A trait that also has an address beyond these gets a minimum."""
        searched = [trait for trait in traits if not frozenset(queries).isdisjoint(trait.queries)]
        found = {trait: _FoundEntries(is_minimum=not frozenset(queries).issuperset(trait.queries)) for trait in searched}
        return cls(queries, found, _OwnNumbers.create(record))

    def search(self, generation: Generation[LoadRecord], source: Source, query: AddressQuery, line: str) -> None:
        """Add the entries of a register that one line of an address finds."""
        hits = generation.index.search(create_address_query(line), SEARCHED_PER_CANDIDATE * MAX_CANDIDATES)
        is_whole = len(hits) <= MAX_CANDIDATES
        number = re.compile(rb"(?<![0-9])%b(?![0-9])" % re.escape(query.number.encode()))
        for hit in hits[:MAX_CANDIDATES]:
            payload = generation.index.payload(hit.document)
            # Most similar entries have another number, and parsing them is what takes the time.
            if (source.key, hit.document) in self.compared or number.search(payload) is None:
                continue
            if len(self.compared) == MAX_READ_ENTRIES:
                is_whole = False
                break
            self.compared.add((source.key, hit.document))
            self._compare(RegistryEntry.model_validate_json(payload), source, generation.manifest)
        if not is_whole:
            for trait, entries in self.found.items():
                entries.is_minimum = entries.is_minimum or query in trait.queries

    def _compare(self, entry: RegistryEntry, source: Source, load: LoadRecord) -> None:
        if self.own_numbers.identify(entry):
            return
        keys = list_address_keys(entry.addresses)
        for trait, entries in self.found.items():
            if not keys.isdisjoint(trait.keys):
                entries.add(entry, source, load)


async def _search_registers(runtime: Runtime, world: World, search: _AddressSearch) -> tuple[ConnectionCoverage, ...]:
    """Search every loaded register, and return which of them were compared."""
    registers = runtime.list_registers()
    coverage = []
    for source in sorted(registers, key=lambda source: source.key):
        generation, row = await run_cpu_bound(_open_register, runtime, world, source)
        coverage.append(row)
        if generation is not None:
            for query in search.queries:
                for line in query.lines:
                    await run_cpu_bound(search.search, generation, source, query, line)
    return tuple(coverage)


def _open_register(runtime: Runtime, world: World, source: Source) -> tuple[Generation[LoadRecord] | None, ConnectionCoverage]:
    """The loaded data of a register, None without any that can be read."""
    generation, note = None, None
    try:
        generation = runtime.generations[world].current(source.key)
    except SegmentCorrupt as error:
        status, note = ConnectionCheckStatus.FAILED, error.message
    else:
        status = ConnectionCheckStatus.SEARCHED if generation is not None else ConnectionCheckStatus.NOT_AVAILABLE
        note = _NO_DATA if generation is None else None
    return generation, ConnectionCoverage(
        source=source.key,
        jurisdiction=source.metadata.jurisdiction,
        status=status,
        as_of=generation.manifest.day if generation is not None else None,
        note=note,
    )
