"""OpenSanctions downloaded: an export at first, then only what has changed, and an export again when the chain is broken."""

import json
import shutil
from collections.abc import AsyncIterator, Iterable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from bonafide.errors import ConfigurationError, ParseFailed
from bonafide.model.accounts.organizations import World
from bonafide.net.fetch import Fetcher
from bonafide.runtime import Runtime, open_runtime
from bonafide.services.loading.refresh import LoadRequest, load_source
from bonafide.services.loading.schedule import compute_next_renewal
from bonafide.services.loading.source_terms import record_acceptances
from bonafide.settings import RenewalMode, Settings
from bonafide.sources.framework.discovery import Source, get_source
from bonafide.sources.framework.metadata import LoadChecks
from bonafide.sources.sanctions.opensanctions.incremental_download import MAX_DELTAS
from bonafide_sandbox.server import create_sandbox_app
from tests.support.servers.asgi_server import served

pytestmark = pytest.mark.anyio
KEY = "opensanctions"
FOLDER = Path(__file__).parent / KEY
EXPORT, DELTA = FOLDER / "entities.ftm.jsonl", FOLDER / "20261002134702-abc" / "entities.delta.jsonl"
NOW = datetime(2026, 11, 20, 14, 33, tzinfo=UTC)
FIRST = "20261002074702-aaa"
SECOND = "20261002134702-abc"
HOME = "https://data.opensanctions.org"


def small() -> Source:
    """The source as it is, for a list of a few entries."""
    source = get_source(KEY)
    return replace(source, metadata=source.metadata.model_copy(update={"checks": LoadChecks()}))


@dataclass
class Publisher:
    """What the publisher has, and what it is asked for."""

    folder: Path
    routes: dict[str, str] = field(default_factory=dict)

    def publish(self, *versions: str) -> None:
        """An export, and the deltas of these versions; the last one of them has changes, the others none."""
        self.folder.mkdir(exist_ok=True)
        shutil.copyfile(EXPORT, self.folder / "export")
        (self.folder / "nothing").write_bytes(b"")
        shutil.copyfile(DELTA, self.folder / "changes")
        addresses = {version: f"{HOME}/artifacts/sanctions/{version}/entities.delta.json" for version in versions}
        self.say({"versions": addresses})
        self.routes[f"{HOME}/datasets/latest/sanctions/entities.ftm.json"] = "export"
        self.routes |= {url: "changes" if version == versions[-1] else "nothing" for version, url in addresses.items()}

    def say(self, answer: object) -> None:
        """What the list of versions is."""
        (self.folder / "deltas").write_text(json.dumps(answer), encoding="utf-8")
        self.routes[f"{HOME}/artifacts/sanctions/delta.json"] = "deltas"


@pytest.fixture
def publisher(tmp_path: Path) -> Publisher:
    published = Publisher(tmp_path / "published")
    published.publish(FIRST)
    return published


@pytest.fixture
async def runtime(tmp_path: Path, sqlite_template: Path) -> AsyncIterator[Runtime]:
    async with opened(tmp_path, sqlite_template) as found:
        yield found


def opened(folder: Path, template: Path, **settings: Any) -> AbstractAsyncContextManager[Runtime]:
    (folder / "data").mkdir(exist_ok=True)
    if not (folder / "data/bonafide.sqlite3").exists():
        shutil.copyfile(template, folder / "data/bonafide.sqlite3")
    accepted = {"accepted_terms": {KEY: "CC-BY-NC-4.0"}, "terms_accepted_by": "Ada", "renew": RenewalMode.ALL}
    known = Settings(data_dir=folder / "data", database_url=None, fetch_attempts=1, **{**accepted, **settings})
    return open_runtime(known, clock=lambda: NOW, sources={KEY: small()})


async def load(runtime: Runtime, publisher: Publisher) -> list[str]:
    """The files that a load was made of."""
    async with served(create_sandbox_app(publisher.folder, publisher.routes)) as address:
        fetcher = Fetcher(runtime.settings, runtime.clock, sandbox=address)
        try:
            record = await load_source(runtime, fetcher, LoadRequest(runtime.sources[KEY]))
        finally:
            await fetcher.close()
    return [file.name for file in record.files]


def on_disk(runtime: Runtime) -> list[str]:
    folder = runtime.generations[World.LIVE].root / KEY / "downloads"
    return sorted(path.name for path in folder.iterdir() if not path.name.endswith(".json.json") and ".jsonl" in path.name)


async def test_the_first_load_is_an_export(runtime: Runtime, publisher: Publisher) -> None:
    assert await load(runtime, publisher) == [f"export-{FIRST}"]


async def test_later_loads_are_what_has_changed_since(runtime: Runtime, publisher: Publisher) -> None:
    await load(runtime, publisher)
    publisher.publish(FIRST, SECOND)
    assert await load(runtime, publisher) == [f"export-{FIRST}", f"delta-{SECOND}"]
    generation = runtime.generations[World.LIVE].current(KEY)
    assert generation is not None
    stored = generation.manifest.stored
    assert (stored.added, stored.changed, stored.removed) == (1, 1, 1)


@pytest.mark.slow
async def test_a_version_that_is_here_is_not_asked_for_again(runtime: Runtime, publisher: Publisher) -> None:
    await load(runtime, publisher)
    publisher.publish(FIRST, SECOND)
    await load(runtime, publisher)
    del publisher.routes[f"{HOME}/artifacts/sanctions/{SECOND}/entities.delta.json"]
    del publisher.routes[f"{HOME}/datasets/latest/sanctions/entities.ftm.json"]
    assert await load(runtime, publisher) == [f"export-{FIRST}", f"delta-{SECOND}"]


def later(count: int) -> Iterable[str]:
    start = datetime(2026, 10, 3, tzinfo=UTC)
    return [f"{start + timedelta(hours=6 * number):%Y%m%d%H%M%S}-xyz" for number in range(count)]


@pytest.mark.parametrize(
    "versions", [[SECOND], [FIRST, *later(MAX_DELTAS + 1)]], ids=["the version held is not told of any more", "too many"]
)
async def test_a_broken_or_long_chain_brings_a_new_export_and_forgets_the_old(
    runtime: Runtime, publisher: Publisher, versions: list[str]
) -> None:
    await load(runtime, publisher)
    publisher.publish(*versions)
    newest = f"export-{max(versions)}"
    assert await load(runtime, publisher) == [newest]
    assert [name.partition(".")[0] for name in on_disk(runtime) if name.endswith(".jsonl")] == [newest]


@pytest.mark.parametrize(
    "answer",
    [
        {},
        {"versions": {}},
        {"versions": []},
        {"versions": {"../../etc": f"{HOME}/x"}},
        {"versions": {FIRST: "https://elsewhere.example/entities.delta.json"}},
        {"versions": {FIRST: "http://data.opensanctions.org/entities.delta.json"}},
    ],
)
async def test_another_list_of_versions_is_refused(runtime: Runtime, publisher: Publisher, answer: object) -> None:
    publisher.say(answer)
    with pytest.raises(ParseFailed, match="opensanctions: deltas"):
        await load(runtime, publisher)


async def test_nothing_is_downloaded_before_the_licence_is_accepted(
    tmp_path: Path, sqlite_template: Path, publisher: Publisher
) -> None:
    async with opened(tmp_path, sqlite_template, accepted_terms={}, terms_accepted_by=None) as runtime:
        with pytest.raises(ConfigurationError, match=r"must accept the terms .* requires a licence"):
            await load(runtime, publisher)
        assert compute_next_renewal(runtime, World.LIVE, runtime.sources[KEY], {}) is None


async def test_once_it_is_accepted_that_is_on_record_and_the_worker_renews_it(runtime: Runtime) -> None:
    await record_acceptances(runtime)
    assert compute_next_renewal(runtime, World.LIVE, runtime.sources[KEY], {}) == NOW
