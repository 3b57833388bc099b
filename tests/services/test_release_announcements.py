"""Breaking changes and deprecations of a release are announced once to every organization of an installation that is upgraded."""

import asyncio
from uuid import UUID

import pytest

from bonafide.docs_site.changelog import parse_changelog
from bonafide.docs_site.release_events import build_release_events, read_release_events
from bonafide.model.accounts.organizations import World
from bonafide.runtime import Runtime
from bonafide.services.events.announcements import record_announcements
from bonafide.services.events.releases import announce_releases
from tests.support.services.events import list_events
from tests.support.services.runtimes import principal_of

pytestmark = pytest.mark.anyio
FIRST = "## 2026-11-20\n\n### Breaking\n\n- `limit` is at most 20.\n\n"
SECOND = """## 2026-12-01

### Breaking

- `POST /v1/search name`: at most 300 characters; `POST /v1/sanctions name`: the same.

### Added

- Something.

### Deprecated

- `GET /v1/example`: deprecated 2026-12-01, sunset 2027-06-01. Use `GET /v1/events`.

"""
UNRELEASED = "## Unreleased\n\n### Breaking\n\n- `GET /v1/events`: later.\n\n"


@pytest.fixture
def runtime(empty_runtime: Runtime) -> Runtime:
    return empty_runtime


@pytest.fixture
async def organizations(runtime: Runtime) -> list[UUID]:
    return [(await principal_of(runtime, "north", world)).organization_id for world in World]


async def announce(runtime: Runtime, text: str) -> int:
    return await announce_releases(runtime, build_release_events(parse_changelog(text)))


async def test_an_upgrade_announces_each_entry_of_the_release_once(runtime: Runtime, organizations: list[UUID]) -> None:
    assert await announce(runtime, UNRELEASED + FIRST) == 0
    upgraded = UNRELEASED + SECOND + FIRST
    assert sum(await asyncio.gather(*(announce(runtime, upgraded) for _ in range(3)))) == 2
    assert await announce(runtime, upgraded) == 0
    await record_announcements(runtime)
    for organization_id in organizations:
        breaking, deprecated = await list_events(runtime, organization_id)
        assert (breaking.type, deprecated.type) == ("changelog.breaking", "changelog.deprecated")
        assert breaking.data["operations"] == ["POST /v1/search name", "POST /v1/sanctions name"]
        assert (breaking.data["releasedOn"], breaking.data["deprecatedOn"]) == ("2026-12-01", None)
        assert deprecated.data["operations"] == ["GET /v1/example", "GET /v1/events"]
        assert (deprecated.data["deprecatedOn"], deprecated.data["sunsetOn"]) == ("2026-12-01", "2027-06-01")
        assert deprecated.links.resource == "/changelog"


async def test_a_new_installation_announces_nothing(runtime: Runtime, organizations: list[UUID]) -> None:
    assert await announce(runtime, SECOND + FIRST) == 0
    assert await announce_releases(runtime, read_release_events()) == 0
    assert await record_announcements(runtime) == 0
    assert [await list_events(runtime, organization_id) for organization_id in organizations] == [[], []]
