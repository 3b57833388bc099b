"""Upsert: which record is meant, what changes and what does not, what is refused, and what this service itself notes of it."""

import json
from datetime import timedelta
from itertools import pairwise
from typing import Any
from uuid import UUID, uuid4

import pytest
from pydantic import ValidationError

from bonafide.errors import ApiError, Conflict, NotFound, StaleWrite, ValidationFailed
from bonafide.model.records.business_input import BusinessUpsert
from bonafide.model.records.business_record import Author, BusinessRecord, SystemFields, VerificationStatus
from bonafide.runtime import Runtime
from bonafide.services.records import change_feed
from bonafide.services.records.audit_check import verify_audit_log
from bonafide.services.records.business_records import (
    RecordEdit,
    UpsertResult,
    apply_edits,
    build_natural_key,
    find_record,
    record_system_fields,
)
from tests.support.services.business_records import AUTHOR, body, page, send, sent, trail
from tests.support.services.runtimes import ManualClock, principal_of

pytestmark = pytest.mark.anyio
SYSTEM = Author("system:test")


@pytest.fixture
def runtime(empty_runtime: Runtime) -> Runtime:
    return empty_runtime


@pytest.fixture
async def north(runtime: Runtime) -> UUID:
    return (await principal_of(runtime, "north")).organization_id


@pytest.fixture
async def south(runtime: Runtime) -> UUID:
    return (await principal_of(runtime, "south")).organization_id


class TestWhichRecordIsMeant:
    async def test_a_new_external_id_makes_a_record_and_the_same_one_changes_it(self, runtime: Runtime, north: UUID) -> None:
        first = await send(runtime, north, externalId="crm-1", name="Acme")
        second = await send(runtime, north, externalId="crm-1", name="Acme Inc.")
        assert (first.created, second.created) == (True, False)
        assert (second.record.id, second.record.name) == (first.record.id, "Acme Inc.")

    @pytest.mark.parametrize(("jurisdiction", "number"), [("ON", "1000017"), ("ontario", "100 0017"), ("Ontario", "001000017")])
    async def test_without_one_the_registration_finds_the_record_in_any_spelling(
        self, runtime: Runtime, north: UUID, jurisdiction: str, number: str
    ) -> None:
        first = await sent(runtime, north, jurisdiction="ON", registrationNumber="1000017")
        second = await send(runtime, north, jurisdiction=jurisdiction, registrationNumber=number, name="Acme")
        assert (second.created, second.record.id) == (False, first.id)

    async def test_the_same_number_in_another_register_is_another_record(self, runtime: Runtime, north: UUID) -> None:
        await sent(runtime, north, jurisdiction="ON", registrationNumber="1000017")
        assert (await send(runtime, north, jurisdiction="FED", registrationNumber="1000017")).created

    async def test_the_external_id_counts_more_than_the_registration(self, runtime: Runtime, north: UUID) -> None:
        record = await sent(runtime, north, externalId="crm-1", jurisdiction="ON", registrationNumber="1000017")
        moved = await send(runtime, north, externalId="crm-1", jurisdiction="BC", registrationNumber="BC0772006")
        assert (moved.created, moved.record.id, moved.record.jurisdiction) == (False, record.id, "BC")
        assert (await send(runtime, north, jurisdiction="ON", registrationNumber="1000017")).created, "the old number is free again"

    async def test_a_record_found_by_registration_is_given_its_external_id(self, runtime: Runtime, north: UUID) -> None:
        record = await sent(runtime, north, jurisdiction="ON", registrationNumber="1000017")
        named = await send(runtime, north, externalId="crm-1", jurisdiction="ON", registrationNumber="1000017")
        assert (named.created, named.record.id, named.record.external_id) == (False, record.id, "crm-1")

    async def test_ids_of_two_records_are_a_conflict(self, runtime: Runtime, north: UUID) -> None:
        await sent(runtime, north, externalId="crm-1")
        await sent(runtime, north, externalId="crm-2", jurisdiction="ON", registrationNumber="1000017")
        with pytest.raises(Conflict):
            await send(runtime, north, externalId="crm-1", jurisdiction="ON", registrationNumber="1000017")

    async def test_a_registration_of_a_record_with_another_external_id_is_a_conflict(self, runtime: Runtime, north: UUID) -> None:
        await sent(runtime, north, externalId="crm-1", jurisdiction="ON", registrationNumber="1000017")
        with pytest.raises(Conflict):
            await send(runtime, north, externalId="crm-9", jurisdiction="ON", registrationNumber="1000017")

    async def test_a_record_can_not_move_to_the_registration_of_another(self, runtime: Runtime, north: UUID) -> None:
        await sent(runtime, north, externalId="crm-1", jurisdiction="ON", registrationNumber="1000017")
        await sent(runtime, north, externalId="crm-2", jurisdiction="BC", registrationNumber="1000017")
        with pytest.raises(Conflict):
            await send(runtime, north, externalId="crm-2", jurisdiction="ON")

    async def test_a_number_that_may_be_that_of_two_records_is_a_conflict(self, runtime: Runtime, north: UUID) -> None:
        await sent(runtime, north, jurisdiction="PE", registrationNumber="835752437")
        await sent(runtime, north, jurisdiction="PE", registrationNumber="123456")
        with pytest.raises(Conflict):
            await send(runtime, north, jurisdiction="PE", registrationNumber="835752437 - 123456")

    async def test_the_external_id_can_be_cleared_and_used_by_another(self, runtime: Runtime, north: UUID) -> None:
        first = await sent(runtime, north, externalId="crm-1", jurisdiction="ON", registrationNumber="1000017")
        cleared = await sent(runtime, north, externalId=None, jurisdiction="ON", registrationNumber="1000017")
        assert (cleared.id, cleared.external_id) == (first.id, None)
        assert (await send(runtime, north, externalId="crm-1")).created

    @pytest.mark.parametrize(
        "fields", [{"name": "Acme"}, {"externalId": "crm-1"}, {"jurisdiction": "ON", "registrationNumber": "7"}]
    )
    async def test_a_new_record_needs_one_thing_that_tells_it_from_others(
        self, runtime: Runtime, north: UUID, fields: dict[str, Any]
    ) -> None:
        assert (await send(runtime, north, **fields)).created

    @pytest.mark.parametrize(
        "fields", [{}, {"city": "Toronto"}, {"jurisdiction": "ON"}, {"registrationNumber": "7"}, {"name": None}, {"notes": "x"}]
    )
    async def test_without_any_it_is_refused(self, runtime: Runtime, north: UUID, fields: dict[str, Any]) -> None:
        with pytest.raises(ValidationFailed) as refused:
            await send(runtime, north, **fields)
        assert refused.value.details[0].path == "name"
        assert (await page(runtime, north)).businesses == ()

    async def test_a_number_longer_than_an_index_takes_is_a_number_all_the_same(self, runtime: Runtime, north: UUID) -> None:
        number = "ﷺ" * 100
        first = await sent(runtime, north, jurisdiction="ON", registrationNumber=number)
        assert (await sent(runtime, north, jurisdiction="ON", registrationNumber=number, name="Acme")).id == first.id
        assert build_natural_key(None, "7") is None

    async def test_organizations_have_records_of_their_own(self, runtime: Runtime, north: UUID, south: UUID) -> None:
        mine = await sent(runtime, north, externalId="crm-1", jurisdiction="ON", registrationNumber="1000017")
        theirs = await send(runtime, south, externalId="crm-1", jurisdiction="ON", registrationNumber="1000017")
        assert theirs.created
        assert theirs.record.id != mine.id
        with pytest.raises(NotFound):
            await find_record(runtime, south, business_id=mine.id)
        with pytest.raises(NotFound):
            await change_feed.read_audit_log(runtime, south, mine.id, 10, 0)
        with pytest.raises(NotFound):
            await find_record(runtime, south, business_id=mine.id)


FULL: dict[str, Any] = {
    "externalId": "crm-1",
    "name": "Boulangerie Éclair Inc.",
    "operatingNames": ["Éclair", "Éclair Café"],
    "jurisdiction": "QC",
    "registrationNumber": "1160000017",
    "businessNumber": "100000009RC0001",
    "entityType": "Corporation",
    "registryStatus": "Active",
    "incorporationDate": "2011-05-12",
    "incorporationYear": 2011,
    "registrations": [{"label": "NEQ", "value": "1160000017", "jurisdiction": "QC"}],
    "street": "1 rue Principale",
    "unit": "200",
    "city": "Montréal",
    "province": "QC",
    "postalCode": "H2X 1Y4",
    "country": "CA",
    "addressLabel": "siège",
    "addresses": [{"street": "2 rue Sainte", "city": "Laval", "type": "mailing", "label": "mailing", "unit": "3"}],
    "people": [{"name": "Ada Lovelace", "role": "Director", "roles": ["President", "Director"], "email": "ada@north.example"}],
    "website": "https://eclair.example",
    "additionalWebsites": ["https://eclair.shop.example"],
    "phoneNumber": "+1 514 555 0100",
    "email": "bonjour@eclair.example",
    "industry": "Bakeries",
    "industryCategory": "Food",
    "naicsCode": "311811",
    "naicsCodeName": "Retail bakeries",
    "businessDescription": "Bread.\nAnd cake.",
    "originationDate": "2026-01-05T10:00:00Z",
    "notes": "Calls\ton Mondays",
    "isMonitored": True,
    "isArchived": False,
}


class TestSeveralAtOnce:
    async def test_what_is_refused_changes_nothing_and_the_others_stand(self, runtime: Runtime, north: UUID) -> None:
        first, conflict, stale, second = await several(
            runtime,
            north,
            {"externalId": "crm-1", "jurisdiction": "ON", "registrationNumber": "1000017"},
            {"externalId": "crm-2", "jurisdiction": "ON", "registrationNumber": "1000017", "notes": "Never kept"},
            {"externalId": "crm-1", "notes": "Never kept", "expectedUpdatedAt": "2020-01-01T00:00:00Z"},
            {"externalId": "crm-1", "notes": "Kept"},
        )
        assert isinstance(first, UpsertResult)
        assert isinstance(second, UpsertResult)
        assert isinstance(conflict, Conflict)
        assert isinstance(stale, StaleWrite)
        assert (first.created, second.created, second.changed) == (True, False, True)
        assert (await find_record(runtime, north, external_id="crm-1")).notes == "Kept"
        assert (await verify_audit_log(runtime, north, None)).is_whole

    async def test_their_instants_follow_each_other(self, runtime: Runtime, north: UUID) -> None:
        kept = await several(runtime, north, *({"name": f"Business {number}"} for number in range(5)))
        instants = [one.record.updated_at for one in kept if isinstance(one, UpsertResult)]
        assert len(set(instants)) == 5
        assert instants == sorted(instants)


async def several(runtime: Runtime, organization_id: UUID, *bodies: dict[str, Any]) -> list[UpsertResult | ApiError]:
    return await apply_edits(runtime, organization_id, [RecordEdit(BusinessUpsert.model_validate(body)) for body in bodies], AUTHOR)


class TestWhatChanges:
    async def test_everything_that_is_sent_is_kept(self, runtime: Runtime, north: UUID) -> None:
        record = json.loads((await sent(runtime, north, **FULL)).to_json())
        address = {part: FULL[part] for part in ("street", "unit", "city", "province", "postalCode", "country")}
        expected = {name: value for name, value in FULL.items() if name not in address}
        expected["address"] = {**address, "label": expected.pop("addressLabel")}
        ada = {"name": "Ada Lovelace", "roles": ["Director", "President"], "email": "ada@north.example", "isMonitored": True}
        expected["people"] = [ada]
        kept = {name: record[name] for name in expected}
        assert kept["addresses"][0].items() >= FULL["addresses"][0].items()
        assert kept | {"addresses": None} == expected | {"addresses": None}
        assert (record["verificationStatus"], record["hasUnresolvedDiscrepancies"]) == ("unverified", False)
        assert record["createdAt"] == record["updatedAt"]

    async def test_absent_leaves_a_field_and_null_clears_it(self, runtime: Runtime, north: UUID) -> None:
        before = await sent(runtime, north, **FULL)
        after = await sent(
            runtime, north, externalId="crm-1", notes=None, people=None, isMonitored=None, website="https://new.example"
        )
        changed = {"notes": None, "people": (), "is_monitored": False, "website": "https://new.example"}
        assert after == before.model_copy(update={**changed, "updated_at": after.updated_at})

    @pytest.mark.parametrize("field", [name for name in FULL if name not in {"externalId", "isArchived", "isMonitored"}])
    async def test_every_field_can_be_cleared(self, runtime: Runtime, north: UUID, field: str) -> None:
        await sent(runtime, north, **FULL)
        record = json.loads((await sent(runtime, north, externalId="crm-1", **{field: None})).to_json())
        part = "label" if field == "addressLabel" else field
        assert (record["address"][part] if part in record["address"] else record[field]) in (None, [])

    async def test_the_address_is_taken_as_an_object_too_part_by_part(self, runtime: Runtime, north: UUID) -> None:
        record = await sent(runtime, north, name="Acme", externalId="crm-1", address={"city": "Toronto", "street": "1 King St"})
        assert (record.address.city, record.address.street) == ("Toronto", "1 King St")
        record = await sent(runtime, north, externalId="crm-1", address={"street": None}, postalCode="M5V 1A1", city="Ottawa")
        assert (record.address.street, record.address.postal_code, record.address.city) == (None, "M5V 1A1", "Ottawa")
        record = await sent(runtime, north, externalId="crm-1", address={"city": "Toronto"}, city="Hull")
        assert record.address.city == "Hull"
        record = await sent(runtime, north, externalId="crm-1", address=None)
        assert set(record.address.model_dump().values()) == {None}

    async def test_a_record_that_was_read_can_be_sent_back_and_changes_nothing(
        self, runtime: Runtime, north: UUID, clock: ManualClock
    ) -> None:
        before = await sent(runtime, north, **FULL)
        clock.advance(seconds=5)
        returned = json.loads(before.to_json()) | {"verificationStatus": "verified", "updatedAt": 7}
        after = await send(runtime, north, **returned)
        assert (after.created, after.record) == (False, before)

    async def test_a_change_of_nothing_leaves_the_instant_and_the_trail_alone(
        self, runtime: Runtime, north: UUID, clock: ManualClock
    ) -> None:
        before = await sent(runtime, north, externalId="crm-1", name="Acme", jurisdiction="ON", registrationNumber="1000017")
        recorded = await trail(runtime, north, before.id)
        clock.advance(seconds=5)
        after = await sent(runtime, north, externalId="crm-1", name=" Acme ", jurisdiction="Ontario", isArchived=False, notes=None)
        assert after == before
        assert await trail(runtime, north, before.id) == recorded


class TestInstants:
    async def test_they_increase_within_the_organization_when_the_clock_stands_still(self, runtime: Runtime, north: UUID) -> None:
        records = [await sent(runtime, north, name=f"Acme {n}") for n in range(4)]
        steps = [later.updated_at - earlier.updated_at for earlier, later in pairwise(records)]
        assert steps == [timedelta(milliseconds=1)] * 3

    async def test_and_when_it_is_set_back(self, runtime: Runtime, north: UUID, clock: ManualClock) -> None:
        before = await sent(runtime, north, externalId="crm-1")
        clock.advance(hours=-3)
        assert (await sent(runtime, north, externalId="crm-1", name="Acme")).updated_at > before.updated_at

    async def test_they_are_whole_milliseconds_as_they_go_out(self, runtime: Runtime, north: UUID, clock: ManualClock) -> None:
        clock.now = clock.now.replace(microsecond=123_999)
        record = await sent(runtime, north, name="Acme")
        assert record.updated_at.microsecond == 123_000
        assert record == BusinessRecord.model_validate_json(record.to_json())


class TestVersions:
    async def test_the_version_that_was_read_may_be_changed(self, runtime: Runtime, north: UUID) -> None:
        read = json.loads((await sent(runtime, north, externalId="crm-1")).to_json())
        after = await sent(runtime, north, externalId="crm-1", name="Acme", expectedUpdatedAt=read["updatedAt"])
        assert after.name == "Acme"

    async def test_another_version_is_a_stale_write_even_if_nothing_would_change(self, runtime: Runtime, north: UUID) -> None:
        read = json.loads((await sent(runtime, north, externalId="crm-1")).to_json())
        await sent(runtime, north, externalId="crm-1", name="Acme")
        with pytest.raises(StaleWrite):
            await send(runtime, north, externalId="crm-1", name="Acme", expectedUpdatedAt=read["updatedAt"])

    async def test_a_version_of_a_record_that_is_not_there_is_stale_too(self, runtime: Runtime, north: UUID) -> None:
        with pytest.raises(StaleWrite):
            await send(runtime, north, externalId="crm-1", expectedUpdatedAt="2026-11-20T14:33:00Z")
        assert (await page(runtime, north)).businesses == ()

    async def test_null_expects_nothing(self, runtime: Runtime, north: UUID) -> None:
        assert (await send(runtime, north, externalId="crm-1", expectedUpdatedAt=None)).created


@pytest.mark.parametrize(
    "fields",
    [
        {"naem": "Acme"},
        {"name": "—"},
        {"name": "A" * 301},
        {"name": "Acme\x00"},
        {"notes": "a\x00b"},
        {"notes": "a" * 10_001},
        {"jurisdiction": "Atlantis"},
        {"incorporationDate": "2011-02-30"},
        {"incorporationDate": "May 2011"},
        {"incorporationYear": 20111},
        {"incorporationYear": "2011"},
        {"isMonitored": "true"},
        {"email": "nobody"},
        {"people": [{"role": "Director"}]},
        {"people": [{"name": "Ada", "age": 36}]},
        {"address": {"town": "Toronto"}},
        {"addresses": [{"city": 7}]},
        {"registrations": [{"label": "BN"}]},
        {"operatingNames": ["A"] * 101},
        {"expectedUpdatedAt": "2026-11-20T14:33:00"},
        {"expectedUpdatedAt": "0001-01-01T00:00:00+23:59"},
    ],
    ids=str,
)
def test_what_is_no_record_is_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        body(**fields)


@pytest.mark.parametrize("day", ["2011", "2011-05", "2011-05-12", "2011-05-12T08:00:00Z"])
def test_a_day_is_taken_as_exactly_as_it_is_known(day: str) -> None:
    assert body(incorporationDate=day).incorporation_date == day


class TestTrail:
    async def test_every_changed_field_is_in_it_with_who_and_in_which_request(self, runtime: Runtime, north: UUID) -> None:
        record = await sent(runtime, north, externalId="crm-1", name="Acme", city="Toronto", operatingNames=["Acme Foods"])
        await sent(runtime, north, externalId="crm-1", name="Acme Inc.", city=None, operatingNames=[], isArchived=True)
        assert await trail(runtime, north, record.id) == [
            ("externalId", None, "crm-1"),
            ("name", None, "Acme"),
            ("operatingNames", [], ["Acme Foods"]),
            ("address.city", None, "Toronto"),
            ("name", "Acme", "Acme Inc."),
            ("operatingNames", ["Acme Foods"], []),
            ("address.city", "Toronto", None),
            ("isArchived", False, True),
        ]
        entries = (await change_feed.read_audit_log(runtime, north, record.id, 100, 0)).entries
        assert {(entry.actor, entry.request_id) for entry in entries} == {(AUTHOR.actor, AUTHOR.request_id)}
        assert [entry.id for entry in entries] == list(range(1, 9))
        assert entries[0].at == record.updated_at

    async def test_it_is_read_in_stretches(self, runtime: Runtime, north: UUID) -> None:
        record = await sent(runtime, north, externalId="crm-1", name="Acme", city="Toronto")
        stretch = await change_feed.read_audit_log(runtime, north, record.id, 2, 1)
        assert [entry.field for entry in stretch.entries] == ["name", "address.city"]
        assert (stretch.pagination.total, stretch.pagination.has_more) == (3, False)
        assert (await change_feed.read_audit_log(runtime, north, record.id, 2, 0)).pagination.has_more

    async def test_what_was_refused_is_not_in_it(self, runtime: Runtime, north: UUID) -> None:
        record = await sent(runtime, north, externalId="crm-1")
        with pytest.raises(StaleWrite):
            await send(runtime, north, externalId="crm-1", name="Acme", expectedUpdatedAt="2026-01-01T00:00:00Z")
        assert await trail(runtime, north, record.id) == [("externalId", None, "crm-1")]


class TestFinding:
    async def test_by_either_id_or_both(self, runtime: Runtime, north: UUID) -> None:
        record = await sent(runtime, north, externalId="crm-1")
        assert await find_record(runtime, north, business_id=record.id) == record
        assert await find_record(runtime, north, external_id="crm-1") == record
        assert await find_record(runtime, north, business_id=record.id, external_id="crm-1") == record

    async def test_an_unknown_one_is_not_found(self, runtime: Runtime, north: UUID) -> None:
        record = await sent(runtime, north, externalId="crm-1")
        with pytest.raises(NotFound):
            await find_record(runtime, north, business_id=uuid4())
        with pytest.raises(NotFound):
            await find_record(runtime, north, business_id=record.id, external_id="crm-9")

    async def test_ids_of_two_records_are_refused(self, runtime: Runtime, north: UUID) -> None:
        record = await sent(runtime, north, externalId="crm-1")
        await sent(runtime, north, externalId="crm-2")
        with pytest.raises(ValidationFailed):
            await find_record(runtime, north, business_id=record.id, external_id="crm-2")


class TestSystemFields:
    async def noted(self, runtime: Runtime, north: UUID, record: BusinessRecord, **fields: Any) -> BusinessRecord:
        async with runtime.store.write() as connection:
            return await record_system_fields(connection, north, record.id, SystemFields(**fields), SYSTEM, runtime.clock())

    async def test_only_those_that_are_given_are_set_and_the_callers_stay(
        self, runtime: Runtime, north: UUID, clock: ManualClock
    ) -> None:
        record = await sent(runtime, north, **FULL)
        clock.advance(seconds=1)
        first = await self.noted(
            runtime, north, record, verification_status=VerificationStatus.VERIFIED, last_verified_at=clock.now
        )
        second = await self.noted(runtime, north, record, has_unresolved_discrepancies=True)
        given = {"verification_status": "verified", "last_verified_at": clock.now, "has_unresolved_discrepancies": True}
        assert second == record.model_copy(update={**given, "updated_at": second.updated_at})
        assert record.updated_at < first.updated_at < second.updated_at
        assert await find_record(runtime, north, business_id=record.id) == second

    async def test_they_are_in_the_trail_as_changes_of_the_system(self, runtime: Runtime, north: UUID) -> None:
        record = await sent(runtime, north, externalId="crm-1")
        await self.noted(runtime, north, record, has_unresolved_discrepancies=True)
        entry = (await change_feed.read_audit_log(runtime, north, record.id, 10, 0)).entries[-1]
        assert (entry.actor, entry.request_id, entry.field) == ("system:test", None, "hasUnresolvedDiscrepancies")
        assert (entry.old, entry.new) == (False, True)

    async def test_noting_what_is_known_changes_nothing(self, runtime: Runtime, north: UUID, clock: ManualClock) -> None:
        record = await sent(runtime, north, externalId="crm-1")
        clock.advance(seconds=1)
        assert await self.noted(runtime, north, record, has_unresolved_discrepancies=False) == record

    async def test_a_foreign_record_is_not_found(self, runtime: Runtime, north: UUID, south: UUID) -> None:
        record = await sent(runtime, north, externalId="crm-1")
        with pytest.raises(NotFound):
            await self.noted(runtime, south, record, has_unresolved_discrepancies=True)
