"""A live register that limits requests for a moment: searches wait for it, and only a longer pause is an error."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from fastapi import FastAPI

from bonafide.model.accounts.organizations import World
from bonafide.runtime import Runtime
from bonafide_sandbox.publisher_faults import FaultRegistry, RateLimitFault, StatusFault
from tests.support.api.live_registers import open_live_app

pytestmark = pytest.mark.anyio
REGISTER = "bc"
"""A register that every search queries live."""
REPORT = {"jurisdiction": "BC", "registrationNumber": "BC1000033"}
SEARCHES = 8


@pytest.fixture
def faults() -> FaultRegistry:
    return FaultRegistry()


@pytest.fixture
async def app(sandbox_runtime: Runtime, live_world: Path, faults: FaultRegistry) -> AsyncIterator[FastAPI]:
    async with open_live_app(sandbox_runtime, live_world, faults) as opened:
        yield opened


@pytest.fixture
def world() -> World:
    return World.SANDBOX


async def found(client: httpx2.AsyncClient, name: str) -> dict[str, Any]:
    answer = await client.post("/v1/search", json={"name": name, "jurisdictions": ["BC"], "regulatoryRegistry": False})
    result: dict[str, Any] = answer.raise_for_status().json()
    return result


@pytest.mark.slow
async def test_searches_wait_for_the_end_of_a_short_pause(
    north: httpx2.AsyncClient, south: httpx2.AsyncClient, faults: FaultRegistry
) -> None:
    faults.set_source_fault(REGISTER, RateLimitFault(1))
    assert (await north.post("/v1/business-reports", json=REPORT)).status_code == 503
    results = await asyncio.gather(*(found(south, f"Sandbox Slow Registry {number}") for number in range(SEARCHES)))
    assert [(result["meta"]["status"], result["errors"]) for result in results] == [("completed", None)] * SEARCHES


@pytest.mark.slow
async def test_a_search_repeats_a_request_that_was_refused_for_a_moment(south: httpx2.AsyncClient, faults: FaultRegistry) -> None:
    faults.set_source_fault(REGISTER, RateLimitFault(2))
    result = await found(south, "Sandbox Slow Registry Inc.")
    assert (result["meta"]["status"], result["errors"]) == ("completed", None)
    assert [match["legalName"]["name"] for match in result["businesses"]][:1] == ["Sandbox Slow Registry Inc."]


async def test_a_pause_that_is_longer_than_the_time_left_is_an_error_with_the_time(
    north: httpx2.AsyncClient, south: httpx2.AsyncClient, faults: FaultRegistry
) -> None:
    faults.set_source_fault(REGISTER, StatusFault(429, 100))
    assert (await north.post("/v1/business-reports", json=REPORT)).status_code == 503
    error = (await found(south, "Sandbox Slow Registry Inc."))["errors"]["businessRegistry"]
    assert (error["code"], error["retryable"]) == ("RATE_LIMITED", True)
    assert "Requests resume in 100 s." in error["message"] or "Requests resume in 9" in error["message"]
