"""What a business record shares with other records and with entries of registers."""

from typing import Any
from uuid import UUID, uuid4

import pytest

from bonafide.errors import NotFound
from bonafide.model.accounts.organizations import Principal, World
from bonafide.model.entity import Address, RegistrationNumber
from bonafide.model.entry import RegistryEntry
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
from bonafide.runtime import Runtime
from bonafide.services.lookup import connections
from bonafide.services.records import business_records
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


async def test_what_was_not_compared_is_counted(empty_runtime: Runtime, north: Principal) -> None:
    people = [{"name": f"Ada {'abcdefghij'[n // 10]}{'abcdefghij'[n % 10]}"} for n in range(100)]
    own = await stored(empty_runtime, north, people=people, phoneNumber="416 555 0123")
    assert (await read(empty_runtime, north, own)).not_compared == 1


# ------------------------------------------------------------------------------------------------------------- entries


def registered(number: str, street: str | None, jurisdiction: Jurisdiction = Jurisdiction.ON) -> RegistryEntry:
    address = Address(street=street, city="Toronto", province="ON", postal_code="M5X 1A9")
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
    assert (building.counts.entries, building.counts.entries_is_minimum) == (20, True)
    assert len(building.entries) == connections.MAX_LISTED


async def test_a_business_of_the_sandbox_and_its_neighbours(runtime: Runtime, north: Principal) -> None:
    own = await stored(runtime, north, **KING, unit="200", jurisdiction="ON", registrationNumber="1000017")
    found = await read(runtime, north, own)
    assert "1000017" not in {entry.registration_number for one in found.connections for entry in one.entries}
    statuses = {row.source: row.status for row in found.coverage}
    assert statuses["on"] is ConnectionCheckStatus.SEARCHED


async def test_an_unknown_record_is_not_found(empty_runtime: Runtime, north: Principal) -> None:
    with pytest.raises(NotFound):
        await connections.read_connections(empty_runtime, north.organization_id, World.SANDBOX, UUID(int=7))
