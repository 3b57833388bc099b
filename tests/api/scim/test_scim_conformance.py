"""The service passes every check of `scim2-tester`, which reads its schemas and sends what they allow."""

import httpx2
import pytest
from anyio import to_thread
from scim2_client.engines.httpx2 import SyncSCIMClient
from scim2_tester import Status, check_server

from bonafide.app.application import create_app
from bonafide.runtime import Runtime
from tests.support.api.provisioning import create_token
from tests.support.servers.asgi_server import served
from tests.support.services.accounts import known

pytestmark = [pytest.mark.anyio, pytest.mark.slow]
SKIPPED = {"search_with_attributes"}
"""Checks of what the service does not have."""


async def test_every_check_succeeds(runtime: Runtime) -> None:
    # The organization keeps its owner, whichever roles the checks give and take.
    await known(runtime)
    token = await create_token(runtime)
    async with served(create_app(runtime)) as address:
        headers = {"Authorization": f"Bearer {token}"}

        def check() -> list[str]:
            with httpx2.Client(base_url=f"{address}/scim/v2/", headers=headers) as client:
                results = check_server(SyncSCIMClient(client))
            assert len(results) > 50
            return [
                f"{result.status.name} {result.title}: {result.reason}"
                for result in results
                if result.status not in {Status.SUCCESS, Status.COMPLIANT, Status.ACCEPTABLE} and result.title not in SKIPPED
            ]

        assert await to_thread.run_sync(check) == []
