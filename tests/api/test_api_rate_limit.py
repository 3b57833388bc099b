from dataclasses import replace

import httpx2
import pytest
from fastapi import FastAPI
from pydantic import ValidationError

from bonafide.api.protocol import rate_limit
from bonafide.api.protocol.rate_limit import MemoryRateLimiter
from bonafide.app.application import create_app
from bonafide.runtime import Runtime
from bonafide.settings import Settings
from bonafide.web.client_address import ClientAddressResolver
from tests.support.api.clients import BASE, NOON, ManualClock, NewClient, NewKey

pytestmark = pytest.mark.anyio
NOON_S = int(NOON.timestamp())


def limits(answer: httpx2.Response) -> tuple[int, int, int]:
    limit, remaining, reset = (int(answer.headers[f"X-RateLimit-{name}"]) for name in ("Limit", "Remaining", "Reset"))
    return limit, remaining, reset


async def test_the_headers_count_down_to_the_end_of_the_window(new_client: NewClient, new_key: NewKey, clock: ManualClock) -> None:
    client = await new_client(await new_key(rate_limit=5))
    clock.move(seconds=20.7)
    assert limits(await client.get("/v1/searches")) == (5, 4, NOON_S + 60)
    assert limits(await client.get("/v1/searches")) == (5, 3, NOON_S + 60)


async def test_one_request_too_many_is_refused_until_the_window_resets(
    new_client: NewClient, new_key: NewKey, clock: ManualClock
) -> None:
    client = await new_client(await new_key(rate_limit=2))
    clock.move(seconds=20.7)
    assert [(await client.get("/v1/searches")).status_code for _ in range(3)] == [200, 200, 429]
    refused = await client.get("/v1/searches")
    assert (refused.json()["code"], refused.headers["Retry-After"], limits(refused)) == ("RATE_LIMITED", "40", (2, 0, NOON_S + 60))
    clock.move(seconds=39)
    assert (await client.get("/v1/searches")).headers["Retry-After"] == "1"
    clock.move(seconds=1)
    assert limits(await client.get("/v1/searches")) == (2, 1, NOON_S + 120)


async def test_the_default_is_sixty_requests(new_client: NewClient, new_key: NewKey) -> None:
    client = await new_client(await new_key(rate_limit=60))
    statuses = [(await client.get("/v1/searches")).status_code for _ in range(61)]
    assert statuses == [200] * 60 + [429]


async def test_each_key_has_its_own_window(new_client: NewClient, new_key: NewKey) -> None:
    one, other = await new_client(await new_key(rate_limit=1)), await new_client(await new_key(rate_limit=1))
    assert [(await one.get("/v1/searches")).status_code for _ in range(2)] == [200, 429]
    assert (await other.get("/v1/searches")).status_code == 200


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/v1/searches", 200),
        ("POST", "/v1/search", 400),
        ("GET", "/v1/search/not-an-id", 400),
        ("GET", "/v1/search/6f1c2a0e-8f5d-4c55-9d0a-2f6f4b8f3a11", 404),
        ("GET", "/v1/nothing", 404),
        ("GET", "/nothing", 404),
        ("DELETE", "/v1/search", 405),
        ("OPTIONS", "/v1/search", 204),
        ("HEAD", "/v1/searches", 200),
    ],
)
async def test_every_answer_of_the_api_carries_the_headers(
    new_client: NewClient, new_key: NewKey, method: str, path: str, status: int
) -> None:
    client = await new_client(await new_key(rate_limit=9))
    answer = await client.request(method, path)
    assert (answer.status_code, limits(answer)) == (status, (9, 8, NOON_S + 60))


@pytest.mark.slow
@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/metrics", "/openapi.json", "/docs", "/changelog", "/changelog.rss"])
async def test_what_is_beside_the_api_is_not_limited_and_carries_the_headers(anonymous: httpx2.AsyncClient, path: str) -> None:
    for _ in range(61):
        answer = await anonymous.get(path)
        assert (answer.status_code, limits(answer)) == (200, (60, 60, NOON_S + 60))
        assert answer.headers["X-Request-Id"] != ""


async def test_a_refusal_at_capacity_carries_the_headers_of_its_key(
    runtime: Runtime, new_client: NewClient, new_key: NewKey
) -> None:
    key = await new_key(rate_limit=7)
    client = await new_client(key)
    assert limits(await client.get("/v1/searches"))[:2] == (7, 6)
    settings = runtime.settings.model_copy(update={"max_requests": 0})
    full = await replace(new_client, app=create_app(replace(runtime, settings=settings)))(key)
    refused = await full.get("/v1/searches")
    assert (refused.status_code, limits(refused)) == (503, (7, 7, NOON_S + 60))


async def from_address(app: FastAPI, address: str, **headers: str) -> httpx2.Response:
    transport = httpx2.ASGITransport(app, client=(address, 50000))
    async with httpx2.AsyncClient(transport=transport, base_url=BASE, headers=headers) as client:
        return await client.get("/v1/searches")


async def test_without_a_valid_key_the_client_address_is_counted(app: FastAPI, new_key: NewKey) -> None:
    assert limits(await from_address(app, "192.0.2.1"))[:2] == (60, 59)
    assert limits(await from_address(app, "192.0.2.1", **{"X-API-Key": "bf_live_guess"}))[:2] == (60, 58)
    assert limits(await from_address(app, "192.0.2.2"))[:2] == (60, 59)
    assert limits(await from_address(app, "192.0.2.1", **{"X-API-Key": await new_key(rate_limit=7)}))[:2] == (7, 6)


async def test_guessing_keys_is_limited_too(app: FastAPI) -> None:
    for number in range(60):
        await from_address(app, "192.0.2.1", **{"X-API-Key": f"bf_live_{number}"})
    assert (await from_address(app, "192.0.2.1", **{"X-API-Key": "bf_live_61"})).status_code == 429


async def test_a_trusted_proxy_may_say_for_whom_it_speaks(app: FastAPI) -> None:
    await from_address(app, "127.0.0.1", **{"X-Forwarded-For": "192.0.2.1"})
    assert limits(await from_address(app, "127.0.0.1", **{"X-Forwarded-For": "198.51.100.9, 192.0.2.1"}))[1] == 58
    assert limits(await from_address(app, "127.0.0.1", **{"X-Forwarded-For": "192.0.2.2"}))[1] == 59


def test_proxies_may_be_named_by_network_and_must_be_addresses() -> None:
    clients = ClientAddressResolver("10.0.0.0/8, 192.0.2.7,")
    headers = [(b"x-forwarded-for", b"198.51.100.9, 203.0.113.5, 192.0.2.7")]
    assert clients.find({"client": ("10.1.2.3", 1), "headers": headers}) == "203.0.113.5"
    assert clients.find({"client": ("10.1.2.3", 1), "headers": [(b"x-forwarded-for", b"nonsense")]}) == "10.1.2.3"
    assert clients.find({"client": None, "headers": headers}) == "unknown"
    with pytest.raises(ValidationError, match="trusted_proxies"):
        Settings(trusted_proxies="proxy.example")


async def test_nobody_else_may(app: FastAPI) -> None:
    await from_address(app, "192.0.2.66", **{"X-Forwarded-For": "192.0.2.1"})
    assert limits(await from_address(app, "192.0.2.66", **{"X-Forwarded-For": "192.0.2.2"}))[1] == 58


async def test_addresses_of_one_ipv6_network_count_together(app: FastAPI) -> None:
    await from_address(app, "2001:db8:1:2::1")
    assert limits(await from_address(app, "2001:db8:1:2:ffff::9"))[1] == 58
    assert limits(await from_address(app, "2001:db8:1:3::1"))[1] == 59
    await from_address(app, "192.0.2.1")
    assert limits(await from_address(app, "::ffff:192.0.2.1"))[1] == 58


async def test_the_limiter_forgets_the_quietest_caller_when_it_is_full() -> None:
    limiter = MemoryRateLimiter(60)
    for number in range(rate_limit.MAX_CALLERS):
        await limiter.hit(f"caller {number}", 60, NOON)
    assert (await limiter.hit("caller 0", 60, NOON)).used == 2
    await limiter.hit("one more", 60, NOON)
    assert (await limiter.hit("caller 0", 60, NOON)).used == 3
    assert (await limiter.hit("caller 1", 60, NOON)).used == 1
