"""What a business record shares with other records and with entries of registers."""

from dataclasses import replace
from typing import Any
from uuid import UUID, uuid4

import pytest

from bonafide.errors import NotFound
from bonafide.matching.connections.connection_keys import list_address_keys
from bonafide.model.accounts.organizations import Principal, World
from bonafide.model.entity import Address, RegistrationNumber
from bonafide.model.entry import RegistryEntry, SourceKind
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.records.business_input import BusinessUpsert
from bonafide.model.records.business_record import Author, BusinessRecord
from bonafide.model.records.connections import (
    AddressLevel,
    BusinessConnections,
    Connection,
    ConnectionCheckStatus,
    ConnectionKind,
)
from bonafide.runtime import Runtime, build_generation_stores
from bonafide.services.lookup import connections
from bonafide.services.records import business_records
from bonafide.sources.framework.discovery import Source
from bonafide.store.records import business_traits
from bonafide.store.tenants import audit_log
from tests.support.services.loading import put

pytestmark = pytest.mark.anyio
AUTHOR = Author("ann@north.example", "request-7")
KING = {"street": "100 King Street West", "city": "Toronto", "province": "ON", "postalCode": "M5X 1A9"}


async def stored(runtime: Runtime, principal: Principal, **fields: Any) -> BusinessRecord:
    request = BusinessUpsert.model_validate({"externalId": uuid4().hex, **fields})
    return (await business_records.upsert(runtime, principal.organization_id, request, AUTHOR)).record


async def read(runtime: Runtime, principal: Principal, record: BusinessRecord) -> BusinessConnections:
    return await connections.read_connections(runtime, principal.organization_id, World.SANDBOX, record.id)


def names(found: BusinessConnections) -> dict[tuple[ConnectionKind, AddressLevel | None], list[str]]:
    return {(one.kind, one.level): sorted(record.name for record in one.records) for one in found.connections}


def only(found: BusinessConnections, kind: ConnectionKind, level: AddressLevel | None = None) -> Connection:
    (one,) = [one for one in found.connections if (one.kind, one.level) == (kind, level)]
    return one


async def test_records_share_people_addresses_phones_and_websites(empty_runtime: Runtime, north: Principal) -> None:
    own = await stored(
        empty_runtime,
        north,
        name="Own",
        **KING,
        unit="200",
        people=[{"name": "Ada Okafor", "role": "Director"}],
        phoneNumber="416 555 0123",
        website="https://own.example",
    )
    await stored(empty_runtime, north, name="Suite", addresses=[{"raw": "200-100 King St W, Toronto ON M5X 1A9"}])
    await stored(empty_runtime, north, name="Tower", **KING, unit="300", isArchived=True)
    await stored(empty_runtime, north, name="Person", people=[{"name": "OKAFOR, Ada", "role": "Treasurer"}])
    await stored(empty_runtime, north, name="Phone", phoneNumber="+1-416-555-0123")
    await stored(empty_runtime, north, name="Site", additionalWebsites=["http://www.own.example/shop"])
    await stored(empty_runtime, north, name="Stranger", street="1 Elm St", city="Perth", province="ON")
    found = await read(empty_runtime, north, own)
    assert names(found) == {
        (ConnectionKind.DIRECTOR, None): ["Person"],
        (ConnectionKind.ADDRESS, AddressLevel.UNIT): ["Suite"],
        (ConnectionKind.ADDRESS, AddressLevel.BUILDING): ["Suite", "Tower"],
        (ConnectionKind.PHONE, None): ["Phone"],
        (ConnectionKind.WEBSITE, None): ["Site"],
    }
    assert found.connections[-1].level is AddressLevel.BUILDING
    assert [record.is_archived for record in found.connections[-1].records if record.name == "Tower"] == [True]


async def test_equal_names_are_called_no_more_than_that(empty_runtime: Runtime, north: Principal) -> None:
    own = await stored(empty_runtime, north, people=[{"name": "Ada Okafor"}])
    await stored(empty_runtime, north, people=[{"name": "Ada Okafor"}])
    one = only(await read(empty_runtime, north, own), ConnectionKind.DIRECTOR)
    assert one.note == "Same name. Equal names do not show that it is the same person."


async def test_without_any_register_entries_are_unknown_and_not_none(empty_runtime: Runtime, north: Principal) -> None:
    own = await stored(empty_runtime, north, **KING)
    await stored(empty_runtime, north, **KING)
    found = await read(empty_runtime, north, own)
    assert only(found, ConnectionKind.ADDRESS, AddressLevel.BUILDING).counts.entries is None
    assert {row.status for row in found.coverage} == {ConnectionCheckStatus.NOT_AVAILABLE}
    assert {row.note for row in found.coverage} == {"No data of this source is loaded."}


async def test_a_change_of_a_record_changes_what_it_shares(empty_runtime: Runtime, north: Principal) -> None:
    own = await stored(empty_runtime, north, phoneNumber="416 555 0123")
    other = await stored(empty_runtime, north, externalId="other", phoneNumber="416 555 0123", notes="x")
    assert only(await read(empty_runtime, north, own), ConnectionKind.PHONE).counts.records == 1
    await stored(empty_runtime, north, externalId="other", notes="y")
    assert only(await read(empty_runtime, north, other), ConnectionKind.PHONE).records[0].id == own.id
    await stored(empty_runtime, north, externalId="other", phoneNumber=None)
    assert (await read(empty_runtime, north, own)).connections == ()


async def test_another_organizations_records_are_neither_counted_nor_read(
    empty_runtime: Runtime, north: Principal, south: Principal
) -> None:
    own = await stored(empty_runtime, north, phoneNumber="416 555 0123", **KING)
    await stored(empty_runtime, south, phoneNumber="416 555 0123", **KING)
    assert (await read(empty_runtime, north, own)).connections == ()
    with pytest.raises(NotFound):
        await read(empty_runtime, south, own)


async def test_many_records_are_counted_and_some_listed(empty_runtime: Runtime, north: Principal) -> None:
    own = await stored(empty_runtime, north, phoneNumber="416 555 0123")
    for _ in range(connections.MAX_LISTED + 2):
        await stored(empty_runtime, north, phoneNumber="416 555 0123")
    one = only(await read(empty_runtime, north, own), ConnectionKind.PHONE)
    assert (one.counts.records, len(one.records)) == (connections.MAX_LISTED + 2, connections.MAX_LISTED)


async def test_a_record_with_many_people_is_compared_as_a_whole(empty_runtime: Runtime, north: Principal) -> None:
    people = [{"name": f"Ada {'abcdefghij'[n // 10]}{'abcdefghij'[n % 10]}"} for n in range(100)]
    shared = {**KING, "phoneNumber": "416 555 0123", "website": "https://own.example"}
    own = await stored(empty_runtime, north, people=people, **shared)
    await stored(empty_runtime, north, name="Other", people=people[-1:], **shared)
    assert names(await read(empty_runtime, north, own)) == {
        (ConnectionKind.DIRECTOR, None): ["Other"],
        (ConnectionKind.ADDRESS, AddressLevel.BUILDING): ["Other"],
        (ConnectionKind.PHONE, None): ["Other"],
        (ConnectionKind.WEBSITE, None): ["Other"],
    }


async def test_keys_of_an_earlier_release_are_repaired_by_an_update(empty_runtime: Runtime, north: Principal) -> None:
    own = await stored(empty_runtime, north, externalId="own", phoneNumber="416 555 0123")
    other = await stored(empty_runtime, north, phoneNumber="416 555 0123")
    async with empty_runtime.store.write() as connection:
        await audit_log.lock_head(connection, north.organization_id)
        await business_traits.replace(connection, north.organization_id, own.id, {"f" * 32})
    assert (await read(empty_runtime, north, other)).connections == ()
    await stored(empty_runtime, north, externalId="own", notes="Called")
    assert only(await read(empty_runtime, north, other), ConnectionKind.PHONE).records[0].id == own.id


# ------------------------------------------------------------------------------------------------------------- entries


def registered(
    number: str, street: str | None, jurisdiction: Jurisdiction = Jurisdiction.ON, *, postal_code: str = "M5X 1A9"
) -> RegistryEntry:
    address = Address(street=street, city="Toronto", province="ON", postal_code=postal_code)
    return RegistryEntry(
        entry_id=number,
        jurisdiction=jurisdiction,
        legal_name=f"Business {number} Inc.",
        registration_numbers=(RegistrationNumber(label="Number", value=number),),
        addresses=(address,),
    )


async def test_entries_of_registers_are_found_by_unit_and_by_building(empty_runtime: Runtime, north: Principal) -> None:
    put(
        empty_runtime,
        "on",
        world=World.SANDBOX,
        entries=[
            registered("1000001", "100 King St W, Suite 200"),
            registered("1000002", "200-100 King Street West"),
            registered("1000003", "100 King Street West, Suite 300"),
            registered("1000004", "102 King Street West, Suite 200"),
            registered("1000005", None),
        ],
    )
    own = await stored(empty_runtime, north, **KING, unit="200", jurisdiction="ON", registrationNumber="1000001")
    found = await read(empty_runtime, north, own)
    unit, building = [only(found, ConnectionKind.ADDRESS, level) for level in AddressLevel]
    assert [(entry.registration_number, entry.source, entry.jurisdiction) for entry in unit.entries] == [
        ("1000002", "on", Jurisdiction.ON)
    ]
    assert {entry.registration_number for entry in building.entries} == {"1000002", "1000003"}
    assert (unit.counts.entries, building.counts.entries, building.counts.entries_is_minimum) == (1, 2, False)
    searched = {row.source: row.as_of for row in found.coverage if row.status is ConnectionCheckStatus.SEARCHED}
    assert list(searched) == ["on"]
    assert searched["on"] is not None


async def test_a_mail_drop_is_counted_up_to_the_limit(
    empty_runtime: Runtime, north: Principal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "MAX_CANDIDATES", 20)
    put(empty_runtime, "on", [registered(str(2_000_000 + n), f"100 King St W, Suite {n}") for n in range(60)], World.SANDBOX)
    own = await stored(empty_runtime, north, **KING, unit="7")
    found = await read(empty_runtime, north, own)
    unit, building = [only(found, ConnectionKind.ADDRESS, level) for level in AddressLevel]
    assert (unit.counts.entries, unit.entries[0].registration_number) == (1, "2000007")
    assert 20 <= (building.counts.entries or 0) < 60
    assert building.counts.entries_is_minimum
    assert len(building.entries) == connections.MAX_LISTED


async def test_a_list_that_is_cut_by_entries_with_several_addresses_is_a_minimum(
    empty_runtime: Runtime, north: Principal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "MAX_CANDIDATES", 50)
    addresses = tuple(registered("1", f"100 King St W, Floor {n}").addresses[0] for n in range(1, 4))
    entries = [registered(str(2_000_000 + n), None).model_copy(update={"addresses": addresses}) for n in range(200)]
    put(empty_runtime, "on", entries, World.SANDBOX)
    own = await stored(empty_runtime, north, **KING)
    building = only(await read(empty_runtime, north, own), ConnectionKind.ADDRESS, AddressLevel.BUILDING)
    assert (building.counts.entries or 0) < len(entries)
    assert building.counts.entries_is_minimum


async def test_the_entries_that_are_read_for_a_record_are_limited(
    empty_runtime: Runtime, north: Principal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "MAX_READ_ENTRIES", 3)
    put(empty_runtime, "on", [registered(str(2_000_000 + n), "100 King St W") for n in range(5)], World.SANDBOX)
    own = await stored(empty_runtime, north, **KING)
    counts = only(await read(empty_runtime, north, own), ConnectionKind.ADDRESS, AddressLevel.BUILDING).counts
    assert (counts.entries, counts.entries_is_minimum) == (3, True)


async def test_entries_with_much_other_text_in_their_address_are_found(empty_runtime: Runtime, north: Principal) -> None:
    firm, attention = "c/o Osler Hoskin & Harcourt LLP", "Attention: Accounts Payable Department"
    put(
        empty_runtime,
        "on",
        [
            registered("1000001", "100 King St W"),
            registered("1000002", f"{firm}, 100 King Street West, Suite 200"),
            registered("1000003", f"{attention}, 100 King Street West"),
            *[registered(str(2_000_000 + n), f"{n} King Street West", postal_code="M5V 2T6") for n in range(101, 300)],
        ],
        World.SANDBOX,
    )
    own = await stored(empty_runtime, north, **{**KING, "street": f"{firm}, {attention}, 100 King Street West"})
    counts = only(await read(empty_runtime, north, own), ConnectionKind.ADDRESS, AddressLevel.BUILDING).counts
    assert (counts.entries, counts.entries_is_minimum) == (3, False)


async def test_a_damaged_register_is_reported_and_its_entries_are_unknown(empty_runtime: Runtime, north: Principal) -> None:
    put(empty_runtime, "on", [registered("1000001", "100 King St W")], World.SANDBOX)
    (payload,) = (empty_runtime.generations[World.SANDBOX].root / "on" / "segments").glob("*/payload.bin")
    payload.unlink()
    restarted = replace(empty_runtime, generations=build_generation_stores(empty_runtime.settings.data_dir))
    own = await stored(empty_runtime, north, **KING)
    await stored(empty_runtime, north, **KING)
    found = await read(restarted, north, own)
    assert only(found, ConnectionKind.ADDRESS, AddressLevel.BUILDING).counts.entries is None
    assert {row.source: row.status for row in found.coverage}["on"] is ConnectionCheckStatus.FAILED


async def test_addresses_after_the_fifth_are_counted_and_not_searched(empty_runtime: Runtime, north: Principal) -> None:
    put(empty_runtime, "on", [registered(str(1_000_000 + n), f"{n} King Street West") for n in range(1, 8)], World.SANDBOX)
    streets = [{**KING, "street": f"{n} King Street West"} for n in range(1, 8)]
    own = await stored(empty_runtime, north, addresses=streets)
    await stored(empty_runtime, north, name="Sixth", **streets[5])
    found = await read(empty_runtime, north, own)
    assert found.addresses_not_searched == 2
    assert [(one.value.split(",")[0], one.counts.records, one.counts.entries) for one in found.connections] == [
        *[(f"{n} King Street West", 0, 1) for n in range(1, 6)],
        ("6 King Street West", 1, None),
    ]


@pytest.mark.parametrize(
    ("own", "jurisdiction", "number", "entries"),
    [
        ({"jurisdiction": "ON", "registrationNumber": "1000001"}, Jurisdiction.ON, "1000001", 1),
        ({"jurisdiction": "BC", "registrationNumber": "1000001"}, Jurisdiction.ON, "1000001", 2),
        ({"registrations": [{"value": "1000001", "jurisdiction": "Ontario"}]}, Jurisdiction.ON, "1000001", 1),
        ({"registrations": [{"value": "1000001", "jurisdiction": "City of Toronto"}]}, Jurisdiction.ON, "1000001", 2),
        ({"businessNumber": "100000009"}, Jurisdiction.ON, "100000009RC0001", 1),
        ({"registrations": [{"value": "100000009RT0001", "jurisdiction": "FED"}]}, Jurisdiction.ON, "100000009", 1),
        ({"businessNumber": "1000001"}, Jurisdiction.ON, "1000001", 2),
    ],
    ids=str,
)
async def test_only_the_entries_of_the_record_itself_are_not_counted(
    empty_runtime: Runtime, north: Principal, own: dict[str, Any], jurisdiction: Jurisdiction, number: str, entries: int
) -> None:
    put(empty_runtime, "on", [registered(one, "100 King St W", jurisdiction) for one in (number, "1000002")], World.SANDBOX)
    record = await stored(empty_runtime, north, **KING, **own)
    building = only(await read(empty_runtime, north, record), ConnectionKind.ADDRESS, AddressLevel.BUILDING)
    assert building.counts.entries == entries


async def test_two_spellings_of_a_building_are_one_connection(empty_runtime: Runtime, north: Principal) -> None:
    put(empty_runtime, "on", [registered("1000001", "100 King St W")], World.SANDBOX)
    by_code = {"raw": "100 King St W M5X 1A9"}
    own = await stored(empty_runtime, north, **KING, addresses=[by_code, {**KING, "street": "100 King W St"}])
    found = await read(empty_runtime, north, own)
    assert [(one.level, one.counts.entries) for one in found.connections] == [(AddressLevel.BUILDING, 1)]


async def test_the_entries_of_the_sandbox_at_an_address_are_all_found(runtime: Runtime, north: Principal) -> None:
    """They are those that a comparison with every entry of every register finds."""
    keys = list_address_keys([Address(street="200-100 King Street West", city="Toronto", province="ON", postal_code="M5X 1A9")])
    everywhere = [entry for source in runtime.sources.values() for entry in list_entries(runtime, source)]
    there = {
        (entry.jurisdiction, entry.registration_numbers[0].value)
        for entry in everywhere
        if not keys.isdisjoint(list_address_keys(entry.addresses))
    }
    assert (Jurisdiction.ON, "1000017") in there
    for number, expected in (("1", there), ("1000017", there - {(Jurisdiction.ON, "1000017")})):
        record = await stored(runtime, north, **KING, unit="200", jurisdiction="ON", registrationNumber=number)
        found = await read(runtime, north, record)
        listed = {(entry.jurisdiction, entry.registration_number) for one in found.connections for entry in one.entries}
        assert listed == expected
        assert {row.source: row.status for row in found.coverage}["on"] is ConnectionCheckStatus.SEARCHED


def list_entries(runtime: Runtime, source: Source) -> list[RegistryEntry]:
    generation = runtime.generations[World.SANDBOX].current(source.key)
    if source.metadata.kind is not SourceKind.REGISTRY or generation is None:
        return []
    index = generation.index
    return [RegistryEntry.model_validate_json(index.payload(document)) for document in index.documents()]


async def test_an_unknown_record_is_not_found(empty_runtime: Runtime, north: Principal) -> None:
    with pytest.raises(NotFound):
        await connections.read_connections(empty_runtime, north.organization_id, World.SANDBOX, UUID(int=7))
