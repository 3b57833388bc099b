"""An organization with a business about which everything is stored."""

from uuid import UUID

import pytest

from bonafide.model.accounts.organizations import Principal
from bonafide.runtime import Runtime
from tests.support.services.retention import WORD, KnownBusiness, fill


@pytest.fixture
def organization(north: Principal) -> UUID:
    return north.organization_id


@pytest.fixture
async def business(runtime: Runtime, north: Principal) -> KnownBusiness:
    return await fill(runtime, north, WORD)
