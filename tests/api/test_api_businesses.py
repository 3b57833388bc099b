"""Business records on the wire."""

import json
from collections.abc import MutableMapping
from typing import Any
from urllib.parse import quote
from uuid import uuid4

import httpx2
import pytest

from bonafide.api.description.components import load_examples
from bonafide.model.records.business_input import BusinessUpsert
from bonafide.model.records.business_record import BusinessRecord, CallerFields
from tests.support.api.clients import ManualClock, NewClient, NewKey
from tests.support.databases import ON_SQLITE_ONLY

pytestmark = pytest.mark.anyio
EXAMPLE: dict[str, Any] = load_examples()["business_upsert"]["value"] | {"expectedUpdatedAt": None}


async def stored(client: httpx2.AsyncClient, **fields: Any) -> dict[str, Any]:
    answer = await client.post("/v1/businesses", json=fields)
    assert answer.status_code in {200, 201}, answer.text
    business: dict[str, Any] = answer.json()["business"]
    return business


async def feed(client: httpx2.AsyncClient, query: str = "") -> Any:
    answer = await client.get(f"/v1/businesses{query}")
    assert answer.status_code == 200, answer.text
    return answer.json()


def names(page: Any) -> list[str]:
    return [business["name"] for business in page["businesses"]]


def refused(answer: httpx2.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


@pytest.mark.parametrize("method", ["POST", "PUT"])
async def test_a_record_is_created_with_201_and_changed_with_200(north: httpx2.AsyncClient, method: str) -> None:
    created = await north.request(method, "/v1/businesses", json=EXAMPLE)
    changed = await north.request(method, "/v1/businesses", json={"externalId": "crm-1042", "city": "Ottawa"})
    assert (created.status_code, changed.status_code) == (201, 200)
    before, after = created.json()["business"], changed.json()["business"]
    assert after["address"] == before["address"] | {"city": "Ottawa"}
    assert after["updatedAt"] > before["updatedAt"]
    unchanged = {name: value for name, value in before.items() if name not in {"address", "updatedAt"}}
    assert after.items() >= unchanged.items()


@pytest.mark.parametrize(
    ("path", "body", "field"),
    [
        ("/v1/businesses", {"name": "Acme\u202ecnI"}, "name"),
        ("/v1/businesses", {"operatingNames": ["Acme", "Ac\u200bme"]}, "operatingNames.1"),
        ("/v1/businesses", {"name": "Acme", "people": [{"name": "Jane\u2066 Doe"}]}, "people.0.name"),
        ("/v1/businesses", {"name": "Acme", "city": "Otta\u00adwa"}, "city"),
        ("/v1/verify", {"legalName": "Acme\u202e", "jurisdiction": "ON", "registrationNumber": "1000017"}, "legalName"),
    ],
)
@ON_SQLITE_ONLY
async def test_invisible_characters_are_refused(north: httpx2.AsyncClient, path: str, body: dict[str, Any], field: str) -> None:
    answer = await north.post(path, json=body)
    assert refused(answer) == (400, "VALIDATION_ERROR")
    [problem] = answer.json()["details"]
    assert (problem["path"], "must not contain invisible characters (U+" in problem["message"]) == (field, True)


async def test_the_record_has_every_field_of_the_contract(north: httpx2.AsyncClient) -> None:
    business = await stored(north, name="Acme", people=[{"name": "Ada Lovelace", "role": "Director"}])
    assert set(business) == {
        *("id", "externalId", "name", "operatingNames", "jurisdiction", "registrationNumber", "businessNumber", "entityType"),
        *("registryStatus", "incorporationDate", "incorporationYear", "registrations", "address", "addresses", "people", "website"),
        *("additionalWebsites", "phoneNumber", "email", "industry", "industryCategory", "naicsCode", "naicsCodeName"),
        *("businessDescription", "originationDate", "notes", "isMonitored", "isArchived", "sourceEntityType", "sourceUrls"),
        *("verificationStatus", "lastVerifiedAt", "lastVerificationJobId", "latestVerificationId", "hasUnresolvedDiscrepancies"),
        *("lastSearchedAt", "lastSearchJobId", "lastScreenedAt", "createdAt", "updatedAt", "monitoring", "risk"),
    }
    assert set(business["address"]) == {"label", "street", "unit", "city", "province", "postalCode", "country"}
    assert business["people"] == [{"name": "Ada Lovelace", "roles": ["Director"], "email": None, "isMonitored": True}]


def test_every_field_of_a_record_is_taken_back_and_only_the_callers_count() -> None:
    taken = set(BusinessUpsert.model_fields)
    assert set(BusinessRecord.model_fields) <= taken
    read_only = {name for name, field in BusinessUpsert.model_fields.items() if field.exclude}
    assert read_only | {"id"} == set(BusinessRecord.model_fields) - set(CallerFields.model_fields)


async def test_a_record_that_was_read_can_be_sent_back(north: httpx2.AsyncClient, clock: ManualClock) -> None:
    before = await stored(north, **EXAMPLE)
    clock.move(seconds=1)
    answer = await north.put("/v1/businesses", json=before)
    assert (answer.status_code, answer.json()["business"]) == (200, before)


async def test_a_record_with_a_name_only_is_read_changed_and_sent_back(
    north: httpx2.AsyncClient, south: httpx2.AsyncClient, clock: ManualClock
) -> None:
    before = await stored(north, name="Acme")
    clock.move(seconds=1)
    read = (await north.get(f"/v1/businesses/{before['id']}")).raise_for_status().json()["business"]
    change = {**read, "name": "Acme Inc.", "expectedUpdatedAt": read["updatedAt"]}
    answer = await north.put("/v1/businesses", json=change)
    assert (answer.status_code, answer.json()["business"]["id"], answer.json()["business"]["name"]) == (
        200,
        read["id"],
        "Acme Inc.",
    )
    assert refused(await north.put("/v1/businesses", json=change)) == (409, "STALE_WRITE")
    assert refused(await south.put("/v1/businesses", json=change)) == (404, "NOT_FOUND")
    assert names(await feed(north)) == ["Acme Inc."]


async def test_an_id_and_the_identifiers_of_another_record_are_a_conflict(north: httpx2.AsyncClient) -> None:
    one = await stored(north, name="Acme")
    await stored(north, name="Zenith", externalId="crm-2", jurisdiction="ON", registrationNumber="1000017")
    for other in ({"externalId": "crm-2"}, {"jurisdiction": "ON", "registrationNumber": "1000017"}):
        assert refused(await north.post("/v1/businesses", json={"id": one["id"], **other})) == (409, "CONFLICT")
    renamed = await stored(north, id=one["id"], externalId="crm-1")
    assert (renamed["id"], renamed["externalId"]) == (one["id"], "crm-1")
    unknown = await north.post("/v1/businesses", json={"id": str(uuid4()), "name": "Acme"})
    assert refused(unknown) == (404, "NOT_FOUND")


async def test_a_misspelt_field_is_refused_by_name(north: httpx2.AsyncClient) -> None:
    answer = await north.post("/v1/businesses", json={"name": "Acme", "registrationNumbr": "7"})
    assert refused(answer) == (400, "VALIDATION_ERROR")
    assert answer.json()["details"] == [
        {"path": "registrationNumbr", "message": "unknown field 'registrationNumbr'; did you mean 'registrationNumber'?"}
    ]


@pytest.mark.parametrize(
    ("fields", "path"),
    [
        ({}, "name"),
        ({"name": "Acme", "people": [{"name": "Ada", "email": 7}]}, "people.0.email"),
        ({"name": "Acme", "jurisdiction": "Atlantis"}, "jurisdiction"),
        ({"name": "Acme", "expectedUpdatedAt": "yesterday"}, "expectedUpdatedAt"),
        ({"name": "Acme", "id": "crm-1"}, "id"),
    ],
)
@ON_SQLITE_ONLY
async def test_what_is_no_record_is_refused(north: httpx2.AsyncClient, fields: dict[str, Any], path: str) -> None:
    answer = await north.post("/v1/businesses", json=fields)
    assert refused(answer) == (400, "VALIDATION_ERROR")
    assert answer.json()["details"][0]["path"] == path


async def test_another_version_is_a_stale_write(north: httpx2.AsyncClient) -> None:
    before = await stored(north, externalId="crm-1")
    await stored(north, externalId="crm-1", name="Acme")
    stale = {"externalId": "crm-1", "name": "Acme Inc.", "expectedUpdatedAt": before["updatedAt"]}
    assert refused(await north.post("/v1/businesses", json=stale)) == (409, "STALE_WRITE")
    assert (await feed(north))["businesses"][0]["name"] == "Acme"


async def test_ids_of_two_records_are_a_conflict(north: httpx2.AsyncClient) -> None:
    await stored(north, externalId="crm-1")
    await stored(north, jurisdiction="ON", registrationNumber="1000017", externalId="crm-2")
    both = {"externalId": "crm-1", "jurisdiction": "ON", "registrationNumber": "1000017"}
    assert refused(await north.post("/v1/businesses", json=both)) == (409, "CONFLICT")


async def test_a_post_with_an_idempotency_key_is_done_once(north: httpx2.AsyncClient) -> None:
    answers = [await north.post("/v1/businesses", json={"name": "Acme"}, headers={"Idempotency-Key": "one"}) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [201, 201]
    assert answers[0].json() == answers[1].json()
    assert len((await feed(north))["businesses"]) == 1


class TestFeed:
    async def test_pages_follow_the_cursor_which_is_there_to_the_end(self, north: httpx2.AsyncClient) -> None:
        for number in range(3):
            await stored(north, externalId=str(number), name=f"Acme {number}")
        first = await feed(north, "?limit=2")
        assert (names(first), first["pagination"]) == (["Acme 0", "Acme 1"], {"limit": 2, "hasMore": True})
        last = await feed(north, f"?limit=2&cursor={first['cursor']['next']}")
        assert (names(last), last["pagination"]) == (["Acme 2"], {"limit": 2, "hasMore": False})
        await stored(north, externalId="0", name="Acme again")
        assert names(await feed(north, f"?cursor={last['cursor']['next']}")) == ["Acme again"]

    async def test_a_page_has_25_unless_asked_for_another(self, north: httpx2.AsyncClient) -> None:
        assert (await feed(north))["pagination"] == {"limit": 25, "hasMore": False}

    @pytest.mark.parametrize("name", ["updated_since", "updatedSince"])
    async def test_since_is_strictly_after_and_the_cursor_counts_more(self, north: httpx2.AsyncClient, name: str) -> None:
        first, second = [await stored(north, name=one) for one in ("One", "Two")]
        assert names(await feed(north, f"?{name}={first['updatedAt']}")) == ["Two"]
        assert names(await feed(north, f"?{name}={second['updatedAt']}")) == []
        start = (await feed(north, f"?{name}={first['updatedAt']}"))["cursor"]["next"]
        await stored(north, name="Three")
        assert names(await feed(north, f"?cursor={start}&{name}=2020-01-01T00:00:00Z")) == ["Three"]

    @pytest.mark.parametrize("offset", ["+00:00", quote("+00:00"), "-05:00", "Z"])
    async def test_since_takes_any_offset_escaped_or_not(self, north: httpx2.AsyncClient, offset: str) -> None:
        await stored(north, name="Acme")
        assert names(await feed(north, f"?updated_since=2026-11-20T05:00:00.000{offset}")) == ["Acme"]

    async def test_filters(self, north: httpx2.AsyncClient) -> None:
        for name, flags in (("One", {}), ("Two", {"isArchived": True}), ("Three", {"isMonitored": True})):
            await stored(north, externalId=name, name=name, **flags)
        assert names(await feed(north, "?external_id=Two")) == names(await feed(north, "?externalId=Two")) == ["Two"]
        assert names(await feed(north, "?archived=false")) == ["One", "Three"]
        assert names(await feed(north, "?archived=true")) == ["Two"]
        assert names(await feed(north, "?monitored=true")) == ["Three"]

    @pytest.mark.parametrize(
        ("query", "path"),
        [
            ("limit=0", "limit"),
            ("limit=101", "limit"),
            ("cursor=nonsense", "cursor"),
            ("cursor=", "cursor"),
            ("updated_since=yesterday", "updated_since"),
            ("updated_since=2026-11-20T05:00:00", "updated_since"),
            ("updated_since=0001-01-01T00:00:00%2B23:59", "updated_since"),
            ("archived=yes", "archived"),
            ("updated_since=2026-11-20T05:00:00Z&updatedSince=2026-11-20T05:00:00Z", "updatedSince"),
            ("external_id=a&externalId=a", "externalId"),
            ("offset=1", "offset"),
        ],
    )
    @ON_SQLITE_ONLY
    async def test_what_is_no_query_is_refused(self, north: httpx2.AsyncClient, query: str, path: str) -> None:
        answer = await north.get(f"/v1/businesses?{query}")
        assert refused(answer) == (400, "VALIDATION_ERROR")
        assert answer.json()["details"][0]["path"] == path


async def test_a_record_and_its_trail_are_read_by_id(north: httpx2.AsyncClient) -> None:
    created = await north.post("/v1/businesses", json={"externalId": "crm-1", "name": "Acme"}, headers={"X-Request-Id": "mine"})
    business = created.json()["business"]
    assert (await north.get(f"/v1/businesses/{business['id']}")).json() == {"business": business}
    trail = (await north.get(f"/v1/businesses/{business['id']}/audit?limit=1&offset=1")).json()
    assert trail["pagination"] == {"total": 2, "limit": 1, "offset": 1, "hasMore": False}
    (entry,) = trail["entries"]
    assert set(entry) == {"id", "at", "actor", "requestId", "field", "old", "new", "hash"}
    assert (entry["requestId"], entry["field"], entry["old"], entry["new"]) == ("mine", "name", None, "Acme")
    assert (entry["actor"], entry["at"]) == ("api@north.invalid", business["updatedAt"])


@pytest.mark.parametrize("path", ["", "/audit"])
async def test_nobody_else_sees_a_record(north: httpx2.AsyncClient, south: httpx2.AsyncClient, path: str) -> None:
    business = await stored(north, externalId="crm-1")
    assert refused(await south.get(f"/v1/businesses/{business['id']}{path}")) == (404, "NOT_FOUND")
    assert refused(await north.get(f"/v1/businesses/{uuid4()}{path}")) == (404, "NOT_FOUND")
    assert refused(await north.get(f"/v1/businesses/crm-1{path}")) == (400, "VALIDATION_ERROR")
    assert (await feed(south))["businesses"] == []


async def test_reading_and_writing_take_their_own_scopes(new_client: NewClient, new_key: NewKey) -> None:
    reader = await new_client(await new_key(scopes=["businesses:read"]))
    writer = await new_client(await new_key(scopes=["businesses:write"]))
    assert refused(await reader.post("/v1/businesses", json={"name": "Acme"})) == (403, "UNAUTHORIZED")
    business = await stored(writer, name="Acme")
    assert names(await feed(reader)) == ["Acme"]
    for path in ("", f"/{business['id']}", f"/{business['id']}/audit"):
        assert refused(await writer.get(f"/v1/businesses{path}")) == (403, "UNAUTHORIZED")


async def test_no_personal_data_is_logged(north: httpx2.AsyncClient, logged: list[MutableMapping[str, Any]]) -> None:
    secret = {"name": "Zanzibar Ltd.", "people": [{"name": "Ada Lovelace", "email": "ada@north.example"}], "notes": "owes us"}
    await stored(north, externalId="crm-1", **secret)
    await north.post("/v1/businesses", json={"externalId": "crm-1", "expectedUpdatedAt": "2020-01-01T00:00:00Z", **secret})
    await north.post("/v1/businesses", json={**secret, "unknown": "Lovelace"})
    await feed(north, "?external_id=Zanzibar")
    text = json.dumps([dict(event) for event in logged], default=str)
    assert logged
    assert not [word for word in ("Zanzibar", "Lovelace", "ada@", "owes us") if word in text]


class TestSearchByReference:
    async def test_the_search_says_which_record_it_is_of(self, north: httpx2.AsyncClient) -> None:
        business = await stored(north, externalId="crm-1", name="Acme", city="Toronto", registrationNumber="7")
        for reference in ({"businessId": business["id"]}, {"businessExternalId": "crm-1"}):
            answer = await north.post("/v1/search", json=reference)
            submitted = answer.json()["meta"]["submitted"]
            assert (answer.status_code, submitted["name"], submitted["businessId"]) == (200, "Acme", business["id"])
            assert submitted["params"]["registrationNumber"] == "7"
        record = (await north.get(f"/v1/businesses/{business['id']}")).json()["business"]
        assert record["lastSearchJobId"] == answer.json()["meta"]["searchId"]

    async def test_unknown_foreign_and_contradicting_references(self, north: httpx2.AsyncClient, south: httpx2.AsyncClient) -> None:
        one, _ = await stored(north, externalId="crm-1", name="Acme"), await stored(north, externalId="crm-2", name="Zenith")
        assert refused(await north.post("/v1/search", json={"businessExternalId": "crm-9"})) == (404, "NOT_FOUND")
        assert refused(await south.post("/v1/search", json={"businessId": one["id"]})) == (404, "NOT_FOUND")
        both = {"businessId": one["id"], "businessExternalId": "crm-2"}
        assert refused(await north.post("/v1/search", json=both)) == (400, "VALIDATION_ERROR")
