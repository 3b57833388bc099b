"""Monitoring on the wire: settings, overrides of records, and what was evaluated."""

from typing import Any

import httpx2
import pytest

from bonafide.model.accounts.organizations import World
from bonafide.runtime import Runtime
from bonafide.services.monitoring.scheduling import run_monitoring

pytestmark = pytest.mark.anyio


async def sent(answer: httpx2.Response) -> Any:
    assert answer.is_success, answer.text
    return answer.json()


async def monitored(client: httpx2.AsyncClient, **fields: Any) -> dict[str, Any]:
    body = {"externalId": "crm-1", "name": "Quiet Harbour Bakery Inc.", "isMonitored": True, **fields}
    record: dict[str, Any] = (await sent(await client.put("/v1/businesses", json=body)))["business"]
    return record


async def test_a_policy_is_set_field_by_field(north: httpx2.AsyncClient) -> None:
    before = (await sent(await north.get("/v1/settings")))["monitoring"]
    assert before["kinds"]["licences"] is True
    change = {"monitoring": {"kinds": {"licences": False}, "verificationMaxAgeDays": None}}
    after = (await sent(await north.put("/v1/settings", json=change)))["monitoring"]
    assert after == {**before, "kinds": {**before["kinds"], "licences": False}, "verificationMaxAgeDays": None}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("verificationMaxAgeDays", 0),
        ("websiteIntervalDays", 0),
        ("websiteIntervalDays", 366),
        ("minSeverity", "urgent"),
        ("kinds", {"weather": True}),
    ],
    ids=["age", "no interval", "long interval", "severity", "kind"],
)
async def test_an_invalid_policy_is_refused(north: httpx2.AsyncClient, field: str, value: object) -> None:
    for path, body in (("/v1/settings", {}), ("/v1/businesses", {"name": "Quiet Harbour Bakery Inc."})):
        answer = await north.put(path, json={**body, "monitoring": {field: value}})
        assert answer.status_code == 400
        assert answer.json()["details"][0]["path"].startswith(f"monitoring.{field}")


async def test_a_record_overrides_the_policy_until_it_is_cleared(north: httpx2.AsyncClient) -> None:
    record = await monitored(north, monitoring={"kinds": {"registry": False}, "minSeverity": "medium"})
    record = await monitored(north, monitoring={"verificationMaxAgeDays": 90})
    assert record["monitoring"]["kinds"]["registry"] is False
    assert record["monitoring"]["minSeverity"] == "medium"
    policy = (await sent(await north.get(f"/v1/businesses/{record['id']}/monitoring")))["policy"]
    assert policy["kinds"]["registry"] is False
    assert policy["kinds"]["sanctions"] is True
    assert policy["verificationMaxAgeDays"] == 90
    record = await monitored(north, monitoring=None)
    assert record["monitoring"]["kinds"]["registry"] is None
    assert record["monitoring"]["minSeverity"] is None


async def test_a_person_keeps_the_switch(north: httpx2.AsyncClient) -> None:
    await monitored(north, people=[{"name": "Odalys Fennimore", "isMonitored": False}, {"name": "Jordan Sample"}])
    record = await monitored(north, people=[{"name": "Odalys Fennimore", "role": "Director"}, {"name": "Jordan Sample"}])
    assert [person["isMonitored"] for person in record["people"]] == [False, True]


async def test_an_evaluation_is_shown(north: httpx2.AsyncClient, runtime: Runtime) -> None:
    record = await monitored(north)
    path = f"/v1/businesses/{record['id']}/monitoring"
    assert (await sent(await north.get(path)))["status"] == "never_evaluated"
    assert (await sent(await north.get("/v1/monitoring")))["counts"]["neverEvaluated"] == 1
    await run_monitoring(runtime, World.LIVE)
    answer = await sent(await north.get(path))
    assert (answer["status"], answer["isQueued"]) == ("current", False)
    assert all(one["reason"] is not None for one in answer["evaluations"] if one["outcome"] == "not_evaluated")
    overview = await sent(await north.get("/v1/monitoring"))
    assert overview["counts"] == {"current": 1, "overdue": 0, "neverEvaluated": 0, "off": 0}
    assert overview["oldestEvaluationAt"] is not None
    await sent(await north.put("/v1/settings", json={"monitoring": {"enabled": False}}))
    assert (await sent(await north.get(path)))["status"] == "off"
    assert (await sent(await north.get("/v1/monitoring")))["counts"]["off"] == 1


async def test_another_organization_sees_nothing(north: httpx2.AsyncClient, south: httpx2.AsyncClient, runtime: Runtime) -> None:
    record = await monitored(north)
    await run_monitoring(runtime, World.LIVE)
    assert (await south.get(f"/v1/businesses/{record['id']}/monitoring")).status_code == 404
    assert (await sent(await south.get("/v1/monitoring")))["counts"]["current"] == 0
