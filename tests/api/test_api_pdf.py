"""Reports in print on the wire: what is answered, which language and look, and that nobody else gets to see any of it."""

import base64
import hashlib
import io
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import httpx2
import pytest
from fastapi import FastAPI
from pypdf import PdfReader

from bonafide.api.protocol.dependencies import prefers_pdf
from bonafide.app.application import create_app
from bonafide.model.accounts.organizations import World
from bonafide.runtime import Runtime
from tests.support.api.clients import ManualClock, NewClient, NewKey
from tests.support.databases import ON_SQLITE_ONLY

pytestmark = pytest.mark.anyio
CLAIM = {"legalName": "Sandbox Bakery Inc.", "jurisdiction": "ON", "registrationNumber": "1000017"}
AS_PDF = {"Accept": "application/pdf"}
ONE_RED_PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="


@pytest.fixture
def app(sandbox_runtime: Runtime) -> FastAPI:
    """The application on the loaded sandbox; no live register is served."""
    return create_app(sandbox_runtime)


@pytest.fixture
def world() -> World:
    return World.SANDBOX


@pytest.fixture
async def search(north: httpx2.AsyncClient) -> dict[str, str]:
    answer = (await north.post("/v1/search", json={"name": "Sandbox Bakery Inc.", "limit": 3})).raise_for_status()
    return {"searchId": answer.json()["meta"]["searchId"]}


@pytest.fixture
async def verification(north: httpx2.AsyncClient) -> dict[str, str]:
    answer = (await north.post("/v1/verify", json=CLAIM)).raise_for_status()
    return {"verificationId": answer.json()["meta"]["verificationId"]}


async def printed(client: httpx2.AsyncClient, body: dict[str, str], **headers: str) -> dict[str, Any]:
    found: dict[str, Any] = (await client.post("/v1/pdf", json=body, headers=headers)).raise_for_status().json()
    return found


async def text_of(client: httpx2.AsyncClient, document: dict[str, Any]) -> str:
    answer = (await client.get(urlsplit(document["url"]).path)).raise_for_status()
    assert answer.headers["content-type"] == "application/pdf"
    assert hashlib.sha256(answer.content).hexdigest() == document["sha256"]
    assert len(answer.content) == document["size"]
    return words(answer.content)


def words(content: bytes) -> str:
    return " ".join(" ".join(page.extract_text() for page in PdfReader(io.BytesIO(content)).pages).split())


async def test_a_search_is_printed_and_read_without_a_key(
    north: httpx2.AsyncClient, anonymous: httpx2.AsyncClient, search: dict[str, str]
) -> None:
    document = await printed(north, search)
    text = await text_of(anonymous, document)
    assert document["contentType"] == "application/pdf"
    assert "Search report" in text
    assert f"Document {document['documentId']}" in text
    assert "Some sources weren’t checked" in text


async def test_a_verification_is_printed(
    north: httpx2.AsyncClient, anonymous: httpx2.AsyncClient, verification: dict[str, str]
) -> None:
    text = await text_of(anonymous, await printed(north, verification))
    assert "Verification report" in text
    assert "Submitted data compared with the register" in text


async def test_asked_again_it_is_the_same_file(north: httpx2.AsyncClient, clock: ManualClock, search: dict[str, str]) -> None:
    first = await printed(north, search)
    clock.move(minutes=1)
    again = await printed(north, search)
    assert (again["documentId"], again["sha256"]) == (first["documentId"], first["sha256"])
    assert again["expiresAt"] > first["expiresAt"]


async def test_the_address_expires(
    north: httpx2.AsyncClient, anonymous: httpx2.AsyncClient, clock: ManualClock, search: dict[str, str]
) -> None:
    document = await printed(north, search)
    clock.move(hours=1)
    answer = await anonymous.get(urlsplit(document["url"]).path)
    assert (answer.status_code, answer.json()["code"]) == (404, "NOT_FOUND")


@pytest.mark.parametrize(("language", "title"), [("fr-CA, en;q=0.5", "Rapport de recherche"), ("en", "Search report")])
async def test_the_caller_chooses_the_language(
    north: httpx2.AsyncClient, anonymous: httpx2.AsyncClient, search: dict[str, str], language: str, title: str
) -> None:
    assert title in await text_of(anonymous, await printed(north, search, **{"Accept-Language": language}))


async def test_the_bytes_themselves(north: httpx2.AsyncClient, search: dict[str, str]) -> None:
    document = await printed(north, search)
    answer = await north.post("/v1/pdf", json=search, headers=AS_PDF)
    digest = hashlib.sha256(answer.content)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/pdf")
    assert digest.hexdigest() == document["sha256"]
    assert answer.headers["repr-digest"] == f"sha-256=:{base64.b64encode(digest.digest()).decode()}:"
    assert answer.headers["content-disposition"] == 'attachment; filename="sandbox-bakery-inc-2026-11-20.pdf"'
    assert answer.headers["cache-control"] == "no-store"


async def test_the_same_key_gives_the_same_bytes_twice(north: httpx2.AsyncClient, search: dict[str, str]) -> None:
    answers = [await north.post("/v1/pdf", json=search, headers=AS_PDF | {"Idempotency-Key": "once"}) for _ in range(2)]
    assert answers[0].content == answers[1].content
    assert answers[1].headers["idempotent-replayed"] == "true"


@pytest.mark.parametrize("order", [(AS_PDF, {}), ({}, AS_PDF)])
async def test_a_replay_has_the_representation_that_its_own_request_accepts(
    north: httpx2.AsyncClient, search: dict[str, str], order: tuple[dict[str, str], dict[str, str]]
) -> None:
    fresh = await north.post("/v1/pdf", json=search, headers=AS_PDF)
    answers = [await north.post("/v1/pdf", json=search, headers=accept | {"Idempotency-Key": "once"}) for accept in order]
    page, document = answers if order[0] == AS_PDF else answers[::-1]
    assert answers[1].headers["idempotent-replayed"] == "true"
    assert page.content == fresh.content
    for name in ("content-type", "content-disposition", "repr-digest", "cache-control"):
        assert page.headers[name] == fresh.headers[name]
    assert document.json()["sha256"] == hashlib.sha256(page.content).hexdigest()


@pytest.mark.parametrize(
    ("header", "wanted"),
    [
        ("", False),
        ("*/*", False),
        ("application/json", False),
        ("application/pdf", True),
        ("Application/PDF; q=0.9, text/html", True),
        ("application/pdf;q=0", False),
        ("application/json, application/pdf;q=0.5", False),
        ("application/pdf;q=1, application/json;q=0.5", True),
    ],
)
def test_who_prefers_a_pdf(header: str, *, wanted: bool) -> None:
    assert prefers_pdf(header) is wanted


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"searchId": str(uuid4()), "verificationId": str(uuid4())},
        {"searchId": "x"},
        {"searchId": None},
        {"search_id": str(uuid4())},
    ],
)
@ON_SQLITE_ONLY
async def test_exactly_one_of_the_two_is_printed(north: httpx2.AsyncClient, body: dict[str, object]) -> None:
    answer = await north.post("/v1/pdf", json=body)
    assert (answer.status_code, answer.json()["code"]) == (400, "VALIDATION_ERROR")


@pytest.mark.parametrize("field", ["searchId", "verificationId"])
async def test_what_does_not_exist_is_not_found(north: httpx2.AsyncClient, field: str) -> None:
    answer = await north.post("/v1/pdf", json={field: str(uuid4())})
    assert (answer.status_code, answer.json()["code"]) == (404, "NOT_FOUND")


async def test_nobody_else_gets_to_see_it(south: httpx2.AsyncClient, search: dict[str, str], verification: dict[str, str]) -> None:
    for body in (search, verification):
        answer = await south.post("/v1/pdf", json=body)
        assert (answer.status_code, answer.json()["code"]) == (404, "NOT_FOUND")


async def test_a_verification_under_way_is_a_conflict(north: httpx2.AsyncClient) -> None:
    pending = await north.post("/v1/verify", json={**CLAIM, "jurisdiction": "BC", "registrationNumber": "BC1000033"})
    assert pending.status_code == 202
    answer = await north.post("/v1/pdf", json={"verificationId": pending.json()["reportFetchId"]})
    assert (answer.status_code, answer.json()["code"]) == (409, "CONFLICT")
    assert "in progress" in answer.json()["error"]


@pytest.mark.parametrize(
    ("scopes", "status"),
    [
        (["reports:write"], 403),
        (["search:read"], 403),
        (["reports:write", "verify:read"], 403),
        (["reports:write", "search:read"], 200),
    ],
)
async def test_a_key_prints_only_what_it_may_read(
    new_client: NewClient, new_key: NewKey, search: dict[str, str], scopes: list[str], status: int
) -> None:
    client = await new_client(await new_key(world=World.SANDBOX, scopes=scopes))
    assert (await client.post("/v1/pdf", json=search)).status_code == status


async def test_it_is_in_the_colours_of_the_organization(
    north: httpx2.AsyncClient, anonymous: httpx2.AsyncClient, search: dict[str, str]
) -> None:
    plain = await printed(north, search)
    change = {"branding": {"name": "Prairie Credit Union", "primary": "#7a1e3c", "logo": ONE_RED_PIXEL}}
    (await north.put("/v1/settings", json=change)).raise_for_status()
    branded = await printed(north, search)
    reader = PdfReader(io.BytesIO((await anonymous.get(urlsplit(branded["url"]).path)).content))
    assert branded["documentId"] != plain["documentId"]
    assert reader.metadata is not None
    assert reader.metadata.author == "Prairie Credit Union"
    assert len(reader.pages[0].images) == 1


async def test_a_business_report_is_in_them_too(north: httpx2.AsyncClient, anonymous: httpx2.AsyncClient) -> None:
    report = (await north.post("/v1/business-reports", json={"jurisdiction": "ON", "registrationNumber": "1000017"})).json()
    path = urlsplit(report["businessReport"]["reportUrl"]).path
    assert "bonafide" in words((await anonymous.get(path)).content)
    (await north.put("/v1/settings", json={"branding": {"name": "Prairie"}})).raise_for_status()
    assert "Prairie" in words((await anonymous.get(path)).content)


async def test_a_business_report_is_in_french_for_who_prefers_it(north: httpx2.AsyncClient, anonymous: httpx2.AsyncClient) -> None:
    report = (await north.post("/v1/business-reports", json={"jurisdiction": "ON", "registrationNumber": "1000017"})).json()
    query = {"searchId": report["reportId"], "registrationNumber": "1000017"}
    answer = await north.get("/v1/business-reports/document", params=query, headers={"Accept-Language": "fr"})
    text = words((await anonymous.get(urlsplit(answer.headers["location"]).path)).content)
    assert "Rapport d’entreprise" in text
    assert "Lu dans les données chargées de Registre des entreprises de l’Ontario" in text
    assert "is loaded here" not in text


@pytest.mark.parametrize(
    ("branding", "path"),
    [
        ({"primary": "#ffee00"}, "branding.primary"),
        ({"name": ""}, "branding.name"),
        ({"name": "a\u0000b"}, "branding.name"),
        ({"logo": base64.b64encode(b"<svg/>").decode()}, "branding.logo"),
        ({"logo": ONE_RED_PIXEL[:56]}, "branding.logo"),
        ({"colour": "red"}, "branding.colour"),
    ],
)
@ON_SQLITE_ONLY
async def test_branding_that_could_not_be_printed_is_refused(
    north: httpx2.AsyncClient, branding: dict[str, str], path: str
) -> None:
    answer = await north.put("/v1/settings", json={"branding": branding})
    assert (answer.status_code, answer.json()["details"][0]["path"]) == (400, path)


async def test_a_logo_stands_in_the_trail_by_its_digest(north: httpx2.AsyncClient) -> None:
    (await north.put("/v1/settings", json={"branding": {"logo": ONE_RED_PIXEL}})).raise_for_status()
    assert (await north.get("/v1/settings")).json()["branding"]["logo"] == ONE_RED_PIXEL
    (await north.put("/v1/settings", json={"branding": {"logo": None}})).raise_for_status()
    entries = (await north.get("/v1/settings/audit")).json()["entries"]
    assert [entry["field"] for entry in entries] == ["branding.logo"] * 2
    assert entries[0]["new"] == entries[1]["old"] == f"sha256:{hashlib.sha256(ONE_RED_PIXEL.encode()).hexdigest()}"
    assert entries[1]["new"] is None
