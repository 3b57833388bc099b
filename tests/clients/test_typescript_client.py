"""The TypeScript client over real connections, run by Node.js: retries, idempotency keys, errors, pages and webhooks."""

import json
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import pytest

from bonafide.model.webhooks import SigningMethod
from bonafide.services.webhooks.signatures import build_signed_headers, generate_secret
from tests.support.client_packages import TypescriptProject, install_typescript_client, require_node
from tests.support.paths import ROOT
from tests.support.servers.scripted_server import BROKEN, ScriptedResponse, ScriptedServer, serve_script
from tests.support.session_cache import cached_folder

pytestmark = pytest.mark.slow
PROGRAM = """
import { ApiError, BonafideClient, ConnectionFailed, InvalidWebhook, UnexpectedResponse, verifyWebhook } from "bonafide-client";
import { mock } from "node:test";
import { inspect } from "node:util";

const retry = { firstWaitMs: 0 };
const client = new BonafideClient({ baseUrl: process.env.URL ?? "", key: "bf_test_client", language: "fr", retry });

async function findError(call: () => Promise<unknown>): Promise<unknown> {
  try {
    await call();
    return null;
  } catch (error) {
    if (error instanceof ApiError) return [error.name, error.status, error.code, error.requestId, error.details.length];
    if (error instanceof ConnectionFailed || error instanceof UnexpectedResponse) return error.name;
    if (error instanceof Error && "code" in error) return error.code;
    throw error;
  }
}

/** A function that responds in parts, with a pause before each. The clock moves by the pauses only. */
function respondSlowly(pauseMs: number): typeof globalThis.fetch {
  return async (_, options) => {
    let parts = 8;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        mock.timers.tick(pauseMs);
        if (options?.signal?.aborted) controller.error(options.signal.reason);
        else if (parts-- > 0) controller.enqueue(Buffer.from("x"));
        else controller.close();
      },
    });
    return new Response(body);
  };
}

async function downloadSlowly(pauseMs: number): Promise<unknown> {
  const options = { baseUrl: "http://127.0.0.1:1", key: "bf_test_client", retry: { maxRetries: 0 }, timeoutMs: 40_000 };
  const slow = new BonafideClient({ ...options, fetch: respondSlowly(pauseMs) });
  return Buffer.from(await slow.downloadPdf({ searchId: "6f1c2a0e-8f5d-4c55-9d0a-2f6f4b8f3a11" })).toString();
}

const calls: Record<string, () => Promise<unknown>> = {
  search: async () => (await client.createSearch({ name: "Sandbox Bakery" })).meta.status,
  twice: async () => {
    await client.createSearch({ name: "A" });
    await client.createSearch({ name: "A" }, { idempotencyKey: "mine" });
  },
  change: () => findError(() => client.changeCase("6f1c2a0e-8f5d-4c55-9d0a-2f6f4b8f3a11", { priority: "high" })),
  coverage: () => findError(() => client.readCoverage()),
  events: async () => {
    const events = client.iterateEvents({ limit: 2, types: ["case.opened", "case.due"] });
    const sequences = [];
    for await (const event of events) sequences.push(event.sequence);
    return [sequences, events.cursor];
  },
  verify: () => findError(() => client.waitForVerification("6f1c2a0e-8f5d-4c55-9d0a-2f6f4b8f3a11")),
  batch: async () => {
    const options = { mapping: { name: "Company" }, parameters: { limit: 1 } };
    return (await client.uploadBatch(process.env.ROWS ?? "", "screen", options)).id;
  },
  missing: () => findError(() => client.uploadBatch("none.csv", "screen")),
  results: () =>
    findError(() => client.saveBatchResults("6f1c2a0e-8f5d-4c55-9d0a-2f6f4b8f3a11", process.env.RESULTS ?? "", "csv")),
  pauses: async () => {
    mock.timers.enable({ apis: ["setTimeout"] });
    return [await downloadSlowly(15_000), await findError(() => downloadSlowly(45_000))];
  },
  print: async () => inspect(client, { depth: 9, showHidden: true }),
  webhooks: async () => {
    const { key, deliveries } = JSON.parse(process.env.WEBHOOKS ?? "");
    return deliveries.map(([body, headers]: [string, Record<string, string>]) => {
      try {
        return verifyWebhook(body, headers, key).sequence;
      } catch (error) {
        return error instanceof InvalidWebhook ? "refused" : String(error);
      }
    });
  },
};
console.log(JSON.stringify((await calls[process.env.CALL ?? ""]?.()) ?? null));
"""
KEY = "bf_test_client"
LIMITED = ScriptedResponse(429, {"error": "Slow down.", "code": "RATE_LIMITED", "requestId": "r-2"}, {"Retry-After": "0"})
FAILED = ScriptedResponse(500, {"error": "Failed.", "code": "INTERNAL_ERROR", "requestId": "r-3"})
CONFLICT = ScriptedResponse(409, {"error": "In progress.", "code": "CONFLICT", "requestId": "r-4"})
ATTEMPTS = 5


def example(name: str) -> Any:
    return json.loads((ROOT / "src" / "bonafide" / "api" / "examples" / f"{name}.json").read_text("utf-8"))


DONE = ScriptedResponse(200, example("search_result"))


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> TypescriptProject:
    require_node()
    client = cached_folder(tmp_path_factory, "typescript_client", install_typescript_client)
    project = TypescriptProject(tmp_path_factory.mktemp("typescript_calls"), client)
    project.compile({"calls": PROGRAM})
    return project


def call(project: TypescriptProject, name: str, server: ScriptedServer | None = None, **variables: str) -> Any:
    url = server.url if server is not None else "http://127.0.0.1:1"
    return json.loads(project.start("calls", CALL=name, URL=f"{url}/v1/", **variables))


@pytest.mark.parametrize("refusal", [LIMITED, FAILED, ScriptedResponse(BROKEN)], ids=["429", "500", "broken"])
def test_a_post_is_repeated_with_one_idempotency_key(project: TypescriptProject, refusal: ScriptedResponse) -> None:
    with serve_script(refusal, refusal, DONE) as server:
        assert call(project, "search", server) == "completed-with-errors"
    first, *others = server.idempotency_keys
    assert first is not None
    assert others == [first, first]
    assert {request.path for request in server.received} == {"/v1/search"}
    assert {request.headers["authorization"] for request in server.received} == {f"Bearer {KEY}"}
    assert {request.headers["accept-language"] for request in server.received} == {"fr"}


def test_each_call_has_a_key_of_its_own_unless_the_caller_gives_one(project: TypescriptProject) -> None:
    with serve_script(DONE) as server:
        assert call(project, "twice", server) is None
    first, second = server.idempotency_keys
    assert first not in {None, second}
    assert second == "mine"


def list_endings() -> Iterator[Any]:
    yield pytest.param("change", [FAILED], ["ApiError", 500, "INTERNAL_ERROR", "r-3", 0], 1, id="a patch that failed")
    yield pytest.param("change", [ScriptedResponse(BROKEN)], "ConnectionFailed", 1, id="a patch that broke")
    yield pytest.param("change", [LIMITED, ScriptedResponse(200, example("case"))], None, 2, id="a patch that was not begun")
    yield pytest.param("coverage", [LIMITED], ["ApiError", 429, "RATE_LIMITED", "r-2", 0], ATTEMPTS, id="a limit that stays")
    late = replace(LIMITED, headers={"Retry-After": format_datetime(datetime.now(UTC) + timedelta(hours=1))})
    yield pytest.param("coverage", [late], ["ApiError", 429, "RATE_LIMITED", "r-2", 0], 1, id="a limit until a later time")
    yield pytest.param("coverage", [CONFLICT], ["ApiError", 409, "CONFLICT", "r-4", 0], 1, id="a conflict")
    yield pytest.param("coverage", [ScriptedResponse(200, b"<html>")], "UnexpectedResponse", 1, id="a page")


@pytest.mark.parametrize(("name", "responses", "ending", "attempts"), list(list_endings()))
def test_retries_end(project: TypescriptProject, name: str, responses: list[ScriptedResponse], ending: Any, attempts: int) -> None:
    with serve_script(*responses) as server:
        assert call(project, name, server) == ending
    assert len(server.received) == attempts


def test_a_conflict_is_repeated_while_an_earlier_attempt_may_be_in_progress(project: TypescriptProject) -> None:
    with serve_script(ScriptedResponse(BROKEN), CONFLICT, DONE) as server:
        assert call(project, "search", server) == "completed-with-errors"


def test_an_iterator_reads_every_page_and_knows_where_to_continue(project: TypescriptProject) -> None:
    def page(numbers: list[int], next_cursor: str, *, has_more: bool) -> ScriptedResponse:
        events = [{**example("event"), "sequence": number} for number in numbers]
        return ScriptedResponse(
            200, {"events": events, "cursor": {"next": next_cursor}, "pagination": {"limit": 2, "hasMore": has_more}}
        )

    with serve_script(page([1, 2], "a", has_more=True), page([], "b", has_more=True), page([3], "c", has_more=False)) as server:
        assert call(project, "events", server) == [[1, 2, 3], "c"]
    assert [request.path.partition("cursor=")[2] for request in server.received] == ["", "a", "b"]
    assert all("types=case.opened%2Ccase.due" in request.path for request in server.received)


def test_a_pending_verification_is_read_until_it_is_final(project: TypescriptProject) -> None:
    pending, done = (ScriptedResponse(200, example(name)) for name in ("verification_pending", "verify_response"))
    with serve_script(pending, done) as server:
        assert call(project, "verify", server) is None
    assert len(server.received) == 2


def test_a_batch_is_sent_from_a_file_and_its_results_are_saved_whole(project: TypescriptProject, tmp_path: Path) -> None:
    rows, results = tmp_path / "customers.csv", tmp_path / "results.csv"
    rows.write_text("Company\nSandbox Bakery Inc.\n", "utf-8")
    queued = ScriptedResponse(202, example("batch_queued"))
    with serve_script(LIMITED, queued) as server:
        assert call(project, "batch", server, ROWS=str(rows)) == queued.body["id"]
    assert len(set(server.idempotency_keys)) == 1
    for request in server.received:
        parts = (b'name="kind"', b"screen", b'{"name":"Company"}', b'{"limit":1}', b'filename="customers.csv"', rows.read_bytes())
        assert [part for part in parts if part not in request.body] == []
    cut_off = ScriptedResponse(200, b"more than half", {"Content-Length": "100"})
    with serve_script(cut_off, ScriptedResponse(200, b"all of it")) as server:
        assert call(project, "results", server, RESULTS=str(results)) is None
    assert results.read_bytes() == b"all of it"


def test_a_file_that_cannot_be_read_or_written_fails_at_once(project: TypescriptProject, tmp_path: Path) -> None:
    with serve_script(ScriptedResponse(200, b"all of it")) as server:
        assert call(project, "missing", server) == "ENOENT"
        assert call(project, "results", server, RESULTS=str(tmp_path / "none" / "results.csv")) == "ENOENT"
        assert server.received == []
        full = tmp_path / "full.part"
        full.symlink_to("/dev/full")
        assert call(project, "results", server, RESULTS=str(tmp_path / "full")) == "ENOSPC"
        assert len(server.received) == 1
    assert list(tmp_path.iterdir()) == []


def test_the_wait_is_limited_and_not_the_time_of_a_whole_download(project: TypescriptProject) -> None:
    assert call(project, "pauses") == ["xxxxxxxx", "ConnectionFailed"]


def test_a_client_that_is_printed_does_not_show_its_key(project: TypescriptProject) -> None:
    printed = call(project, "print")
    assert "BonafideClient" in printed
    assert KEY not in printed


@pytest.mark.parametrize("method", list(SigningMethod))
def test_a_webhook_is_verified_with_the_key_of_its_endpoint(project: TypescriptProject, method: SigningMethod) -> None:
    body = json.dumps({"type": "webhook.test", "timestamp": "2026-11-20T14:33:00.125Z", "data": example("event")})
    (right, other), event_id, now = (generate_secret(method) for _ in range(2)), example("event")["id"], int(time.time())

    def sign(*stored: str, moved_by: int = 0) -> dict[str, str]:
        return build_signed_headers(event_id, now + moved_by, body.encode(), stored)

    headers = sign(other.stored, right.stored)
    accepted = [(body, headers), (body, {name.title(): value for name, value in headers.items()})]
    refused = [(body + " ", headers), (body, {}), (body, sign(other.stored)), (body, {**headers, "webhook-id": "another"})]
    refused += [(body, sign(right.stored, moved_by=seconds)) for seconds in (-600, 600)]
    refused += [(body, {**headers, name: value}) for name in headers for value in ("", "v1", "v1a,!", "NaN", "9" * 5000)]
    key = right.shared if right.shared is not None else right.public_key
    found = call(project, "webhooks", WEBHOOKS=json.dumps({"key": key, "deliveries": [*accepted, *refused]}))
    assert found == [example("event")["sequence"]] * len(accepted) + ["refused"] * len(refused)


def test_a_key_of_another_kind_verifies_nothing(project: TypescriptProject) -> None:
    for key in ("", "secret", "whpk_AAAA", generate_secret(SigningMethod.ED25519).stored):
        [found] = call(project, "webhooks", WEBHOOKS=json.dumps({"key": key, "deliveries": [["{}", {}]]}))
        assert found.startswith("TypeError")
