"""Risk rules over the API: draft, replay, activation, and the rating in results and records."""

import pytest
from fastapi import FastAPI

from bonafide.api.routes import ROUTERS
from bonafide.app.application import create_app
from bonafide.model.accounts.organizations import Scope, World
from bonafide.runtime import Runtime
from tests.support.api.clients import NewClient, NewKey
from tests.support.api.operation_requests import RISK_RULES

pytestmark = pytest.mark.anyio


@pytest.fixture
def app(sandbox_runtime: Runtime) -> FastAPI:
    return create_app(sandbox_runtime, ROUTERS)


async def test_a_draft_is_replayed_and_activated_and_rates_new_results(new_client: NewClient, new_key: NewKey) -> None:
    client = await new_client(await new_key(world=World.SANDBOX))
    shown = (await client.get("/v1/risk/rules")).json()
    assert (shown["version"], shown["status"], shown["versions"]) == (0, "default", [])
    await client.post("/v1/search", json={"name": "Sandbox Bakery Inc."})
    draft = (await client.put("/v1/risk/rules", json=RISK_RULES)).json()
    assert (draft["version"], draft["status"], draft["rules"][0]["unknownPoints"]) == (1, "draft", None)
    replayed = (await client.post("/v1/risk/rules/1/replay", json={})).json()
    assert (replayed["results"], replayed["activeVersion"]) == (1, None)
    active = await client.post("/v1/risk/rules/1/activate", headers={"Idempotency-Key": "activate-1"})
    assert (active.status_code, active.json()["status"]) == (200, "active")
    again = await client.post("/v1/risk/rules/1/activate", headers={"Idempotency-Key": "activate-1"})
    assert (again.status_code, again.json()) == (200, active.json())
    assert (await client.post("/v1/risk/rules/1/activate")).status_code == 409
    record = (await client.post("/v1/businesses", json={"name": "Sandbox Bakery Inc."})).json()["business"]
    assert record["risk"] is None
    result = (await client.post("/v1/search", json={"businessId": record["id"]})).json()
    assert result["risk"]["version"] == 1
    rated = (await client.get(f"/v1/businesses/{record['id']}")).json()["business"]["risk"]
    assert (rated["band"], rated["version"]) == (result["risk"]["band"], 1)


@pytest.mark.parametrize(
    ("rule", "path"),
    [({"when": "registry.actve"}, "rules.0.when"), ({"points": "many"}, "rules.0.points"), ({"weight": 1}, "rules.0.weight")],
)
async def test_an_invalid_rule_is_refused_with_its_field(
    new_client: NewClient, new_key: NewKey, rule: dict[str, object], path: str
) -> None:
    client = await new_client(await new_key())
    rules = [{**RISK_RULES["rules"][0], **rule}]
    answer = await client.put("/v1/risk/rules", json={**RISK_RULES, "rules": rules})
    assert (answer.status_code, answer.json()["details"][0]["path"]) == (400, path)


@pytest.mark.parametrize("version", ["x", "-1", "1.5", "9" * 12, "%201"])
async def test_a_version_is_a_number(new_client: NewClient, new_key: NewKey, version: str) -> None:
    client = await new_client(await new_key())
    assert (await client.post(f"/v1/risk/rules/{version}/activate")).status_code == 400


async def test_rules_need_their_scope_and_a_replay_that_of_searches(new_client: NewClient, new_key: NewKey) -> None:
    reader = await new_client(await new_key(scopes=[Scope.RISK_READ]))
    assert (await reader.get("/v1/risk/rules")).status_code == 200
    assert (await reader.put("/v1/risk/rules", json=RISK_RULES)).status_code == 403
    assert (await reader.post("/v1/risk/rules/0/activate")).status_code == 403
    refused = await reader.post("/v1/risk/rules/0/replay", json={})
    assert (refused.status_code, "search:read" in refused.json()["error"]) == (403, True)
    both = await new_client(await new_key(scopes=[Scope.RISK_READ, Scope.SEARCH_READ]))
    assert (await both.post("/v1/risk/rules/0/replay", json={})).status_code == 200
    assert (await both.get("/v1/risk/rules", params={"version": "9"})).status_code == 404
