"""Versions of risk rules: drafts, activation, and who may see them."""

from typing import Any
from uuid import UUID

import pytest

from bonafide.errors import Conflict, NotFound, ValidationFailed
from bonafide.model.accounts.organizations import Principal
from bonafide.model.records.business_record import Author
from bonafide.model.risk.rules import RiskRulesInput, RiskRulesStatus
from bonafide.runtime import Runtime
from bonafide.services.accounts.organizations import read_settings_audit_log
from bonafide.services.risk.active_rules import get_active_rules
from bonafide.services.risk.rule_versions import activate, read_rules, save_draft
from tests.support.services.runtimes import principal_of

pytestmark = pytest.mark.anyio
ANN = Author("ann@north.example")


def rules(when: str = "!registry.active", points: int = 40, **fields: Any) -> RiskRulesInput:
    rule = {"id": "inactive", "title": "Inactive", "when": when, "points": points, "reason": "Not active.", **fields}
    return RiskRulesInput.model_validate({
        "rules": [rule],
        "bands": [{"name": "low", "from": 0}, {"name": "high", "from": 30}],
    })  # fmt: skip


@pytest.fixture
async def north(empty_runtime: Runtime) -> Principal:
    return await principal_of(empty_runtime, "north")


async def versions(runtime: Runtime, organization_id: UUID) -> list[tuple[int, RiskRulesStatus]]:
    return [(one.version, one.status) for one in (await read_rules(runtime, organization_id)).versions]


async def test_without_rules_the_built_in_ones_are_shown_and_not_active(empty_runtime: Runtime, north: Principal) -> None:
    shown = await read_rules(empty_runtime, north.organization_id)
    assert (shown.version, shown.status, shown.versions) == (0, RiskRulesStatus.DEFAULT, ())
    assert len(shown.facts) > 30
    assert await get_active_rules(empty_runtime.store, north.organization_id) is None


async def test_a_draft_is_replaced_until_it_is_activated(empty_runtime: Runtime, north: Principal) -> None:
    mine = north.organization_id
    assert (await save_draft(empty_runtime, mine, rules(), ANN)).version == 1
    assert (await save_draft(empty_runtime, mine, rules(points=50), ANN)).version == 1
    assert await get_active_rules(empty_runtime.store, mine) is None
    active = await activate(empty_runtime, mine, 1, ANN)
    assert (active.status, active.rules[0].points) == (RiskRulesStatus.ACTIVE, 50)
    assert (await save_draft(empty_runtime, mine, rules(points=60), ANN)).version == 2
    in_use = await get_active_rules(empty_runtime.store, mine)
    assert in_use is not None
    assert (in_use.rules.version, in_use.rules.rules[0].points) == (1, 50)
    await activate(empty_runtime, mine, 2, ANN)
    assert await versions(empty_runtime, mine) == [(2, RiskRulesStatus.ACTIVE), (1, RiskRulesStatus.RETIRED)]


async def test_a_retired_version_can_be_activated_again(empty_runtime: Runtime, north: Principal) -> None:
    mine = north.organization_id
    for points in (10, 20):
        draft = await save_draft(empty_runtime, mine, rules(points=points), ANN)
        await activate(empty_runtime, mine, draft.version, ANN)
    await activate(empty_runtime, mine, 1, ANN)
    in_use = await get_active_rules(empty_runtime.store, mine)
    assert in_use is not None
    assert in_use.rules.rules[0].points == 10
    with pytest.raises(Conflict):
        await activate(empty_runtime, mine, 1, ANN)
    assert await versions(empty_runtime, mine) == [(2, RiskRulesStatus.RETIRED), (1, RiskRulesStatus.ACTIVE)]


async def test_the_built_in_rules_become_a_version_of_the_organization(empty_runtime: Runtime, north: Principal) -> None:
    active = await activate(empty_runtime, north.organization_id, 0, ANN)
    assert (active.version, active.status) == (1, RiskRulesStatus.ACTIVE)
    assert (await read_rules(empty_runtime, north.organization_id, 0)).status is RiskRulesStatus.DEFAULT


async def test_an_invalid_condition_is_not_saved(empty_runtime: Runtime, north: Principal) -> None:
    with pytest.raises(ValidationFailed) as refused:
        await save_draft(empty_runtime, north.organization_id, rules("registry.actve"), ANN)
    assert refused.value.details[0].path == "rules.0.when"
    assert await versions(empty_runtime, north.organization_id) == []


async def test_changes_are_in_the_audit_log_once(empty_runtime: Runtime, north: Principal) -> None:
    mine = north.organization_id
    for _ in range(2):
        await save_draft(empty_runtime, mine, rules(), ANN)
    await save_draft(empty_runtime, mine, rules(points=50), ANN)
    await activate(empty_runtime, mine, 1, ANN)
    entries = (await read_settings_audit_log(empty_runtime, mine, 100, 0)).entries
    assert [entry.field for entry in entries] == [
        "riskRules.1.rules.inactive", "riskRules.1.bands", "riskRules.1.rules.inactive", "riskRules.activeVersion",
    ]  # fmt: skip
    assert (entries[-1].actor, entries[-1].old, entries[-1].new) == (ANN.actor, None, 1)


async def test_another_organization_sees_nothing_of_it(empty_runtime: Runtime, north: Principal) -> None:
    await save_draft(empty_runtime, north.organization_id, rules(), ANN)
    await activate(empty_runtime, north.organization_id, 1, ANN)
    south = (await principal_of(empty_runtime, "south")).organization_id
    assert await get_active_rules(empty_runtime.store, south) is None
    assert await versions(empty_runtime, south) == []
    for attempt in (read_rules(empty_runtime, south, 1), activate(empty_runtime, south, 1, ANN)):
        with pytest.raises(NotFound):
            await attempt
