"""The Python client over real connections: retries, idempotency keys, errors, pages and values."""

import json
import sys
import time
from datetime import UTC, date, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from bonafide_client import (
    UNSET,
    ApiError,
    AsyncBonafideClient,
    BonafideClient,
    ConnectionFailed,
    InvalidWebhook,
    RateLimitExceeded,
    RequestInvalid,
    RetryPolicy,
    ServiceFailed,
    StateConflict,
    UnexpectedResponse,
    VerificationNotMade,
    WaitTimedOut,
    verify_webhook,
)
from bonafide_client.models import BatchParameters, BusinessUpsert, CaseChange, SearchRequest, VerificationFailed
from bonafide_client.requests import ApiRequest
from bonafide_client.retrying import RetryState

from bonafide.model.webhooks import SigningMethod
from bonafide.services.webhooks.signatures import build_signed_headers, generate_secret
from tests.support.paths import ROOT
from tests.support.servers.ports import HOST, free_port
from tests.support.servers.scripted_server import BROKEN, ScriptedResponse, ScriptedServer, serve_script

KEY = "bf_test_client"
AT_ONCE = RetryPolicy(max_retries=2, first_wait_s=0)
BUSY = ScriptedResponse(503, {"error": "At capacity.", "code": "SERVER_ERROR", "requestId": "r-1"}, {"Retry-After": "0"})
LIMITED = ScriptedResponse(429, {"error": "Slow down.", "code": "RATE_LIMITED", "requestId": "r-2"}, {"Retry-After": "0"})
FAILED = ScriptedResponse(500, {"error": "Failed.", "code": "INTERNAL_ERROR", "requestId": "r-3"})
CONFLICT = ScriptedResponse(409, {"error": "In progress.", "code": "CONFLICT", "requestId": "r-4"})
ID = "6f1c2a0e-8f5d-4c55-9d0a-2f6f4b8f3a11"


def example(name: str) -> Any:
    return json.loads((ROOT / "src" / "bonafide" / "api" / "examples" / f"{name}.json").read_text("utf-8"))


DONE = ScriptedResponse(200, example("search_result"))
STORED = ScriptedResponse(200, example("business"))
CASE = ScriptedResponse(200, example("case"))


def open_client(server: ScriptedServer, policy: RetryPolicy = AT_ONCE) -> BonafideClient:
    return BonafideClient(server.url, KEY, retry=policy)


@pytest.mark.parametrize("refusal", [BUSY, LIMITED, FAILED, ScriptedResponse(BROKEN)], ids=["503", "429", "500", "broken"])
def test_a_post_is_repeated_with_one_idempotency_key(refusal: ScriptedResponse) -> None:
    with serve_script(refusal, refusal, DONE) as server, open_client(server) as client:
        assert client.create_search(SearchRequest(name="Sandbox Bakery")).meta.status == "completed-with-errors"
    first, *others = server.idempotency_keys
    assert first is not None
    assert others == [first, first]
    assert {request.body for request in server.received} == {b'{"name": "Sandbox Bakery"}'}


def test_each_call_has_a_key_of_its_own_unless_the_caller_gives_one() -> None:
    with serve_script(DONE) as server, open_client(server) as client:
        for key in (None, None, "mine"):
            client.create_search({"name": "Sandbox Bakery"}, idempotency_key=key)
    first, second, third = server.idempotency_keys
    assert first != second
    assert third == "mine"


def test_a_patch_is_repeated_only_if_nothing_was_done() -> None:
    with serve_script(BUSY, CASE) as server, open_client(server) as client:
        client.change_case(ID, CaseChange(priority="high"))
    assert len(server.received) == 2
    for interruption, error in ((FAILED, ServiceFailed), (ScriptedResponse(BROKEN), ConnectionFailed)):
        with serve_script(interruption, CASE) as server, open_client(server) as client, pytest.raises(error):
            client.change_case(ID, CaseChange(priority="high"))
        assert len(server.received) == 1


def test_a_conflict_is_final_unless_an_earlier_attempt_may_be_in_progress() -> None:
    with serve_script(CONFLICT, DONE) as server, open_client(server) as client, pytest.raises(StateConflict):
        client.create_search({"name": "Sandbox Bakery"})
    with serve_script(ScriptedResponse(BROKEN), CONFLICT, DONE) as server, open_client(server) as client:
        client.create_search({"name": "Sandbox Bakery"})
    assert len(server.received) == 3


def test_retries_end_and_the_last_error_is_raised() -> None:
    with serve_script(LIMITED) as server, open_client(server) as client, pytest.raises(RateLimitExceeded) as raised:
        client.read_coverage()
    assert len(server.received) == 1 + AT_ONCE.max_retries
    assert (raised.value.status, raised.value.code, raised.value.request_id) == (429, "RATE_LIMITED", "r-2")


def test_a_service_that_is_down_is_a_failed_connection() -> None:
    with BonafideClient(f"http://{HOST}:{free_port()}", KEY, retry=AT_ONCE) as client, pytest.raises(ConnectionFailed):
        client.change_case(ID, CaseChange(priority="high"))


def test_retry_after_is_the_shortest_wait_and_a_longer_one_than_allowed_is_final() -> None:
    request = ApiRequest("GET", "/v1/coverage")
    policy = RetryPolicy(max_retries=4, first_wait_s=0.5, max_wait_s=10)
    assert RetryState(policy, request).decide_after_response(429, "7") == 7
    assert RetryState(policy, request).decide_after_response(429, "11") is None
    assert RetryState(policy, request).decide_after_response(503, format_datetime(datetime.now(UTC) + timedelta(hours=1))) is None
    for past in ("Fri, 20 Nov 2020 12:00:00 GMT", "soon"):
        assert RetryState(policy, request).decide_after_response(503, past) is not None
    state = RetryState(policy, request)
    waits = [state.decide_after_response(503, None) for _ in range(5)]
    assert waits.pop() is None
    for number, wait_s in enumerate(waits):
        assert wait_s is not None
        assert 0.25 * 2**number <= wait_s <= 0.5 * 2**number


def test_an_invalid_request_names_its_fields() -> None:
    body = {"error": "Invalid.", "code": "VALIDATION_ERROR", "requestId": "r-5", "details": [{"path": "nom", "message": "unknown"}]}
    with (
        serve_script(ScriptedResponse(400, body)) as server,
        open_client(server) as client,
        pytest.raises(RequestInvalid) as raised,
    ):
        client.create_search({"nom": "x"})
    assert raised.value.details == [{"path": "nom", "message": "unknown"}]
    assert KEY not in str(raised.value)


def test_a_response_of_something_else_is_unexpected() -> None:
    for page in (ScriptedResponse(200, b"<html>"), ScriptedResponse(200, {"portal": "sign in"})):
        with serve_script(page) as server, open_client(server) as client, pytest.raises(UnexpectedResponse):
            client.read_coverage()
    with serve_script(ScriptedResponse(404, b"<html>")) as server, open_client(server) as client, pytest.raises(ApiError) as raised:
        client.read_coverage()
    assert raised.value.status == 404


def test_a_response_that_cannot_be_read_is_a_failed_connection() -> None:
    garbled = ScriptedResponse(200, b"no gzip", {"Content-Encoding": "gzip"})
    to_itself = ScriptedResponse(302, b"", {"Location": "/v1/coverage"})
    for response in (garbled, to_itself):
        with serve_script(response) as server, open_client(server) as client, pytest.raises(ConnectionFailed):
            client.read_coverage()


def test_options_and_parameters_are_sent() -> None:
    with serve_script(ScriptedResponse(200, example("event_page"))) as server:
        with BonafideClient(f"{server.url}/", KEY, language="fr") as client:
            client.list_events(types=["business.created", "case.opened"], since=datetime(2026, 11, 20, tzinfo=UTC), limit=5)
        (request,) = server.received
    assert request.path == "/v1/events?types=business.created%2Ccase.opened&since=2026-11-20T00%3A00%3A00.000Z&limit=5"
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert request.headers["accept-language"] == "fr"
    assert request.headers["user-agent"].startswith("bonafide-client-python/")
    assert "prefer" not in request.headers


def test_a_redirect_to_another_origin_does_not_get_the_key() -> None:
    file = ScriptedResponse(200, b"%PDF-")
    with serve_script(file) as storage:
        redirect = ScriptedResponse(302, b"", {"Location": storage.url.replace(HOST, "localhost") + "/signed"})
        with serve_script(redirect) as server, open_client(server) as client:
            assert client.download_business_report(search_id=ID, registration_number="1000017") == b"%PDF-"
    assert "authorization" in server.received[0].headers
    assert "authorization" not in storage.received[0].headers


def test_the_address_may_end_with_the_version() -> None:
    with serve_script(DONE) as server:
        for address in (server.url, f"{server.url}/v1", f"{server.url}/v1/"):
            with BonafideClient(address, KEY) as client:
                client.read_search(ID)
                assert KEY not in repr(client.__dict__)
    assert {request.path for request in server.received} == {f"/v1/search/{ID}"}
    with pytest.raises(ValueError, match=r"begins with https://"):
        BonafideClient("bonafide.example", KEY)


def test_a_field_that_is_not_set_is_not_sent_and_none_is_null() -> None:
    assert BusinessUpsert(name="Sandbox Bakery Inc.", notes=None).to_dict() == {"name": "Sandbox Bakery Inc.", "notes": None}
    assert not UNSET


def test_what_a_later_version_adds_is_kept() -> None:
    result = {**example("search_result"), "addedLater": {"x": 1}}
    result["meta"] = {**result["meta"], "status": "paused"}
    with serve_script(ScriptedResponse(200, result)) as server, open_client(server) as client:
        read = client.read_search(ID)
    assert read.extra_fields == {"addedLater": {"x": 1}}
    assert str(read.meta.status) == "paused"


def page(numbers: list[int], next_cursor: str, *, has_more: bool) -> ScriptedResponse:
    event = example("event")
    events = [{**event, "sequence": number} for number in numbers]
    body = {"events": events, "cursor": {"next": next_cursor}, "pagination": {"limit": 2, "hasMore": has_more}}
    return ScriptedResponse(200, body)


def test_an_iterator_reads_every_page_and_knows_where_to_continue() -> None:
    pages = [page([1, 2], "a", has_more=True), page([], "b", has_more=True), page([3], "c", has_more=False)]
    with serve_script(*pages) as server, open_client(server) as client:
        events = client.iterate_events(limit=2)
        assert [event.sequence for event in events] == [1, 2, 3]
        assert list(events) == []
    assert events.cursor == "c"
    assert [request.path for request in server.received] == [
        "/v1/events?limit=2",
        "/v1/events?cursor=a&limit=2",
        "/v1/events?cursor=b&limit=2",
    ]


@pytest.mark.anyio
async def test_the_async_client_does_the_same(tmp_path: Path) -> None:
    pages = [LIMITED, page([1, 2], "a", has_more=True), page([3], "b", has_more=False)]
    with serve_script(*pages) as server:
        async with AsyncBonafideClient(server.url, KEY, retry=AT_ONCE) as client:
            events = client.iterate_events(limit=2)
            assert [event.sequence async for event in events] == [1, 2, 3]
    assert events.cursor == "b"
    with serve_script(FAILED, DONE) as server:
        async with AsyncBonafideClient(server.url, KEY, retry=AT_ONCE) as client:
            await client.create_search({"name": "Sandbox Bakery"})
    assert len(set(server.idempotency_keys)) == 1
    rows = tmp_path / "rows.jsonl"
    rows.write_text('{"name": "Sandbox Bakery Inc."}\n', "utf-8")
    with serve_script(BUSY, ScriptedResponse(202, example("batch_queued"))) as server:
        async with AsyncBonafideClient(server.url, KEY, retry=AT_ONCE) as client:
            await client.upload_batch(rows, "search")
    assert [rows.read_bytes() in request.body for request in server.received] == [True, True]
    with serve_script(ScriptedResponse(200, b"all of it")) as server:
        async with AsyncBonafideClient(server.url, KEY, retry=AT_ONCE) as client:
            await client.save_batch_results(ID, tmp_path / "results")
    assert (tmp_path / "results").read_bytes() == b"all of it"


def test_waiting_ends_with_a_result_a_reason_or_the_time() -> None:
    pending, failed = ScriptedResponse(200, example("verification_pending")), ScriptedResponse(200, example("verification_failed"))
    done = ScriptedResponse(200, example("verify_response"))
    with serve_script(pending, done) as server, open_client(server) as client:
        assert client.wait_for_verification(client.verify_business({"legalName": "Sandbox Bakery Inc."})).results is not None
        assert server.received[1].path == f"/v1/verify/{pending.body['reportFetchId']}"
    with serve_script(failed) as server, open_client(server) as client, pytest.raises(VerificationNotMade) as raised:
        client.wait_for_verification(ID)
    assert str(raised.value) == VerificationFailed.from_dict(failed.body).error
    with serve_script(pending) as server, open_client(server) as client, pytest.raises(WaitTimedOut):
        client.wait_for_verification(UUID(ID), timeout_s=0)


def test_a_batch_is_sent_from_a_file_and_its_results_are_saved_whole(tmp_path: Path) -> None:
    rows = tmp_path / "customers.csv"
    rows.write_text("Company\nSandbox Bakery Inc.\n", "utf-8")
    queued = ScriptedResponse(202, example("batch_queued"))
    with serve_script(BUSY, ScriptedResponse(BROKEN), queued) as server, open_client(server) as client:
        batch = client.upload_batch(rows, "screen", mapping={"name": "Company"}, parameters=BatchParameters(limit=1))
    assert str(batch.id) == queued.body["id"]
    assert len(server.received) == 3
    assert len(set(server.idempotency_keys)) == 1
    for request in server.received:
        assert request.headers["content-type"].startswith("multipart/form-data; boundary=")
        parts = (b'name="kind"', b"screen", b'{"name": "Company"}', b'{"limit": 1}', b'filename="customers.csv"', rows.read_bytes())
        assert [part for part in parts if part not in request.body] == []
    cut_off = ScriptedResponse(200, b"half", {"Content-Length": "100"})
    results = tmp_path / "results.csv"
    with serve_script(cut_off, ScriptedResponse(200, b"all of it")) as server, open_client(server) as client:
        client.save_batch_results(ID, results, format="csv")
    assert server.received[0].path == f"/v1/batches/{ID}/results?format=csv"
    assert results.read_bytes() == b"all of it"
    with serve_script(CONFLICT) as server, open_client(server) as client, pytest.raises(StateConflict):
        client.save_batch_results(ID, tmp_path / "none.csv", format="csv")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["customers.csv", "results.csv"]


def check_signatures(key: str, right: str, other: str) -> None:
    """Deliveries that are signed with the stored secret `right` are accepted with this key, and no others."""
    body = json.dumps({"type": "webhook.test", "timestamp": "2026-11-20T14:33:00.125Z", "data": example("event")}).encode()
    now = int(time.time())
    # As during a rotation, with a signature of another version first.
    headers = build_signed_headers(ID, now, body, [other, right])
    headers["webhook-signature"] = f"v9,AAAA {headers['webhook-signature']}"
    assert verify_webhook(body, headers, key).sequence == example("event")["sequence"]
    assert verify_webhook(body, {name.title(): value for name, value in headers.items()}, key).id == UUID(example("event")["id"])
    refused = [(body + b" ", headers), (body, {})]
    refused += [(body, build_signed_headers(ID, now + seconds, body, [right])) for seconds in (-600, 600)]
    refused += [(body, build_signed_headers(ID, now, body, [other])), (body, {**headers, "webhook-id": "another"})]
    refused += [(body, {**headers, name: value}) for name in headers for value in ("", "v1", "v1a,!", "nan", "9" * 5000)]
    for received, given in refused:
        with pytest.raises(InvalidWebhook):
            verify_webhook(received, given, key)


@pytest.mark.anyio
async def test_a_file_about_ownership_is_sent_with_what_it_does_not_say() -> None:
    owners = b"owner,ownerKind,share\nNorth Holdings Inc.,business,60%\n"
    with serve_script(ScriptedResponse(200, example("ownership"))) as server, open_client(server) as client:
        client.import_ownership(ID, owners, "text/csv", as_of=date(2026, 11, 1), declared_by="Jean Tremblay, director")
        async with AsyncBonafideClient(server.url, KEY) as other:
            await other.import_ownership(ID, b"[]", "application/vnd.bods+json", claimed_by="registry", subject="rec-1")
    table, statements = server.received
    assert table.path == f"/v1/businesses/{ID}/ownership?asOf=2026-11-01&declaredBy=Jean+Tremblay%2C+director"
    assert (table.headers["content-type"], table.body) == ("text/csv", owners)
    assert statements.path.endswith("ownership?claimedBy=registry&subject=rec-1")


def test_a_webhook_is_verified_with_the_secret_of_its_endpoint() -> None:
    secret, other = (str(generate_secret(SigningMethod.HMAC).shared) for _ in range(2))
    check_signatures(secret, secret, other)


def test_a_webhook_is_verified_with_the_public_key_of_its_endpoint() -> None:
    new, other = (generate_secret(SigningMethod.ED25519) for _ in range(2))
    check_signatures(str(new.public_key), new.stored, other.stored)
    for key in ("", "secret", new.stored, "whpk_AAAA", "whpk_!"):
        with pytest.raises(ValueError, match=r"."):
            verify_webhook(b"{}", {}, key)


def test_a_public_key_needs_an_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    # As where the library is not installed.
    monkeypatch.setitem(sys.modules, "cryptography.hazmat.primitives.asymmetric.ed25519", None)
    with pytest.raises(ImportError, match=r"bonafide-client\[ed25519\]"):
        verify_webhook(b"{}", {}, str(generate_secret(SigningMethod.ED25519).public_key))
