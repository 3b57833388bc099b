"""Ownership on the wire: statements of claimants, their roll-up, their audit log, and nobody else's."""

import asyncio
from typing import Any
from uuid import uuid4

import httpx2
import pytest

from tests.support.api.clients import NewClient, NewKey

pytestmark = pytest.mark.anyio


async def create_business(client: httpx2.AsyncClient) -> str:
    answer = await client.post("/v1/businesses", json={"name": "Sandbox Bakery Inc."})
    business_id: str = answer.json()["business"]["id"]
    return business_id


def build_statement(business_id: str, **changes: Any) -> dict[str, Any]:
    """Jane has 60% of a holding that has 50% of the business; the other owner is unknown."""
    return {
        "asOf": "2026-11-01",
        "parties": [
            {"id": "business", "kind": "business", "name": "Sandbox Bakery Inc.", "businessId": business_id},
            {"id": "holding", "kind": "business", "name": "Holding Ltd."},
            {"id": "jane", "kind": "person", "name": "Jane Doe"},
        ],
        "interests": [
            {"id": "1", "owner": "holding", "owned": "business", "kind": "shares", "share": {"exact": 0.5}},
            {"id": "2", "owner": "jane", "owned": "holding", "kind": "shares", "share": {"exact": 0.6}},
        ],
    } | changes


async def put(client: httpx2.AsyncClient, business_id: str, **changes: Any) -> httpx2.Response:
    return await client.put(f"/v1/businesses/{business_id}/ownership", json=build_statement(business_id, **changes))


async def test_a_statement_is_recorded_rolled_up_and_read_again(north: httpx2.AsyncClient) -> None:
    business_id = await create_business(north)
    put_answer = await put(north, business_id)
    assert put_answer.status_code == 200, put_answer.text
    ownership = put_answer.json()
    assert (await north.get(f"/v1/businesses/{business_id}/ownership")).json() == ownership
    (owner,) = ownership["beneficialOwners"]
    assert (owner["party"], owner["share"], owner["controlled"]) == ("jane", {"min": 0.3, "max": 0.3}, {"min": 0.5, "max": 0.5})
    assert owner["paths"][0]["parties"] == ["jane", "holding", "business"]
    assert ownership["unknownShare"] == {"min": 0.7, "max": 0.7}
    assert ownership["party"] == "business"


async def test_without_a_statement_everything_is_unknown(north: httpx2.AsyncClient) -> None:
    ownership = (await north.get(f"/v1/businesses/{await create_business(north)}/ownership")).json()
    assert (ownership["statements"], ownership["beneficialOwners"], ownership["party"]) == ([], [], None)
    assert ownership["unknownShare"] == {"min": 1, "max": 1}


async def test_a_cycle_of_too_many_parties_is_refused(north: httpx2.AsyncClient) -> None:
    business_id = await create_business(north)
    ring = [{"id": f"ring-{number}", "kind": "business", "name": f"Ring {number} Ltd."} for number in range(101)]
    interests = [
        {
            "id": str(number),
            "owner": f"ring-{number}",
            "owned": f"ring-{(number + 1) % 101}",
            "kind": "shares",
            "share": {"exact": 0.5},
        }
        for number in range(101)
    ]
    business = build_statement(business_id)["parties"][:1]
    answer = await put(north, business_id, parties=[*business, *ring], interests=interests)
    assert answer.status_code == 400
    assert "interests" in answer.text
    accepted = await put(north, business_id, parties=[*business, *ring], interests=interests[:-1])
    assert accepted.status_code == 200, accepted.text


async def test_the_owners_are_screened_and_have_their_chains(north: httpx2.AsyncClient) -> None:
    ownership = (await put(north, await create_business(north))).json()
    parties = {party["name"]: party for party in ownership["screenedParties"]}
    jane = parties["Jane Doe"]
    assert (jane["role"], jane["from"], jane["kind"]) == ("owner", "ownership", "person")
    assert [(step["party"], step["description"]) for step in jane["ownershipPath"]] == [
        ("jane", "Jane Doe has 60% of the shares of Holding Ltd."),
        ("holding", "Holding Ltd. has 50% of the shares of Sandbox Bakery Inc."),
        ("business", None),
    ]
    # No list is loaded.
    assert {party["status"] for party in parties.values()} == {"not_screened"}
    assert ownership["deemedSanctioned"]["status"] == "undetermined"
    assert ownership["deemedSanctionedReason"] == "2 owners could not be screened and may be listed."


async def test_without_the_scope_nobody_is_screened_and_nobody_is_clear(
    new_client: NewClient, new_key: NewKey, north: httpx2.AsyncClient
) -> None:
    business_id = await create_business(north)
    await put(north, business_id)
    reader = await new_client(await new_key(scopes=("businesses:read",)))
    ownership = (await reader.get(f"/v1/businesses/{business_id}/ownership")).json()
    assert (ownership["deemedSanctioned"], ownership["screenedParties"]) == (None, [])
    assert "sanctions:read" in ownership["deemedSanctionedReason"]
    assert len(ownership["beneficialOwners"]) == 1


async def test_each_claimant_has_one_statement(north: httpx2.AsyncClient) -> None:
    business_id = await create_business(north)
    await put(north, business_id)
    await put(north, business_id, claimedBy="registry", declaredBy="ISC register")
    ownership = (await put(north, business_id, declaredBy="Jane Doe")).json()
    statements = [(one["claimedBy"], one["declaredBy"]) for one in ownership["statements"]]
    assert statements == [("declared", "Jane Doe"), ("registry", "ISC register")]
    assert {tuple(party["claimedBy"]) for party in ownership["parties"]} == {("declared", "registry")}
    assert len(ownership["interests"]) == 4


async def test_a_business_has_one_id_whatever_claimants_call_it(north: httpx2.AsyncClient) -> None:
    business_id = await create_business(north)
    await put(north, business_id)
    register = {
        "claimedBy": "registry",
        "parties": [
            {"id": "corporation", "kind": "business", "name": "SANDBOX BAKERY INC.", "businessId": business_id},
            {"id": "jane", "kind": "person", "name": "DOE, Jane"},
        ],
        "interests": [{"id": "1", "owner": "jane", "owned": "corporation", "kind": "shares", "share": {"min": 0.25, "max": 0.5}}],
    }
    ownership = (await put(north, business_id, **register)).json()
    assert [party["id"] for party in ownership["parties"]] == ["business", "holding", "jane"]
    (owner,) = (one for one in ownership["beneficialOwners"] if one["party"] == "jane")
    assert owner["share"] == {"min": 0, "max": 0.8}


async def test_a_statement_without_parties_withdraws(north: httpx2.AsyncClient) -> None:
    business_id = await create_business(north)
    await put(north, business_id)
    assert (await put(north, business_id, parties=[], interests=[])).json()["statements"] == []


async def test_every_change_is_in_the_audit_log(north: httpx2.AsyncClient) -> None:
    business_id = await create_business(north)
    await put(north, business_id)
    await put(north, business_id)
    await put(north, business_id, declaredBy="Jane Doe")
    await put(north, business_id, parties=[], interests=[])
    entries = (await north.get(f"/v1/businesses/{business_id}/audit?limit=100")).json()["entries"]
    changes = [(entry["field"], entry["new"]) for entry in entries if entry["field"].startswith("ownership.")]
    fields = [field.removeprefix("ownership.declared.") for field, _ in changes]
    assert fields == ["asOf", "parties", "interests", "declaredBy", "asOf", "declaredBy", "parties", "interests"]
    assert changes[3] == ("ownership.declared.declaredBy", "Jane Doe")
    assert [new for _, new in changes[4:]] == [None] * 4


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"parties": [{"id": "business", "kind": "business", "name": "Sandbox Bakery Inc."}], "interests": []}, "parties"),
        ({"interests": [{"id": "1", "owner": "nobody", "owned": "business", "kind": "shares"}]}, "interests.0.owner"),
        ({"interests": [{"id": "1", "owner": "holding", "owned": "jane", "kind": "shares"}]}, "interests.0.owned"),
        (
            {"interests": [{"id": "1", "owner": "jane", "owned": "business", "kind": "control", "share": {"exact": 0.5}}]},
            "interests.0.share",
        ),
        (
            {"interests": [{"id": "1", "owner": "jane", "owned": "business", "kind": "shares", "share": {"exact": 25}}]},
            "interests.0.share.exact",
        ),
    ],
)
async def test_an_impossible_statement_is_refused(north: httpx2.AsyncClient, changes: dict[str, Any], field: str) -> None:
    answer = await put(north, await create_business(north), **changes)
    assert (answer.status_code, answer.json()["code"]) == (400, "VALIDATION_ERROR")
    assert [problem["path"] for problem in answer.json()["details"]] == [field]


async def test_a_party_of_two_kinds_is_refused_and_nothing_is_stored(north: httpx2.AsyncClient) -> None:
    business_id = await create_business(north)
    before = (await put(north, business_id)).json()
    parties = build_statement(business_id)["parties"]
    parties[1] |= {"kind": "person"}
    answer = await put(north, business_id, claimedBy="registry", parties=parties, interests=[])
    assert answer.status_code == 400
    assert (await north.get(f"/v1/businesses/{business_id}/ownership")).json() == before


async def test_two_people_of_one_id_are_two_parties_and_both_are_screened(north: httpx2.AsyncClient) -> None:
    business_id = await create_business(north)
    await put(north, business_id)
    parties = [*build_statement(business_id)["parties"][:2], {"id": "jane", "kind": "person", "name": "Listed Oligarch"}]
    ownership = (await put(north, business_id, claimedBy="document", parties=parties)).json()
    names = {party["id"]: party["name"] for party in ownership["parties"] if party["kind"] == "person"}
    assert names == {"jane": "Jane Doe", "jane (document)": "Listed Oligarch"}
    assert {party["name"] for party in ownership["screenedParties"]} == {"Jane Doe", "Listed Oligarch", "Holding Ltd."}
    owners = {owner["party"]: owner["share"] for owner in ownership["beneficialOwners"]}
    assert owners == {"jane": {"min": 0, "max": 0.3}, "jane (document)": {"min": 0, "max": 0.3}}


@pytest.mark.parametrize(
    ("shares", "path"),
    [
        (({"exact": 0.6}, {"min": 0.4, "exclusiveMin": True}), "interests.1.share"),
        (({"exact": 0.5}, {"min": 0.5, "exclusiveMin": True}), "interests.1.share"),
    ],
)
async def test_open_ends_that_need_more_than_everything_are_refused(
    north: httpx2.AsyncClient, shares: tuple[dict[str, Any], dict[str, Any]], path: str
) -> None:
    interests = [
        {"id": owner, "owner": owner, "owned": "business", "kind": "shares", "share": share}
        for owner, share in zip(("holding", "jane"), shares, strict=True)
    ]
    answer = await put(north, await create_business(north), interests=interests)
    assert (answer.status_code, [problem["path"] for problem in answer.json()["details"]]) == (400, [path])


async def test_shares_and_benefits_of_a_trust_count_together(north: httpx2.AsyncClient) -> None:
    business_id = await create_business(north)
    parties = [*build_statement(business_id)["parties"], {"id": "trust", "kind": "trust", "name": "Doe Family Trust"}]
    interests = [
        {"id": "1", "owner": "trust", "owned": "business", "kind": "shares", "share": {"exact": 1}},
        {"id": "2", "owner": "business", "owned": "trust", "kind": "shares", "share": {"exact": 1}},
        {"id": "3", "owner": "jane", "owned": "trust", "kind": "beneficiary", "share": {"exact": 1}},
    ]
    answer = await put(north, business_id, parties=parties, interests=interests)
    assert (answer.status_code, [problem["path"] for problem in answer.json()["details"]]) == (400, ["interests.2.share"])
    assert (await put(north, business_id, parties=parties, interests=interests[:2])).status_code == 200


async def test_statements_that_are_sent_at_once_are_all_recorded(north: httpx2.AsyncClient) -> None:
    business_id = await create_business(north)
    claimants = ("declared", "registry", "document")
    answers = await asyncio.gather(*(put(north, business_id, claimedBy=claimant) for claimant in claimants))
    assert [answer.status_code for answer in answers] == [200] * 3
    ownership = (await north.get(f"/v1/businesses/{business_id}/ownership")).json()
    assert {statement["claimedBy"] for statement in ownership["statements"]} == set(claimants)


async def test_another_organization_neither_reads_nor_writes(north: httpx2.AsyncClient, south: httpx2.AsyncClient) -> None:
    business_id = await create_business(north)
    before = (await put(north, business_id)).json()
    assert (await south.get(f"/v1/businesses/{business_id}/ownership")).status_code == 404
    assert (await put(south, business_id, parties=[], interests=[])).status_code == 404
    assert (await put(south, business_id)).status_code == 404
    assert (await north.get(f"/v1/businesses/{business_id}/ownership")).json() == before


async def test_an_unknown_business_is_not_found(north: httpx2.AsyncClient) -> None:
    assert (await put(north, str(uuid4()))).status_code == 404


async def test_writing_needs_the_scope(new_client: NewClient, new_key: NewKey, north: httpx2.AsyncClient) -> None:
    business_id = await create_business(north)
    reader = await new_client(await new_key(scopes=("businesses:read",)))
    assert (await put(reader, business_id)).status_code == 403
    assert (await reader.get(f"/v1/businesses/{business_id}/ownership")).status_code == 200


async def test_a_diagram_is_an_svg_in_the_language_of_the_request(north: httpx2.AsyncClient) -> None:
    business_id = await create_business(north)
    await put(north, business_id)
    address = f"/v1/businesses/{business_id}/ownership?format=svg"
    drawn = await north.get(address)
    assert (drawn.status_code, drawn.headers["content-type"]) == (200, "image/svg+xml")
    assert drawn.headers["content-security-policy"] == "sandbox"
    assert "Jane Doe" in drawn.text
    french = await north.get(address, headers={"Accept-Language": "fr"})
    assert (french.headers["content-language"], 'lang="fr"' in french.text) == ("fr", True)


async def test_a_diagram_without_a_statement_says_so(north: httpx2.AsyncClient) -> None:
    drawn = await north.get(f"/v1/businesses/{await create_business(north)}/ownership?format=svg")
    assert "Nobody has stated who owns this business" in drawn.text


async def test_an_unknown_format_is_refused(north: httpx2.AsyncClient) -> None:
    answer = await north.get(f"/v1/businesses/{await create_business(north)}/ownership?format=dot")
    assert (answer.status_code, [problem["path"] for problem in answer.json()["details"]]) == (400, ["format"])


async def test_nobody_else_sees_the_diagram(north: httpx2.AsyncClient, south: httpx2.AsyncClient) -> None:
    business_id = await create_business(north)
    await put(north, business_id)
    assert (await south.get(f"/v1/businesses/{business_id}/ownership?format=svg")).status_code == 404


async def test_the_report_of_ownership_is_a_pdf(north: httpx2.AsyncClient, south: httpx2.AsyncClient) -> None:
    business_id = await create_business(north)
    await put(north, business_id)
    wanted = {"ownershipBusinessId": business_id}
    made = await north.post("/v1/pdf", json=wanted)
    assert (made.status_code, made.json()["contentType"]) == (200, "application/pdf")
    again = await north.post("/v1/pdf", json=wanted)
    assert again.json()["documentId"] == made.json()["documentId"]
    await put(north, business_id, declaredBy="Jane Doe")
    assert (await north.post("/v1/pdf", json=wanted)).json()["documentId"] != made.json()["documentId"]
    assert (await south.post("/v1/pdf", json=wanted)).status_code == 404
