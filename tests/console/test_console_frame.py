"""What holds for every page of the console: whose forms are taken, how errors look, where scripts are sent, what nobody sees."""

import shutil
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import httpx2
import pytest
from fastapi import APIRouter, Depends, Request
from starlette.responses import Response

from bonafide.api.routes import ROUTERS
from bonafide.app.application import create_app
from bonafide.console import routes
from bonafide.console.frame.console_request import Analyst, Owner, Viewer
from bonafide.console.frame.forms import (
    MAX_FIELDS,
    MAX_VISITOR_BYTES,
    UPLOAD_FORM,
    FormSubmission,
    create_form_parser,
    get_uploaded_file,
    read_form,
)
from bonafide.console.frame.responses import redirect, render_page
from bonafide.console.frame.route import ConsoleRoute
from bonafide.errors import Conflict, FieldProblem, ServerBusy, ValidationFailed
from bonafide.i18n.message import Message
from bonafide.model.accounts.users import Role
from bonafide.model.base import Document
from bonafide.runtime import Runtime, build_files, build_generation_stores
from bonafide.settings import Settings
from bonafide.store.database.engine import Store
from bonafide.web.default_headers import SECURITY_HEADERS
from tests.support.console.sessions import csrf_of, signed_in_client
from tests.support.served_pages import ServedPage

pytestmark = pytest.mark.anyio
SECRET = "what only the log may say"
router = APIRouter(prefix="/console/test", include_in_schema=False, route_class=ConsoleRoute)


class Note(Document):
    text: str


@router.get("/open")
async def open_to_all(request: Request) -> Response:
    return render_page(request, "error.html", error=Conflict(Message("Shown to all.")), request_id="x")


@router.get("/viewers")
async def for_viewers(request: Request, signed_in: Viewer) -> Response:
    return render_page(request, "error.html", error=Conflict(Message.untranslated(signed_in.user.email)), request_id="x")


@router.post("/viewers")
async def sent_by_viewers(
    request: Request, signed_in: Viewer, note: Annotated[FormSubmission[Note], Depends(create_form_parser(Note))]
) -> Response:
    del signed_in
    return redirect(request, f"/console/test/viewers?text={note.value.text if note.value is not None else 'refused'}")


@router.post("/file", dependencies=[UPLOAD_FORM])
async def sent_as_file(request: Request, signed_in: Viewer) -> Response:
    del signed_in
    file = get_uploaded_file(await read_form(request), "file")
    return Response(await file.read() if file is not None else b"none")


@router.get("/analysts")
async def for_analysts(request: Request, signed_in: Analyst) -> Response:
    return render_page(request, "error.html", error=Conflict(Message.untranslated(signed_in.user.email)), request_id="x")


@router.get("/owners")
async def for_owners(request: Request, signed_in: Owner) -> Response:
    return render_page(request, "error.html", error=Conflict(Message.untranslated(signed_in.user.email)), request_id="x")


@router.get("/bug")
async def with_a_bug(signed_in: Viewer) -> Response:
    del signed_in
    raise RuntimeError(SECRET)


@router.get("/refused/{kind}")
async def refused(kind: str) -> Response:
    errors = {
        "conflict": Conflict(Message("<b>Somebody</b> was quicker.")),
        "fields": ValidationFailed(Message("Two fields are wrong."), details=[FieldProblem("name", Message("is required"))]),
        "busy": ServerBusy(headers={"Retry-After": "7"}),
    }
    raise errors[kind]


@pytest.fixture
async def runtime(sqlite_template: Path, tmp_path: Path) -> AsyncIterator[Runtime]:
    """Nothing loaded: no page of these asks a source. One database will do: the frame has no SQL of its own."""
    settings = Settings(data_dir=tmp_path)
    shutil.copyfile(sqlite_template, tmp_path / "bonafide.sqlite3")
    store = Store.open(settings.dsn)
    yield Runtime(
        settings, store, build_files(settings), b"north", build_generation_stores(tmp_path), {}, lambda: datetime.now(UTC)
    )
    await store.close()


def over(runtime: Runtime, cookies: httpx2.Cookies | None = None) -> httpx2.AsyncClient:
    app = create_app(runtime, (*ROUTERS, routes.router, router, routes.fallback_router))
    transport = httpx2.ASGITransport(app)
    return httpx2.AsyncClient(transport=transport, base_url=runtime.settings.base_url, cookies=cookies)


@pytest.fixture
async def nobody(runtime: Runtime) -> AsyncIterator[httpx2.AsyncClient]:
    async with over(runtime) as client:
        yield client


@pytest.fixture
async def viewer(runtime: Runtime) -> AsyncIterator[httpx2.AsyncClient]:
    async with await signed_in_client(runtime, Role.VIEWER) as known, over(runtime, known.cookies) as client:
        yield client


# --------------------------------------------------------------------------------------------------------------- access


async def test_whoever_is_not_signed_in_is_sent_to_sign_in_and_back(nobody: httpx2.AsyncClient) -> None:
    answer = await nobody.get("/console/test/viewers?query=a%20b&offset=5")
    assert answer.status_code == 303
    assert answer.headers["Location"] == "/console/sign-in?next=%2Fconsole%2Ftest%2Fviewers%3Fquery%3Da%2520b%26offset%3D5"


async def test_a_script_is_told_to_go_to_sign_in(nobody: httpx2.AsyncClient) -> None:
    answer = await nobody.get("/console/test/viewers", headers={"HX-Request": "true"})
    assert answer.status_code == 204
    assert answer.headers["HX-Redirect"] == "/console/sign-in?next=%2Fconsole%2Ftest%2Fviewers"


@pytest.mark.parametrize(
    ("role", "allowed"),
    [
        (Role.VIEWER, {"viewers": 200, "analysts": 403, "owners": 403}),
        (Role.ANALYST, {"viewers": 200, "analysts": 200, "owners": 403}),
        (Role.OWNER, {"viewers": 200, "analysts": 200, "owners": 200}),
    ],
)
async def test_a_page_refuses_whose_role_does_not_reach(runtime: Runtime, role: Role, allowed: dict[str, int]) -> None:
    async with await signed_in_client(runtime, role) as known, over(runtime, known.cookies) as client:
        answers = {name: (await client.get(f"/console/test/{name}")).status_code for name in allowed}
    assert answers == allowed


async def test_a_page_that_is_refused_says_who_can_change_that(viewer: httpx2.AsyncClient) -> None:
    answer = await viewer.get("/console/test/owners")
    assert "Access denied" in answer.text
    assert "An owner can change your role." in answer.text


async def test_everybody_begins_with_the_overview(viewer: httpx2.AsyncClient) -> None:
    assert (await viewer.get("/")).headers["Location"] == "/console"
    assert (await viewer.get("/console")).headers["Location"] == "/console/overview"


# ---------------------------------------------------------------------------------------------------------------- forms


async def test_a_form_of_ours_is_taken_and_leads_on(viewer: httpx2.AsyncClient) -> None:
    token = csrf_of(await viewer.get("/console/test/viewers"))
    answer = await viewer.post("/console/test/viewers", data={"csrf": token, "text": "hello"})
    assert (answer.status_code, answer.headers["Location"]) == (303, "/console/test/viewers?text=hello")


async def test_a_script_sends_the_token_in_a_header_and_is_told_where_to_go(viewer: httpx2.AsyncClient) -> None:
    token = csrf_of(await viewer.get("/console/test/viewers"))
    headers = {"X-CSRF-Token": token, "HX-Request": "true", "Sec-Fetch-Site": "same-origin"}
    answer = await viewer.post("/console/test/viewers", data={"text": "hello"}, headers=headers)
    assert (answer.status_code, answer.headers["HX-Redirect"]) == (204, "/console/test/viewers?text=hello")


@pytest.mark.parametrize("token", ["", "wrong", "A" * 88])
async def test_a_form_without_our_token_is_refused(viewer: httpx2.AsyncClient, token: str) -> None:
    await viewer.get("/console/test/viewers")
    answer = await viewer.post("/console/test/viewers", data={"csrf": token, "text": "hello"})
    assert answer.status_code == 403
    assert "expired" in answer.text
    assert (await viewer.post("/console/test/viewers", data={"text": "hello"})).status_code == 403


async def test_the_token_of_one_session_opens_no_form_of_another(runtime: Runtime, viewer: httpx2.AsyncClient) -> None:
    async with await signed_in_client(runtime, Role.OWNER) as other:
        token = csrf_of(await other.get("/console/test/viewers/none"))
    assert (await viewer.post("/console/test/viewers", data={"csrf": token, "text": "hello"})).status_code == 403


@pytest.mark.parametrize("headers", [{"Sec-Fetch-Site": "cross-site"}, {"Origin": "https://evil.example"}, {"Origin": "null"}])
async def test_a_form_from_another_site_is_refused_even_with_the_token(viewer: httpx2.AsyncClient, headers: dict[str, str]) -> None:
    token = csrf_of(await viewer.get("/console/test/viewers"))
    answer = await viewer.post("/console/test/viewers", data={"csrf": token, "text": "hello"}, headers=headers)
    assert answer.status_code == 403


async def test_a_file_arrives_whole(viewer: httpx2.AsyncClient) -> None:
    token = csrf_of(await viewer.get("/console/test/viewers"))
    content = b"name\r\nCaf\xc3\xa9\r\n"
    answer = await viewer.post("/console/test/file", data={"csrf": token}, files={"file": ("records.csv", content, "text/csv")})
    assert answer.content == content


async def test_a_form_that_is_too_large_is_refused_unread(runtime: Runtime, viewer: httpx2.AsyncClient) -> None:
    token = csrf_of(await viewer.get("/console/test/viewers"))
    plain, upload = runtime.settings.max_plain_form_bytes, runtime.settings.max_form_bytes
    for path, limit in (("/console/test/viewers", plain), ("/console/test/file", upload)):
        answer = await viewer.post(path, data={"csrf": token, "text": "x" * (limit + 1)})
        assert answer.status_code == 413
        assert f"{limit} bytes" in answer.text


async def test_forms_before_sign_in_are_small(nobody: httpx2.AsyncClient) -> None:
    answer = await nobody.post("/console/test/viewers", data={"text": "x" * MAX_VISITOR_BYTES})
    assert answer.status_code == 413
    assert f"{MAX_VISITOR_BYTES} bytes" in answer.text


async def test_an_upload_by_a_visitor_leads_to_sign_in(nobody: httpx2.AsyncClient) -> None:
    answer = await nobody.post("/console/test/file", files={"file": ("records.csv", b"x" * MAX_VISITOR_BYTES, "text/csv")})
    assert (answer.status_code, answer.headers["Location"]) == (303, "/console/sign-in")


PART = b'--b\r\nContent-Disposition: form-data; name="text"\r\n\r\nhello\r\n'
MULTIPART = "multipart/form-data; boundary=b"
URLENCODED = "application/x-www-form-urlencoded"


@pytest.mark.parametrize(
    ("kind", "content"),
    [
        ("multipart/form-data", PART + b"--b--\r\n"),
        ("multipart/form-data; boundary=", PART + b"--b--\r\n"),
        ("multipart/form-data; boundary=" + "b" * 400, PART + b"--b--\r\n"),
        (MULTIPART, b"no part at all"),
        (MULTIPART, b"--b\r\n\x00\xff: junk\r\n\r\nhello\r\n--b--\r\n"),
        (MULTIPART, b"--b\r\nContent-Disposition: form-data\r\n\r\nhello\r\n--b--\r\n"),
        (MULTIPART, b"--b\r\n\r\nhello\r\n--b--\r\n"),
        (MULTIPART, b"--b\r\n" + b"X-Many: x\r\n" * 5000 + b"\r\nhello\r\n--b--\r\n"),
        (MULTIPART, PART * 2000 + b"--b--\r\n"),
        (MULTIPART, b'--b\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\nhello\r\n--b--\r\n'),
        (f"{MULTIPART}; charset=idna", PART.replace(b"hello", b"\xff\xfe") + b"--b--\r\n"),
        (f"{MULTIPART}; charset=undefined", PART + b"--b--\r\n"),
        (f"{URLENCODED}; charset=utf-16", b"text=hello"),
        (URLENCODED, b"&".join(b"text=x" for _ in range(20_000))),
        (URLENCODED, b"&".join(b"f%d=" % number for number in range(MAX_FIELDS + 1))),
    ],
)
async def test_a_malformed_form_is_refused_without_a_traceback(
    viewer: httpx2.AsyncClient, kind: str, content: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = await viewer.post("/console/test/viewers", content=content, headers={"Content-Type": kind})
    assert answer.status_code == 400
    assert "malformed, or has too many fields or files" in answer.text
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("kind", "content"),
    [
        (MULTIPART, PART),
        (MULTIPART, PART[:40]),
        (MULTIPART, b""),
        ("application/json", b"{}"),
        ("text/plain", b"csrf=x"),
        ("", b"x"),
    ],
)
async def test_a_form_without_its_token_is_refused_whatever_it_is(viewer: httpx2.AsyncClient, kind: str, content: bytes) -> None:
    answer = await viewer.post("/console/test/viewers", content=content, headers={"Content-Type": kind})
    assert answer.status_code == 403


async def test_a_form_that_does_not_say_how_long_it_is_is_refused(viewer: httpx2.AsyncClient) -> None:
    async def pieces() -> AsyncIterator[bytes]:
        yield b"csrf=x&text=hello"

    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    assert (await viewer.post("/console/test/viewers", content=pieces(), headers=headers)).status_code == 413


# --------------------------------------------------------------------------------------------------------------- errors


async def test_a_bug_shows_the_id_to_quote_and_nothing_of_itself(viewer: httpx2.AsyncClient) -> None:
    answer = await viewer.get("/console/test/bug", headers={"X-Request-Id": "my-id-17"})
    assert answer.status_code == 500
    assert "Something went wrong" in answer.text
    assert "my-id-17" in answer.text
    assert answer.headers["X-Request-Id"] == "my-id-17"
    assert SECRET not in answer.text
    assert "Traceback" not in answer.text


async def test_a_refusal_is_a_page_whose_words_stay_text(viewer: httpx2.AsyncClient) -> None:
    answer = await viewer.get("/console/test/refused/conflict")
    assert answer.status_code == 409
    assert "&lt;b&gt;Somebody&lt;/b&gt; was quicker." in answer.text


async def test_refused_fields_are_named(viewer: httpx2.AsyncClient) -> None:
    answer = await viewer.get("/console/test/refused/fields")
    assert answer.status_code == 400
    assert "<strong>name</strong>: is required" in answer.text


async def test_an_error_keeps_the_headers_that_say_what_to_do(viewer: httpx2.AsyncClient) -> None:
    assert (await viewer.get("/console/test/refused/busy")).headers["Retry-After"] == "7"


@pytest.mark.parametrize("path", ["/console/no/such/page", "/console/test/no-such"])
async def test_what_does_not_exist_is_a_page_for_whoever_asks(
    viewer: httpx2.AsyncClient, nobody: httpx2.AsyncClient, path: str
) -> None:
    for client in (viewer, nobody):
        answer = await client.get(path)
        assert answer.status_code == 404
        assert "Page not found" in answer.text


@pytest.mark.parametrize("path", ["/console/test/open", "/console/test/bug", "/console/no-such", "/console/test/viewers"])
async def test_every_answer_carries_the_same_protection(nobody: httpx2.AsyncClient, path: str) -> None:
    answer = await nobody.get(path)
    assert {name: answer.headers.get(name) for name in SECURITY_HEADERS} == SECURITY_HEADERS
    assert answer.headers["Cache-Control"] == "no-store"


# ------------------------------------------------------------------------------------------------------------- language


@pytest.mark.parametrize(
    ("header", "language"), [("fr-CA,fr;q=0.9,en;q=0.8", "fr"), ("en-CA", "en"), ("de", "en"), ("", "en"), ("de,fr;q=0.1", "fr")]
)
async def test_a_stranger_is_spoken_to_as_the_browser_prefers(nobody: httpx2.AsyncClient, header: str, language: str) -> None:
    answer = await nobody.get("/console/test/open", headers={"Accept-Language": header})
    assert f'<html lang="{language}">' in answer.text


@pytest.mark.parametrize(("header", "address"), [("fr-CA", "/docs/index.fr"), ("en-CA", "/docs/index")])
async def test_the_documentation_opens_in_the_language_of_the_page(viewer: httpx2.AsyncClient, header: str, address: str) -> None:
    document = ServedPage((await viewer.get("/console/overview", headers={"Accept-Language": header})).text)
    assert document.select_texts("//header//a[.='Documentation']/@href") == [address]


async def test_the_browser_gets_its_secret_once_and_no_script_may_read_it(nobody: httpx2.AsyncClient) -> None:
    first, second = [await nobody.get("/console/test/open") for _ in range(2)]
    assert "HttpOnly" in first.headers["Set-Cookie"]
    assert "samesite=lax" in first.headers["Set-Cookie"].lower()
    assert "Set-Cookie" not in second.headers
