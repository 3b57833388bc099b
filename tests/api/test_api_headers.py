"""Every answer of every route says how a browser has to treat it, and nothing of what made it."""

import re
from dataclasses import replace

import httpx2
import pytest
from fastapi import FastAPI
from fastapi.routing import iter_route_contexts

from bonafide.app.application import create_app
from bonafide.runtime import Runtime
from tests.support.api.clients import HIGH_LIMIT, NewClient, NewKey
from tests.support.databases import ON_SQLITE_ONLY

pytestmark = [pytest.mark.anyio]
SOME_ID = "6f1c2a0e-8f5d-4c55-9d0a-2f6f4b8f3a11"
METHODS = ("GET", "HEAD", "POST", "OPTIONS", "BREW")
KEPT = ("/assets/", "/docs", "/changelog", "/openapi.json", "/favicon")
"""What is the same for everybody, so that caches may keep it."""
TELLING = re.compile(r"Traceback|File \"|site-packages")


def paths(app: FastAPI) -> list[str]:
    templates = {context.path_format for context in iter_route_contexts(app.routes)} - {None}
    return sorted(re.sub(r"\{[^}]*\}", SOME_ID, template) for template in templates if template is not None)


def check(answer: httpx2.Response) -> None:
    headers, path = answer.headers, answer.url.path
    assert headers["X-Content-Type-Options"] == "nosniff", path
    assert "default-src 'none'" in headers["Content-Security-Policy"] or headers["Content-Security-Policy"] == "sandbox", path
    assert headers["Referrer-Policy"] in {"no-referrer", "same-origin"}, path
    assert {"server", "x-powered-by", "via"}.isdisjoint(headers), path
    if not path.startswith(KEPT):
        assert headers["Cache-Control"] == "no-store", path
    if answer.status_code >= 400:
        assert TELLING.search(answer.text) is None, (path, answer.text[:200])


@pytest.mark.slow
@ON_SQLITE_ONLY
async def test_every_route_answers_with_the_headers_that_protect(runtime: Runtime, new_client: NewClient, new_key: NewKey) -> None:
    # No route refuses, after a delay, a caller who exceeds its rate limit: each answers for itself.
    settings = runtime.settings.model_copy(update={"anonymous_rate_limit": HIGH_LIMIT})
    app = create_app(replace(runtime, settings=settings))
    on_app = replace(new_client, app=app)
    anonymous, north = await on_app(None), await on_app(await new_key())
    walked = [*paths(app), "/nothing", "/v1/nothing", "/docs/nothing", "/console/nothing", "/assets/nothing"]
    assert len(walked) > 100
    for path in walked:
        for method in METHODS:
            check(await anonymous.request(method, path))
        check(await north.get(path))


@pytest.mark.parametrize(
    ("public_url", "header"), [("https://b.example", "max-age=31536000"), ("http://b.example", None), (None, None)]
)
async def test_over_https_browsers_are_told_to_stay_there(
    runtime: Runtime, new_client: NewClient, public_url: str | None, header: str | None
) -> None:
    settings = runtime.settings.model_copy(update={"public_url": public_url})
    client = await replace(new_client, app=create_app(replace(runtime, settings=settings)))(None)
    for path in ("/healthz", "/v1/searches", "/docs", "/console/sign-in", "/nothing"):
        assert (await client.get(path)).headers.get("Strict-Transport-Security") == header
