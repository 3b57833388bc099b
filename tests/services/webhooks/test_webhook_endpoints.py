"""Webhook endpoints: addresses are checked, secrets encrypted, changes audited, and other organizations see none of them."""

from typing import Any
from uuid import UUID, uuid4

import pytest
from sqlalchemy import select, update

from bonafide.errors import Conflict, NotFound, ValidationFailed
from bonafide.model.accounts.organizations import Principal
from bonafide.model.events.event import EventSeverity, EventType
from bonafide.model.records.business_input import BusinessUpsert
from bonafide.model.webhooks import (
    DisabledReason,
    NewWebhookEndpoint,
    SecretRotation,
    SecretStatus,
    WebhookEndpointChange,
)
from bonafide.runtime import Runtime
from bonafide.services.records.business_records import upsert
from bonafide.services.webhooks.endpoints import (
    ENDPOINT,
    MAX_ENDPOINTS,
    SECRET,
    change_endpoint,
    delete_endpoint,
    list_endpoints,
    read_endpoint,
    rotate_secret,
    send_test_event,
)
from bonafide.store.database.schema.webhook_tables import webhook_endpoints
from bonafide.store.tenants import audit_log
from tests.support.databases import ON_SQLITE_ONLY
from tests.support.services.accounts import with_settings
from tests.support.services.runtimes import principal_of
from tests.support.webhooks.delivering import ANALYST, add_endpoint

pytestmark = pytest.mark.anyio
URL = "https://hooks.example.com/bonafide"


@pytest.fixture
async def owner(empty_runtime: Runtime) -> Principal:
    return await principal_of(empty_runtime, "north")


async def list_audited(runtime: Runtime, organization_id: UUID, endpoint_id: UUID) -> list[tuple[str, Any, Any]]:
    async with runtime.store.read() as connection:
        page = await audit_log.list_for_subject(connection, organization_id, endpoint_id, 100, 0)
    return [(entry.field, entry.old, entry.new) for entry in page.entries]


async def test_an_endpoint_is_created_listed_changed_and_deleted(empty_runtime: Runtime, owner: Principal) -> None:
    organization = owner.organization_id
    created = await add_endpoint(empty_runtime, organization, URL, description="Cases", types=["report.ready", "search.completed"])
    change = WebhookEndpointChange(description=None, min_severity=EventSeverity.HIGH, enabled=False)
    changed = await change_endpoint(empty_runtime, organization, created.id, change, ANALYST)

    assert created.types == (EventType.SEARCH_COMPLETED, EventType.REPORT_READY)
    assert (created.enabled, created.disabled_reason, created.secret_status) == (True, None, SecretStatus.READY)
    assert (changed.description, changed.min_severity, changed.types) == (None, EventSeverity.HIGH, created.types)
    assert (changed.enabled, changed.disabled_reason) == (False, DisabledReason.PAUSED)
    assert (await list_endpoints(empty_runtime, organization)).webhook_endpoints == (changed,)
    await delete_endpoint(empty_runtime, organization, created.id, ANALYST)
    assert (await list_endpoints(empty_runtime, organization)).webhook_endpoints == ()
    with pytest.raises(NotFound):
        await read_endpoint(empty_runtime, organization, created.id)
    creation, edit, deletion = await list_audited(empty_runtime, organization, created.id)
    assert (creation[0], creation[1], creation[2]["url"]) == (ENDPOINT, None, URL)
    assert (edit[1]["enabled"], edit[2]["enabled"], edit[2]["minSeverity"]) == (True, False, "high")
    assert (deletion[1], deletion[2]) == (edit[2], None)


async def test_another_organization_finds_no_endpoint(empty_runtime: Runtime, owner: Principal) -> None:
    other = (await principal_of(empty_runtime, "south")).organization_id
    created = await add_endpoint(empty_runtime, owner.organization_id, URL)

    assert (await list_endpoints(empty_runtime, other)).webhook_endpoints == ()
    with pytest.raises(NotFound):
        await change_endpoint(empty_runtime, other, created.id, WebhookEndpointChange(enabled=False), ANALYST)
    with pytest.raises(NotFound):
        await rotate_secret(empty_runtime, other, created.id, SecretRotation(), ANALYST)
    with pytest.raises(NotFound):
        await send_test_event(empty_runtime, other, created.id, ANALYST)
    with pytest.raises(NotFound):
        await delete_endpoint(empty_runtime, other, created.id, ANALYST)
    assert (await read_endpoint(empty_runtime, owner.organization_id, created.id)).enabled


@pytest.mark.parametrize(
    "url",
    [
        "ftp://hooks.example.com/",
        "hooks.example.com",
        "http://hooks.example.com/",
        "https://user:password@hooks.example.com/",
        "https://hooks.example.com/a b",
        "https://hooks.example.com\\@127.0.0.1/",
        "https://127.0.0.1/",
        "https://2130706433/",
        "https://127.1/",
        "https://[::1]/",
        "https://[::ffff:10.0.0.1]/",
        "https://169.254.169.254/latest/meta-data/",
        "https://localhost/",
        "https://localhost./",
        "https://router.home.arpa/",
        "https://database.internal/",
    ],
)
@ON_SQLITE_ONLY
async def test_an_address_that_must_not_be_reached_is_refused(empty_runtime: Runtime, owner: Principal, url: str) -> None:
    with pytest.raises(ValidationFailed) as refused:
        await add_endpoint(empty_runtime, owner.organization_id, url)
    assert [problem.path for problem in refused.value.details] == ["url"]


@pytest.mark.parametrize(
    ("targets", "url"),
    [
        ("127.0.0.1", "http://127.0.0.1:8080/"),
        ("10.1.0.0/16, relay.internal", "http://10.1.2.3/"),
        ("10.1.0.0/16, relay.internal", "http://Relay.internal:8443/hooks"),
        ("fd00::/8", "https://[fd00::1]/"),
    ],
)
async def test_the_operator_allows_private_targets(empty_runtime: Runtime, owner: Principal, targets: str, url: str) -> None:
    runtime = with_settings(empty_runtime, allow_private_targets=targets)
    created = await add_endpoint(runtime, owner.organization_id, url)
    assert created.url == url.lower()
    with pytest.raises(ValidationFailed):
        await add_endpoint(runtime, owner.organization_id, "https://192.168.0.1/")


async def test_an_address_is_stored_without_its_fragment(empty_runtime: Runtime, owner: Principal) -> None:
    created = await add_endpoint(empty_runtime, owner.organization_id, "https://Hooks.Example.com/a?b=c#d")
    assert created.url == "https://hooks.example.com/a?b=c"


async def test_business_records_of_a_filter_must_exist(empty_runtime: Runtime, owner: Principal) -> None:
    organization = owner.organization_id
    known = (await upsert(empty_runtime, organization, BusinessUpsert(name="Sandbox Bakery Inc."), ANALYST)).record.id
    created = await add_endpoint(empty_runtime, organization, URL, businessIds=[str(known), str(known)])
    assert created.business_ids == (known,)
    with pytest.raises(ValidationFailed) as refused:
        await add_endpoint(empty_runtime, organization, URL, businessIds=[str(known), str(uuid4())])
    assert [problem.path for problem in refused.value.details] == ["businessIds"]


async def test_an_organization_has_a_limited_number_of_endpoints(empty_runtime: Runtime, owner: Principal) -> None:
    created = await add_endpoint(empty_runtime, owner.organization_id, URL)
    for _ in range(MAX_ENDPOINTS - 1):
        await add_endpoint(empty_runtime, owner.organization_id, URL)
    with pytest.raises(Conflict):
        await add_endpoint(empty_runtime, owner.organization_id, URL)
    await delete_endpoint(empty_runtime, owner.organization_id, created.id, ANALYST)
    await add_endpoint(empty_runtime, owner.organization_id, URL)


async def test_secrets_are_stored_encrypted_and_bound_to_their_endpoint(empty_runtime: Runtime, owner: Principal) -> None:
    organization = owner.organization_id
    one = await add_endpoint(empty_runtime, organization, URL)
    two = await add_endpoint(empty_runtime, organization, URL)
    async with empty_runtime.store.read() as connection:
        stored = dict((await connection.execute(select(webhook_endpoints.c.id, webhook_endpoints.c.secret))).all())
    assert one.secret is not None
    assert one.secret.encode() not in stored[one.id]
    async with empty_runtime.store.write() as connection:
        await connection.execute(update(webhook_endpoints).where(webhook_endpoints.c.id == two.id).values(secret=stored[one.id]))

    assert (await read_endpoint(empty_runtime, organization, one.id)).secret_status is SecretStatus.READY
    assert (await read_endpoint(empty_runtime, organization, two.id)).secret_status is SecretStatus.UNREADABLE


async def test_a_rotation_is_audited_without_the_secret(empty_runtime: Runtime, owner: Principal) -> None:
    organization = owner.organization_id
    created = await add_endpoint(empty_runtime, organization, URL)
    rotated = await rotate_secret(empty_runtime, organization, created.id, SecretRotation(), ANALYST)
    at_once = await rotate_secret(empty_runtime, organization, created.id, SecretRotation(overlap_seconds=0), ANALYST)

    assert len({created.secret, rotated.secret, at_once.secret}) == 3
    assert rotated.previous_expires_at is not None
    assert at_once.previous_expires_at is None
    audited = await list_audited(empty_runtime, organization, created.id)
    assert [field for field, _, _ in audited] == [ENDPOINT, SECRET, SECRET]
    assert "whsec_" not in str(audited)


async def test_the_webhook_of_a_chat_has_no_secret_and_its_address_is_not_audited(empty_runtime: Runtime, owner: Principal) -> None:
    organization = owner.organization_id
    address = "https://hooks.slack.example/services/T000/B000/XXXX"
    created = await add_endpoint(empty_runtime, organization, address, kind="slack")
    change = WebhookEndpointChange(url=f"{address}Y")
    await change_endpoint(empty_runtime, organization, created.id, change, ANALYST)

    assert (created.secret, created.secret_status) == (None, SecretStatus.NONE)
    with pytest.raises(Conflict):
        await rotate_secret(empty_runtime, organization, created.id, SecretRotation(), ANALYST)
    audited = await list_audited(empty_runtime, organization, created.id)
    assert len(audited) == 2
    assert "T000" not in str(audited)


async def test_a_disabled_endpoint_is_not_tested(empty_runtime: Runtime, owner: Principal) -> None:
    created = await add_endpoint(empty_runtime, owner.organization_id, URL, enabled=False)
    assert created.disabled_reason is DisabledReason.PAUSED
    with pytest.raises(Conflict):
        await send_test_event(empty_runtime, owner.organization_id, created.id, ANALYST)


@pytest.mark.parametrize("field", ["url", "types", "minSeverity", "businessIds", "enabled"])
def test_a_change_refuses_null(field: str) -> None:
    with pytest.raises(ValueError, match="must not be null"):
        WebhookEndpointChange.model_validate({field: None})


def test_kind_and_signing_can_not_be_changed() -> None:
    for field in ("kind", "signing"):
        with pytest.raises(ValueError, match="Extra inputs"):
            WebhookEndpointChange.model_validate({field: "standard"})
    assert NewWebhookEndpoint.model_validate({"url": f"  {URL} "}).url == URL
