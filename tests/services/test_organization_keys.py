"""API keys as owners manage them: each change stands in the trail, and a key of another organization is none."""

from datetime import timedelta
from uuid import UUID, uuid4

import pytest

from bonafide.errors import Conflict, NotFound, RevokedApiKey
from bonafide.model.accounts.organizations import KeyChange, KeyRequest, Scope, World
from bonafide.model.records.business_record import AuditEntry, Author
from bonafide.runtime import Runtime
from bonafide.services.accounts import api_access, organization_api_keys
from bonafide.services.accounts.api_access import CreatedApiKey
from bonafide.store.tenants import audit_log
from tests.support.services.runtimes import ManualClock

pytestmark = pytest.mark.anyio
ANN = Author("ann@north.example", uuid4().hex)
DAY = timedelta(days=1)


@pytest.fixture
async def first(empty_runtime: Runtime) -> CreatedApiKey:
    """A key of the organization north, made by the operator."""
    return await api_access.create_key(empty_runtime, KeyRequest(organization="north", label="first", world=World.SANDBOX))


async def trail_of(runtime: Runtime, organization_id: UUID, key_id: UUID) -> list[AuditEntry]:
    async with runtime.store.read() as connection:
        return list((await audit_log.list_for_subject(connection, organization_id, key_id, 10, 0)).entries)


async def test_a_new_key_belongs_to_the_organization_whatever_the_request_names(
    empty_runtime: Runtime, first: CreatedApiKey
) -> None:
    request = KeyRequest(organization="south", label="second", scopes=(Scope.SEARCH_READ,), world=World.SANDBOX)
    made = await organization_api_keys.create_key(empty_runtime, first.key.organization_id, request, ANN)
    assert made.key.organization == "north"
    listed = await organization_api_keys.list_keys(empty_runtime, first.key.organization_id)
    assert {key.label for key in listed} == {"first", "second"}
    [entry] = await trail_of(empty_runtime, first.key.organization_id, made.key.id)
    assert (entry.actor, entry.field, entry.old) == (ANN.actor, organization_api_keys.KEY, None)
    assert made.text not in entry.to_json()
    assert (await api_access.authenticate(empty_runtime, made.text)).organization_id == first.key.organization_id


async def test_rotation_ends_the_old_key_after_its_time_and_says_so_in_the_trail(
    empty_runtime: Runtime, first: CreatedApiKey, clock: ManualClock
) -> None:
    own = first.key.organization_id
    made = await organization_api_keys.rotate_key(empty_runtime, own, first.key.id, DAY, ANN)
    assert (await organization_api_keys.read_key(empty_runtime, own, first.key.id)).expires_at == clock.now + DAY
    assert made.key.label == "first"
    assert [entry.actor for entry in await trail_of(empty_runtime, own, first.key.id)] == [ANN.actor]
    clock.advance(days=2)
    with pytest.raises(Conflict):
        await organization_api_keys.rotate_key(empty_runtime, own, first.key.id, DAY, ANN)


async def test_a_revoked_key_is_refused_at_once_and_can_not_be_changed(empty_runtime: Runtime, first: CreatedApiKey) -> None:
    own = first.key.organization_id
    await api_access.authenticate(empty_runtime, first.text)
    await organization_api_keys.revoke_key(empty_runtime, own, first.key.id, ANN)
    with pytest.raises(RevokedApiKey):
        await api_access.authenticate(empty_runtime, first.text)
    with pytest.raises(Conflict):
        await organization_api_keys.change_key(empty_runtime, own, first.key.id, KeyChange(rate_limit=5), ANN)
    await organization_api_keys.revoke_key(empty_runtime, own, first.key.id, ANN)
    assert len(await trail_of(empty_runtime, own, first.key.id)) == 1


async def test_a_change_that_changes_nothing_is_not_in_the_trail(empty_runtime: Runtime, first: CreatedApiKey) -> None:
    own = first.key.organization_id
    changed = await organization_api_keys.change_key(empty_runtime, own, first.key.id, KeyChange(rate_limit=5), ANN)
    await organization_api_keys.change_key(empty_runtime, own, first.key.id, KeyChange(rate_limit=5), ANN)
    assert changed.rate_limit == 5
    assert len(await trail_of(empty_runtime, own, first.key.id)) == 1


async def test_a_rotated_key_is_as_lenient_as_the_old_one(empty_runtime: Runtime, first: CreatedApiKey) -> None:
    own = first.key.organization_id
    assert (await api_access.authenticate(empty_runtime, first.text)).lenient is False
    await organization_api_keys.change_key(empty_runtime, own, first.key.id, KeyChange(lenient=True), ANN)
    made = await organization_api_keys.rotate_key(empty_runtime, own, first.key.id, DAY, ANN)
    assert [(await api_access.authenticate(empty_runtime, text)).lenient for text in (first.text, made.text)] == [True, True]


async def test_another_organizations_key_can_be_neither_read_nor_touched(empty_runtime: Runtime, first: CreatedApiKey) -> None:
    south = (await api_access.create_key(empty_runtime, KeyRequest(organization="south", world=World.SANDBOX))).key.organization_id
    for attempt in (
        organization_api_keys.read_key(empty_runtime, south, first.key.id),
        organization_api_keys.rotate_key(empty_runtime, south, first.key.id, DAY, ANN),
        organization_api_keys.change_key(empty_runtime, south, first.key.id, KeyChange(rate_limit=5), ANN),
        organization_api_keys.revoke_key(empty_runtime, south, first.key.id, ANN),
    ):
        with pytest.raises(NotFound):
            await attempt
    assert await organization_api_keys.read_key(empty_runtime, first.key.organization_id, first.key.id) == first.key
