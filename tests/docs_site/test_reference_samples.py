"""Every example of the reference is sent to the sandbox as the page's button does: ids of earlier answers put into later ones."""

import ast
import contextlib
import inspect
import io
import json
import re
import shlex
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import anyio
import httpx2
import pytest
from bonafide_client import BonafideClient

from bonafide.docs_site.api_reference import DocumentedOperation, load_reference
from bonafide.docs_site.client_samples import render_python, render_typescript
from bonafide.docs_site.request_samples import RequestSample, render_curl
from bonafide_sandbox.demo import RunningDemo
from clients.generator.operations import to_snake_case
from tests.support.paths import ROOT

pytestmark = pytest.mark.anyio
METHODS = (ROOT / "clients" / "typescript" / "src" / "operations.gen.ts").read_text("utf-8")
UUIDS = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
BEFORE = (
    *("createSearch", "verifyBusiness", "screen", "dismissHit", "upsertBusiness", "createBusinessReport"),
    *("putOwnership", "addDocument", "openDiscrepancies", "listEvents", "createWebhookEndpoint"),
)
"""Whose answers others go on from."""
ERASURES = ("eraseScreening", "eraseReport", "eraseVerification", "eraseSearch", "eraseCase", "eraseBusiness")
LAST = ("revokeDismissal", "deleteWebhookEndpoint", *ERASURES)
HOLD = "putLegalHold"


def operations() -> list[DocumentedOperation]:
    """In an order in which they can be run."""
    found = [operation for group in load_reference().groups for operation in group.operations]
    by_id = {operation.operation_id: operation for operation in found}
    first, last = [by_id[name] for name in BEFORE], [by_id[name] for name in LAST]
    return [*first, *(operation for operation in found if operation not in first and operation not in last), *last]


def at(answer: Any, path: str) -> Any:
    for part in path.split("."):
        if answer is None:
            return None
        answer = answer[int(part)] if isinstance(answer, list) else answer.get(part)
    return answer


def put(body: Any, path: str, value: str) -> None:
    *holders, last = path.split(".")
    for name in holders:
        body = body[int(name)] if isinstance(body, list) else body[name]
    if isinstance(body, list):
        body[int(last)] = value
    else:
        body[last] = value


def learn(known: dict[str, str], sample: RequestSample, answer: Any) -> None:
    for name, paths in sample.gives.items():
        found = next((value for path in paths.split() if isinstance(value := at(answer, path), str)), None)
        assert found is not None, f"{sample.operation_id} gives no {name}"
        known[name] = found


def filled(sample: RequestSample, known: dict[str, str]) -> RequestSample:
    body = json.loads(sample.body_text)
    for path, name in sample.fills.items():
        put(body, path, known[name])
    names = iter(sample.takes.split())
    path = UUIDS.sub(lambda found: known.get(next(names, ""), found[0]), sample.path)
    return replace(sample, path=path, body=body)


async def send(client: httpx2.AsyncClient, sample: RequestSample, key: str) -> httpx2.Response:
    headers = {"Authorization": f"Bearer {key}"}
    return await client.request(sample.method, sample.path, headers=headers, json=sample.body, follow_redirects=True)


@pytest.mark.slow
async def test_every_example_of_the_reference_runs_in_the_sandbox(api_key: str, caller: httpx2.AsyncClient) -> None:
    known: dict[str, str] = {}
    failed = {}
    for operation in operations():
        sample = filled(operation.sample, known)
        answer = await send(caller, sample, api_key)
        if operation.operation_id == HOLD:
            # What is held can't be erased by the last examples.
            await send(caller, replace(sample, body={**sample.body, "held": False}), api_key)
        if not answer.is_success:
            failed[operation.operation_id] = answer.text
        elif operation.sample.gives:
            learn(known, operation.sample, answer.json())
    assert failed == {}


def words_of(text: str) -> Iterator[str]:
    yield from shlex.split(text.replace("\\\n", " "))


@pytest.mark.parametrize("operation", operations(), ids=lambda operation: operation.operation_id)
def test_the_shell_reads_of_the_curl_example_what_the_button_sends(operation: DocumentedOperation) -> None:
    words = list(words_of(render_curl(operation.sample, "https://bonafide.example")))
    assert words[0] == "curl"
    assert f"https://bonafide.example{operation.sample.path}" in words
    assert "Authorization: Bearer $KEY" in words
    method = words[words.index("-X") + 1] if "-X" in words else "POST" if "-d" in words else "GET"
    assert method == operation.method
    assert (json.loads(words[words.index("-d") + 1]) if "-d" in words else None) == operation.sample.body


@pytest.mark.parametrize("operation", operations(), ids=lambda operation: operation.operation_id)
def test_the_typescript_example_calls_the_operation_with_what_the_button_sends(operation: DocumentedOperation) -> None:
    sample = operation.sample
    program = render_typescript(sample, "https://bonafide.example")
    arguments = [json.dumps(value) for value in sample.path_values] + [sample.body_text] * (sample.body is not None)
    assert f"await client.{operation.operation_id}({', '.join(arguments)}" in program
    assert f"\n  {operation.operation_id}(" in METHODS, "run make clients"


@pytest.mark.parametrize("operation", operations(), ids=lambda operation: operation.operation_id)
def test_the_python_example_calls_the_operation_with_what_the_button_sends(operation: DocumentedOperation) -> None:
    sample = operation.sample
    call = next(
        node
        for node in ast.walk(ast.parse(render_python(sample, "https://bonafide.example")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == to_snake_case(sample.operation_id)
    )
    arguments = [ast.literal_eval(argument) for argument in call.args]
    named = {keyword.arg: ast.literal_eval(keyword.value) for keyword in call.keywords if keyword.arg is not None}
    bound = inspect.signature(getattr(BonafideClient, to_snake_case(sample.operation_id))).bind(None, *arguments, **named)
    assert bound.arguments.get("body") == sample.body
    assert len(arguments) == len(operation.path.split("{")) - 1 + (sample.body is not None)
    assert len(named) == len(sample.query_values)


async def test_python_examples_run(demo: RunningDemo, api_key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that only reads, and one that sends a body."""
    monkeypatch.setenv("KEY", api_key)
    by_id = {operation.operation_id: operation.sample for operation in operations()}
    for name in ("createSearch", "readCoverage"):
        told = io.StringIO()
        program = compile(render_python(by_id[name], demo.base_url.removesuffix("/v1")), name, "exec")
        with contextlib.redirect_stdout(told):
            await anyio.to_thread.run_sync(exec, program, {})
        # The service runs in this process, and its log may come in between.
        assert any(line.startswith("{'") for line in told.getvalue().splitlines())
