"""Ownership as files: what `format` returns, with which media type and name."""

import io
import json
from typing import Any

import httpx2
import jsonschema_rs
import pyarrow.parquet as pq
import pytest

from bonafide.model.ownership.file_format import OwnershipFormat
from tests.api.test_api_ownership import create_business, put
from tests.support.api.generated_description import generated_description
from tests.support.databases import ON_SQLITE_ONLY

pytestmark = pytest.mark.anyio


async def export(client: httpx2.AsyncClient, business_id: str, file_format: str) -> httpx2.Response:
    return await client.get(f"/v1/businesses/{business_id}/ownership", params={"format": file_format})


async def test_json_is_the_default(north: httpx2.AsyncClient) -> None:
    business_id = await create_business(north)
    ownership = (await put(north, business_id)).json()
    assert (await export(north, business_id, "json")).json() == ownership


async def test_parquet_has_a_row_for_each_interest(north: httpx2.AsyncClient) -> None:
    business_id = await create_business(north)
    await put(north, business_id)
    answer = await export(north, business_id, "parquet")
    assert answer.headers["content-type"] == "application/vnd.apache.parquet"
    assert answer.headers["content-disposition"] == f'attachment; filename="ownership-{business_id}.parquet"'
    table = pq.read_table(io.BytesIO(answer.content))
    assert table.schema.metadata[b"party"] == b"business"
    rows = table.to_pylist()
    assert [(row["owner_name"], row["owned_name"], row["share_exact"], row["claimed_by"]) for row in rows] == [
        ("Holding Ltd.", "Sandbox Bakery Inc.", 0.5, "declared"),
        ("Jane Doe", "Holding Ltd.", 0.6, "declared"),
    ]
    assert rows[0]["owned_business_id"] == business_id


@pytest.mark.parametrize("file_format", OwnershipFormat)
@pytest.mark.parametrize("is_stated", [False, True], ids=["empty", "stated"])
@ON_SQLITE_ONLY
async def test_a_file_is_as_described(north: httpx2.AsyncClient, *, file_format: OwnershipFormat, is_stated: bool) -> None:
    business_id = await create_business(north)
    if is_stated:
        await put(north, business_id)
    answer = await export(north, business_id, file_format.value)
    described = generated_description()["paths"]["/v1/businesses/{id}/ownership"]["get"]["responses"]["200"]["content"]
    media_type = answer.headers["content-type"].partition(";")[0]
    schema = described[media_type]["schema"]
    if schema.get("contentEncoding") == "binary":
        body: Any = answer.content.decode("latin-1")
    else:
        body = answer.json() if media_type.endswith(("/json", "+json")) else answer.content.decode("utf-8")
    components = {"components": {"schemas": generated_description()["components"]["schemas"]}}
    validator = jsonschema_rs.Draft202012Validator({**schema, **components})
    assert [problem.message for problem in validator.iter_errors(body)] == []


async def send(client: httpx2.AsyncClient, business_id: str, content: bytes, media_type: str, **options: str) -> httpx2.Response:
    headers = {"Content-Type": media_type}
    return await client.put(f"/v1/businesses/{business_id}/ownership", content=content, headers=headers, params=options)


async def test_without_a_statement_a_file_has_nothing(north: httpx2.AsyncClient) -> None:
    business_id = await create_business(north)
    assert pq.read_table(io.BytesIO((await export(north, business_id, "parquet")).content)).num_rows == 0
    assert (await export(north, business_id, "bods")).json() == []


async def test_bods_names_the_publisher_and_is_read_again(north: httpx2.AsyncClient) -> None:
    business_id = await create_business(north)
    ownership = (await put(north, business_id, declaredBy="Jane Doe")).json()
    answer = await export(north, business_id, "bods")
    assert answer.headers["content-type"] == "application/vnd.bods+json"
    assert answer.headers["content-disposition"] == f'attachment; filename="ownership-{business_id}.bods.json"'
    statements: list[dict[str, Any]] = answer.json()
    assert {one["publicationDetails"]["publisher"]["name"] for one in statements} == {"North"}
    await put(north, business_id, parties=[], interests=[])
    read = await send(north, business_id, answer.content, "application/vnd.bods+json")
    assert read.status_code == 200, read.text
    for field in ("parties", "interests", "beneficialOwners", "unknownShare"):
        assert read.json()[field] == ownership[field]
    assert [(one["claimedBy"], one["declaredBy"]) for one in read.json()["statements"]] == [("declared", "Jane Doe")]


async def test_csv_is_recorded_and_written(north: httpx2.AsyncClient) -> None:
    business_id = await create_business(north)
    sheet = "owner,ownerKind,owned,share\r\nHolding Ltd.,company,,57 %\r\nJane Doe,person,Holding Ltd.,25%-50%\r\n"
    answer = await send(north, business_id, sheet.encode(), "text/csv", asOf="2026-11-01", declaredBy="Jane Doe")
    assert answer.status_code == 200, answer.text
    assert [party["name"] for party in answer.json()["parties"]] == ["Sandbox Bakery Inc.", "Holding Ltd.", "Jane Doe"]
    assert answer.json()["statements"][0]["declaredBy"] == "Jane Doe"
    written = await export(north, business_id, "csv")
    assert written.headers["content-type"] == "text/csv; charset=utf-8"
    assert (
        await send(north, business_id, written.content, "text/csv", asOf="2026-11-01", declaredBy="Jane Doe")
    ).json() == answer.json()


async def test_a_problem_of_csv_names_line_and_column(north: httpx2.AsyncClient) -> None:
    answer = await send(
        north, await create_business(north), b"owner,ownerKind,Part\r\nJane,person,0.4", "text/csv", asOf="2026-11-01"
    )
    assert (answer.status_code, answer.json()["details"][0]["path"]) == (400, "lines.2.Part")


async def test_a_file_of_too_many_values_is_refused(north: httpx2.AsyncClient) -> None:
    answer = await send(north, await create_business(north), b"[" + b"1," * 100_000 + b"1]", "application/vnd.bods+json")
    assert (answer.status_code, answer.json()["code"]) == (413, "VALIDATION_ERROR")


async def test_follow_the_money_has_an_entity_per_line(north: httpx2.AsyncClient) -> None:
    business_id = await create_business(north)
    await put(north, business_id)
    answer = await export(north, business_id, "ftm")
    assert answer.headers["content-type"] == "application/x-ndjson"
    schemas = [json.loads(line)["schema"] for line in answer.text.splitlines()]
    assert schemas == ["Company", "Company", "Person", "Ownership", "Ownership"]


async def test_a_problem_of_a_file_names_its_place(north: httpx2.AsyncClient) -> None:
    business_id = await create_business(north)
    await put(north, business_id)
    statements = (await export(north, business_id, "bods")).json()
    statements[3]["recordDetails"]["interests"][0]["share"] = {"exact": 150}
    answer = await send(north, business_id, json.dumps(statements).encode(), "application/vnd.bods+json")
    assert (answer.status_code, answer.json()["code"]) == (400, "VALIDATION_ERROR")
    assert [one["path"] for one in answer.json()["details"]] == ["3.recordDetails.interests.0.share.exact"]


async def test_options_of_files_are_refused_with_a_document(north: httpx2.AsyncClient) -> None:
    business_id = await create_business(north)
    body = json.dumps({"asOf": "2026-11-01"}).encode()
    answer = await send(north, business_id, body, "application/json", claimedBy="registry")
    assert (answer.status_code, answer.json()["details"][0]["path"]) == (400, "claimedBy")


@pytest.mark.parametrize("media_type", ["application/xml", "application/vnd.bods+json; charset=latin-1"])
@ON_SQLITE_ONLY
async def test_other_files_are_refused(north: httpx2.AsyncClient, media_type: str) -> None:
    answer = await send(north, await create_business(north), b"[]", media_type)
    assert answer.status_code == 415


async def test_a_file_about_a_business_of_another_organization_is_not_read(
    north: httpx2.AsyncClient, south: httpx2.AsyncClient
) -> None:
    business_id = await create_business(north)
    assert (await send(south, business_id, b"[]", "application/vnd.bods+json")).status_code == 404


@ON_SQLITE_ONLY
async def test_an_unknown_format_is_refused(north: httpx2.AsyncClient) -> None:
    answer = await export(north, await create_business(north), "xml")
    assert (answer.status_code, answer.json()["details"][0]["path"]) == (400, "format")


async def test_a_file_of_another_organization_is_not_found(north: httpx2.AsyncClient, south: httpx2.AsyncClient) -> None:
    business_id = await create_business(north)
    await put(north, business_id)
    assert (await export(south, business_id, "bods")).status_code == 404
