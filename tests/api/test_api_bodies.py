import gzip
import json
from collections.abc import AsyncIterator

import httpx2
import pytest

from tests.support.api.responses import assert_error, refused_fields
from tests.support.databases import ON_SQLITE_ONLY

pytestmark = [pytest.mark.anyio, ON_SQLITE_ONLY]
JSON = {"Content-Type": "application/json"}
MIB = 1024 * 1024


async def posted(client: httpx2.AsyncClient, content: bytes, content_type: str = "application/json") -> httpx2.Response:
    return await client.post("/v1/search", content=content, headers={"Content-Type": content_type})


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b" ",
        b"{",
        b"null",
        b"[]",
        b'"text"',
        b"7",
        b"{'name': 'Acme'}",
        b'{"name": "Acme",}',
        b'{"name": "Acme"} {}',
        b'{"name": "Acme", "sanctionsThreshold": NaN}',
        b'{"name": "Acme", "sanctionsThreshold": Infinity}',
        b'{"name": "Acme", "sanctionsThreshold": -Infinity}',
        b"\xff\xfe{\x00}\x00",
        b'\xef\xbb\xbf{"name": "Acme"}',
        b'{"name": "\xe9"}',
        b'{"name": "\\ud800"}',
        b'{"name": "Acme", "sanctionsScreening": true, "sanctionsScreening": false}',
        b"[" * 100_000,
        b'{"name": ' * 100_000,
        b'{"name":' + b"[" * 250 + b"]" * 250 + b"}",
    ],
    ids=lambda content: repr(content[:30]),
)
async def test_what_is_not_a_json_object_in_utf8(north: httpx2.AsyncClient, content: bytes) -> None:
    assert_error(await posted(north, content), 400, "INVALID_JSON")


async def test_a_post_without_any_body_is_not_json(north: httpx2.AsyncClient) -> None:
    assert_error(await north.post("/v1/search"), 400, "INVALID_JSON")


@pytest.mark.parametrize(
    "content_type", ["text/plain", "application/xml", "application/json; charset=latin-1", "json", ";", "*/*", "\xe9"]
)
async def test_another_content_type(north: httpx2.AsyncClient, content_type: str) -> None:
    headers = [(b"Content-Type", content_type.encode("latin-1"))]
    answer = await north.post("/v1/search", content=b'{"name": "Acme"}', headers=headers)
    assert_error(answer, 415, "VALIDATION_ERROR")


async def test_a_body_without_a_content_type(north: httpx2.AsyncClient) -> None:
    assert_error(await north.post("/v1/search", content=b'{"name": "Acme"}'), 415, "VALIDATION_ERROR")


@pytest.mark.parametrize(
    "content_type", ["application/json", "application/json; charset=utf-8", 'Application/JSON;charset="UTF-8"']
)
async def test_spellings_of_the_content_type(north: httpx2.AsyncClient, content_type: str) -> None:
    assert (await posted(north, b'{"name": "Acme"}', content_type)).status_code == 200


async def test_a_compressed_body_is_not_json(north: httpx2.AsyncClient) -> None:
    assert_error(await posted(north, gzip.compress(b'{"name": "Acme"}')), 400, "INVALID_JSON")


@pytest.mark.parametrize("coding", ["gzip", "GZIP", "identity, br", "x"])
async def test_a_body_with_a_content_encoding_is_refused(north: httpx2.AsyncClient, coding: str) -> None:
    content = gzip.compress(b'{"name": "Acme"}')
    answer = await north.post("/v1/search", content=content, headers={**JSON, "Content-Encoding": coding})
    assert_error(answer, 415, "VALIDATION_ERROR")
    assert [detail["path"] for detail in answer.json()["details"]] == ["Content-Encoding"]
    assert answer.headers["Accept-Encoding"] == "identity"


async def test_a_body_with_the_encoding_identity_is_read(north: httpx2.AsyncClient) -> None:
    answer = await north.post("/v1/search", content=b'{"name": "Acme"}', headers={**JSON, "Content-Encoding": "identity"})
    assert answer.status_code == 200


async def test_a_body_of_just_the_limit_is_read(north: httpx2.AsyncClient) -> None:
    content = b'{"name": "Acme"}'
    assert (await posted(north, content + b" " * (MIB - len(content)))).status_code == 200


async def test_a_body_that_is_announced_too_large_is_not_read(north: httpx2.AsyncClient) -> None:
    answer = await posted(north, b" " * (MIB + 1))
    assert_error(answer, 413, "VALIDATION_ERROR")
    assert answer.headers["Connection"] == "close"


async def test_a_body_that_turns_out_too_large_is_not_read_to_its_end(north: httpx2.AsyncClient) -> None:
    sent = 0

    async def chunks() -> AsyncIterator[bytes]:
        nonlocal sent
        for _ in range(64):
            sent += 1
            yield b" " * (MIB // 4)

    answer = await north.post("/v1/search", content=chunks(), headers=JSON)
    assert_error(answer, 413, "VALIDATION_ERROR")
    assert sent == 5


@pytest.mark.parametrize(
    ("body", "path", "message"),
    [
        ({"name": ""}, "name", "must have at least 1 character"),
        ({"name": "x" * 301}, "name", "must have at most 300 characters"),
        ({"name": "!?"}, "name", "must have at least one letter or digit"),
        ({"name": "a\x00b"}, "name", "control characters are not allowed"),
        ({"name": 7}, "name", "must be a string"),
        ({"name": "Acme", "sanctionsScreening": "true"}, "sanctionsScreening", "must be true or false"),
        ({"name": "Acme", "sanctionsScreening": 1}, "sanctionsScreening", "must be true or false"),
        ({"name": "Acme", "sanctionsThreshold": "0.9"}, "sanctionsThreshold", "must be a number"),
        ({"name": "Acme", "sanctionsThreshold": 0.69}, "sanctionsThreshold", "must be at least 0.7"),
        ({"name": "Acme", "sanctionsThreshold": 85}, "sanctionsThreshold", "must be at most 1"),
        ({"name": "Acme", "regulatoryRegistryThreshold": 1.01}, "regulatoryRegistryThreshold", "must be at most 1"),
        ({"name": "Acme", "limit": 2.0}, "limit", "must be a whole number"),
        ({"name": "Acme", "limit": 10**400}, "limit", "must be at most 50"),
        ({"name": "Acme", "jurisdictions": "ON"}, "jurisdictions", "must be an array"),
        ({"name": "Acme", "jurisdictions": []}, "jurisdictions", "must have at least 1 item"),
        ({"name": "Acme", "address": "Main Street"}, "address", "must be an object"),
        ({"businessId": "17"}, "businessId", "must be a UUID"),
    ],
)
async def test_a_refused_field_is_named_and_explained(north: httpx2.AsyncClient, body: object, path: str, message: str) -> None:
    assert refused_fields(await posted(north, json.dumps(body).encode())) == {path: message}


async def test_what_concerns_several_fields_names_the_one_to_mend(north: httpx2.AsyncClient) -> None:
    assert refused_fields(await posted(north, b"{}")) == {"name": "is required unless businessId or businessExternalId is given"}


async def test_an_item_of_a_list_is_named_by_its_number(north: httpx2.AsyncClient) -> None:
    fields = refused_fields(await posted(north, b'{"name": "Acme", "jurisdictions": ["ON", "XX"]}'))
    assert fields["jurisdictions.1"].startswith("'XX' is not a jurisdiction")


async def test_a_number_out_of_this_world(north: httpx2.AsyncClient) -> None:
    for number in (b"1e400", b"-1e400", b"9" * 5000):
        answer = await posted(north, b'{"name": "Acme", "sanctionsThreshold": ' + number + b"}")
        assert answer.status_code == 400, answer.text


async def test_whole_numbers_are_numbers(north: httpx2.AsyncClient) -> None:
    assert (await posted(north, b'{"name": "Acme", "sanctionsThreshold": 1}')).status_code == 200


async def test_an_unknown_field_is_refused_with_the_one_that_was_meant(north: httpx2.AsyncClient) -> None:
    answer = await posted(north, b'{"name": "Acme", "sanctionScreening": true}')
    assert refused_fields(answer) == {"sanctionScreening": "unknown field 'sanctionScreening'; did you mean 'sanctionsScreening'?"}
    assert "did you mean 'sanctionsScreening'?" in answer.json()["error"]


async def test_only_the_names_of_the_wire_are_fields(north: httpx2.AsyncClient) -> None:
    answer = await posted(north, b'{"name": "Acme", "sanctions_screening": true, "qqqqq": 1}')
    assert refused_fields(answer) == {
        "sanctions_screening": "unknown field 'sanctions_screening'; did you mean 'sanctionsScreening'?",
        "qqqqq": "unknown field 'qqqqq'",
    }


async def test_an_unknown_field_inside_an_object_is_compared_with_its_fields(north: httpx2.AsyncClient) -> None:
    fields = refused_fields(await posted(north, b'{"name": "Acme", "address": {"sreet": "Main"}}'))
    assert fields == {"address.sreet": "unknown field 'sreet'; did you mean 'street'?"}


async def test_thousands_of_problems_make_a_short_answer(north: httpx2.AsyncClient) -> None:
    body = {"name": "Acme"} | {f"field{number}" + "x" * 200: 1 for number in range(3000)}
    answer = await posted(north, json.dumps(body).encode())
    assert len(refused_fields(answer)) == 20
    assert len(answer.content) < 10_000
