"""Find what a business record shares with other records of its organization, and with entries of loaded registers.

Records are found by the keys that are stored with each of them. Entries are found by address: each register's index of address
words returns the most similar entries, and those are kept whose address has an equal key. At most `MAX_CANDIDATES` entries of a
register are read for an address, so that a mail drop of any size costs the same; then the count is a minimum, and says so.
Registers' people are not compared: no loaded register publishes them, and Quebec's terms prohibit grouping its people by name.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from bonafide.concurrency.executors import run_cpu_bound
from bonafide.errors import SegmentCorrupt
from bonafide.i18n.message import Message
from bonafide.index import Generation, create_address_query
from bonafide.matching.connections.connection_keys import SharedTrait, list_address_keys, list_record_traits
from bonafide.matching.identifiers.number_matching import build_number_keys
from bonafide.model.accounts.organizations import World
from bonafide.model.entity import Address
from bonafide.model.entry import RegistryEntry, SourceKind
from bonafide.model.loading import LoadRecord
from bonafide.model.records.business_record import BusinessRecord
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
from bonafide.services.indexing.index_documents import format_address_line
from bonafide.services.records import business_records
from bonafide.sources.framework.discovery import Source
from bonafide.store.database.engine import Connection as DatabaseConnection
from bonafide.store.records import business_traits

MAX_TRAITS = 100
"""The most people, addresses, phones and websites of a record that are compared."""
MAX_ADDRESSES = 5
"""The most addresses that are looked up in the registers: each costs a search in every register."""
MAX_CANDIDATES = 500
"""The most entries of a register that are read for one address."""
MIN_ADDRESS_SCORE = 0.5
"""Below this rough score an entry lacks the number, the street or the place."""
MAX_LISTED = 10
_SAME_NAME = Message("Same name. Equal names do not show that it is the same person.")
_NO_DATA = Message("No data of this source is loaded.")


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
class _FoundRecords:
    """The records that share one trait: how many, and the first of them."""

    count: int = 0
    listed: tuple[ConnectedRecord, ...] = ()


async def read_connections(runtime: Runtime, organization_id: UUID, world: World, business_id: UUID) -> BusinessConnections:
    """What the record shares with others. Raises `NotFound` for an unknown business."""
    async with runtime.store.read() as connection:
        record = await business_records.load_record(connection, organization_id, business_id, None)
        traits = list_record_traits(record)
        compared = traits[:MAX_TRAITS]
        records = await _find_records(connection, organization_id, business_id, compared)
    with runtime.compute_for(organization_id):
        entries, coverage = await run_cpu_bound(_find_entries, runtime, world, record, compared)
    found = [_build_connection(trait, records.get(trait, _FoundRecords()), entries.get(trait)) for trait in compared]
    shared = [one for one in found if one.counts.records or one.counts.entries]
    return BusinessConnections(
        business_id=business_id,
        connections=tuple(sorted(shared, key=lambda one: one.level is AddressLevel.BUILDING)),
        not_compared=len(traits) - len(compared),
        coverage=coverage,
    )


def _build_connection(trait: SharedTrait, records: _FoundRecords, entries: _FoundEntries | None) -> Connection:
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


async def _find_records(
    connection: DatabaseConnection, organization_id: UUID, business_id: UUID, traits: Sequence[SharedTrait]
) -> dict[SharedTrait, _FoundRecords]:
    keys = {key for trait in traits for key in trait.keys}
    shared = await business_traits.list_shared(connection, organization_id, business_id, keys)
    found = {}
    for trait in traits:
        if not shared.isdisjoint(trait.keys):
            documents, count = await business_traits.list_others(connection, organization_id, business_id, trait.keys, MAX_LISTED)
            others = map(BusinessRecord.model_validate_json, documents)
            found[trait] = _FoundRecords(count, tuple(_to_connected_record(other) for other in others))
    return found


def _to_connected_record(record: BusinessRecord) -> ConnectedRecord:
    names = (record.name, record.external_id, record.registration_number)
    name = next((name for name in names if name is not None), str(record.id))
    return ConnectedRecord(id=record.id, name=name, is_archived=record.is_archived)


# ------------------------------------------------------------------------------------------------------------- entries


def _find_entries(
    runtime: Runtime, world: World, record: BusinessRecord, traits: Sequence[SharedTrait]
) -> tuple[Mapping[SharedTrait, _FoundEntries], tuple[ConnectionCoverage, ...]]:
    """The entries at the addresses of the traits, in every loaded register, and which registers were compared."""
    places: dict[Address, list[SharedTrait]] = {}
    for trait in traits:
        if trait.address is not None:
            places.setdefault(trait.address, []).append(trait)
    looked_up = dict(list(places.items())[:MAX_ADDRESSES])
    found = {trait: _FoundEntries() for own in looked_up.values() for trait in own}
    registers = [source for source in runtime.sources.values() if source.metadata.kind is SourceKind.REGISTRY]
    coverage = [
        _search_register(runtime, world, source, looked_up, found, _list_own_numbers(record))
        for source in sorted(registers, key=lambda source: source.key)
    ]
    is_searched = any(row.status is ConnectionCheckStatus.SEARCHED for row in coverage)
    return found if is_searched else {}, tuple(coverage)


def _list_own_numbers(record: BusinessRecord) -> frozenset[str]:
    """The keys of the record's own numbers, by which its own entries are recognized."""
    numbers = (record.registration_number, record.business_number, *(number.value for number in record.registrations))
    return frozenset(key for number in numbers if number is not None for key in build_number_keys(number))


def _search_register(
    runtime: Runtime,
    world: World,
    source: Source,
    places: Mapping[Address, Sequence[SharedTrait]],
    found: Mapping[SharedTrait, _FoundEntries],
    own_numbers: frozenset[str],
) -> ConnectionCoverage:
    """Add the entries of one register to what is found."""
    metadata = source.metadata
    status, note, load = ConnectionCheckStatus.SEARCHED, None, None
    try:
        generation = runtime.generations[world].current(source.key)
    except SegmentCorrupt as error:
        status, note = ConnectionCheckStatus.FAILED, error.message
    else:
        if generation is None:
            status, note = ConnectionCheckStatus.NOT_AVAILABLE, _NO_DATA
        else:
            load = generation.manifest
            for address, traits in places.items():
                _search_address(generation, source, address, [(trait, found[trait]) for trait in traits], own_numbers)
    return ConnectionCoverage(
        source=source.key,
        jurisdiction=metadata.jurisdiction,
        status=status,
        as_of=load.day if load is not None else None,
        note=note,
    )


def _search_address(
    generation: Generation[LoadRecord],
    source: Source,
    address: Address,
    found: Sequence[tuple[SharedTrait, _FoundEntries]],
    own_numbers: frozenset[str],
) -> None:
    hits = generation.index.search(create_address_query(format_address_line(address)), MAX_CANDIDATES, floor=MIN_ADDRESS_SCORE)
    if len(hits) == MAX_CANDIDATES:
        for _, entries in found:
            entries.is_minimum = True
    for hit in hits:
        entry = RegistryEntry.model_validate_json(generation.index.payload(hit.document))
        if any(build_number_keys(number.value) & own_numbers for number in entry.registration_numbers):
            continue
        keys = list_address_keys(entry.addresses)
        for trait, entries in found:
            if not keys.isdisjoint(trait.keys):
                entries.add(entry, source, generation.manifest)
