"""While the service starts, its port says so; then the service answers there."""

import httpx2
import pytest

from bonafide.app.application import create_app
from bonafide.runtime import Runtime
from bonafide.server.startup import StartingApp
from tests.support.api.clients import BASE

pytestmark = pytest.mark.anyio


async def test_a_service_that_starts_says_what_it_waits_for(runtime: Runtime) -> None:
    app = StartingApp()
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url=BASE) as client:
        assert (await client.get("/healthz")).json() == {"status": "ok"}
        assert (await client.get("/healthz")).headers["X-Request-Id"] != ""
        app.wait_for("the indexes")
        for answer in (await client.get("/readyz"), await client.post("/v1/search", json={"name": "Sandbox Bakery"})):
            assert (answer.status_code, answer.headers["Retry-After"]) == (503, "2")
            assert (answer.headers["X-RateLimit-Limit"], answer.headers["X-RateLimit-Remaining"]) == ("60", "60")
            assert answer.json() == {
                "error": "Not ready. starting: waiting for the indexes.",
                "code": "SERVER_ERROR",
                "requestId": answer.headers["X-Request-Id"],
            }
        app.hand_over(create_app(runtime))
        ready = await client.get("/readyz")
        assert ready.status_code == 200
        assert ready.json()["checks"]["indexes"]["status"] == "ok"
