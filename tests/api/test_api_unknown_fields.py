"""Unknown fields of a body: refused by default, ignored with a `Warning` header for a lenient key."""

import json
from typing import Any

import httpx2
import pytest

from bonafide.api.protocol.unknown_fields import format_warning
from tests.support.api.clients import NewClient, NewKey
from tests.support.api.responses import refused_fields

pytestmark = pytest.mark.anyio
RECORD = {"externalId": "crm-1", "name": "Acme Inc."}


@pytest.fixture
async def lenient(new_client: NewClient, new_key: NewKey) -> httpx2.AsyncClient:
    return await new_client(await new_key(lenient=True))


async def stored(client: httpx2.AsyncClient, **fields: Any) -> httpx2.Response:
    return await client.post("/v1/businesses", json={**RECORD, **fields})


async def test_a_key_refuses_unknown_fields_by_default(north: httpx2.AsyncClient) -> None:
    answer = await stored(north, customerTier="gold")
    assert refused_fields(answer) == {"customerTier": "unknown field 'customerTier'"}
    assert "Warning" not in answer.headers


async def test_a_lenient_key_is_answered_as_if_the_field_were_absent(lenient: httpx2.AsyncClient) -> None:
    plain = await stored(lenient)
    answer = await stored(lenient, customerTier="gold")
    assert (answer.status_code, answer.json()) == (200, plain.json())
    assert answer.headers["Warning"] == '299 - "Unknown field ignored: $.customerTier"'
    assert "Warning" not in plain.headers


async def test_fields_inside_objects_and_lists_are_named_by_their_paths(lenient: httpx2.AsyncClient) -> None:
    people = [{"name": "Ann Roy", "role": "Director"}, {"name": "Bo Li", "role": "Director", "middleName": "X", "email": None}]
    answer = await stored(lenient, people=people, address={"street": "1 Main St", "floor": 2}, tier=1)
    assert answer.status_code == 201, answer.text
    assert answer.headers["Warning"] == '299 - "Unknown fields ignored: $.address.floor, $.people[1].middleName, $.tier"'
    assert [person["name"] for person in answer.json()["business"]["people"]] == ["Ann Roy", "Bo Li"]


async def test_a_wrong_value_is_refused_and_the_unknown_fields_are_named_beside_it(lenient: httpx2.AsyncClient) -> None:
    answer = await lenient.post("/v1/search", json={"name": "Acme", "limit": "many", "tier": 1})
    assert list(refused_fields(answer)) == ["limit"]
    assert answer.headers["Warning"] == '299 - "Unknown field ignored: $.tier"'


async def test_a_field_that_is_required_stays_so(lenient: httpx2.AsyncClient) -> None:
    answer = await lenient.post("/v1/sanctions", json={"nmae": "Acme"})
    assert answer.status_code == 400
    assert answer.headers["Warning"] == '299 - "Unknown field ignored: $.nmae"'


async def test_a_field_twice_in_an_object_is_no_json_for_any_key(lenient: httpx2.AsyncClient) -> None:
    answer = await lenient.post(
        "/v1/search", content=b'{"name": "Acme", "x": 1, "x": 2}', headers={"Content-Type": "application/json"}
    )
    assert (answer.status_code, answer.json()["code"]) == (400, "INVALID_JSON")


async def test_unknown_parameters_of_the_query_are_refused_for_any_key(lenient: httpx2.AsyncClient) -> None:
    assert (await lenient.get("/v1/businesses", params={"colour": "red"})).status_code == 400


async def test_thousands_of_unknown_fields_make_a_short_header(lenient: httpx2.AsyncClient) -> None:
    answer = await stored(lenient, **{f"field{number}" + "x" * 200: 1 for number in range(3000)})
    assert answer.status_code == 201
    assert len(answer.headers["Warning"]) < 1000
    assert answer.headers["Warning"].endswith(' and 2990 more"')


async def test_a_repeated_request_has_the_same_warning(lenient: httpx2.AsyncClient) -> None:
    for path, body in (
        ("/v1/businesses", {**RECORD, "tier": 1}),  # stored with its effect
        ("/v1/search", {"name": "Acme", "tier": 1}),  # bound to its effect
        ("/v1/search", {"name": "Acme", "limit": "many", "tier": 1}),  # refused
        ("/v1/pdf", {"searchId": "6f1c2a0e-8f5d-4c55-9d0a-2f6f4b8f3a11", "tier": 1}),  # not found
    ):
        key = {"Idempotency-Key": json.dumps(body)[:200]}
        first, second = [await lenient.post(path, json=body, headers=key) for _ in range(2)]
        assert second.headers["Idempotent-Replayed"] == "true"
        assert first.headers["Warning"] == second.headers["Warning"] == '299 - "Unknown field ignored: $.tier"'


async def test_a_large_body_is_parsed_in_the_same_way(lenient: httpx2.AsyncClient) -> None:
    answer = await stored(lenient, notes="n" * 900, operatingNames=[f"Name {number}" for number in range(50)], padding="x" * 20_000)
    assert (answer.status_code, answer.headers["Warning"]) == (201, '299 - "Unknown field ignored: $.padding"')


async def test_any_name_makes_a_header_of_printable_ascii(lenient: httpx2.AsyncClient) -> None:
    for name in ('a"b', "a\\b", "it's", "é", "\r\nX-Evil: 1", "\x00\x7f", "😀", "", " ", "a.b", "$", "__proto__"):
        answer = await stored(lenient, **{name: 1})
        assert answer.status_code in {200, 201}, name
        warning = answer.headers["Warning"]
        assert warning.isascii(), name
        assert warning.isprintable(), name
        assert "X-Evil" not in answer.headers


def test_the_text_is_a_quoted_string() -> None:
    assert format_warning(["$['a\"b']"]) == '299 - "Unknown field ignored: $[\'a\\"b\']"'
    assert format_warning([f"$.f{n}" for n in range(12)]).endswith('$.f9 and 2 more"')
