"""The golden copy of the made-up world, found and fetched by the source's own code over HTTP, as from GLEIF."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from bonafide.errors import ParseFailed, SourceNotFound, UpstreamFailed
from bonafide.model.entry import AnyEntry
from bonafide.net.fetch import Fetcher
from bonafide.settings import Settings
from bonafide.sources.framework.context import FetchContext, ParseContext, Resource
from bonafide.sources.framework.discovery import discover_sources, get_source
from bonafide.sources.framework.metadata import ResourceMetadata
from bonafide_sandbox.generator.businesses import create_businesses
from bonafide_sandbox.publisher_faults import ConnectionCutFault, FaultRegistry, GarbageFault, PublisherFault, StatusFault
from bonafide_sandbox.server import create_sandbox_app
from bonafide_sandbox.writers.framework.manifest import WorldManifest
from bonafide_sandbox.writers.regulators.gleif import FOREIGNERS, URL
from tests.support.servers.asgi_server import served

pytestmark = [pytest.mark.anyio, pytest.mark.skipif("gleif" not in discover_sources(), reason="the source was taken out")]
NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
INDEX = "https://goldencopy.gleif.org/api/v2/golden-copies/publishes?per_page=1"


@asynccontextmanager
async def fetching(
    world: Path, manifest: WorldManifest, folder: Path, broken: dict[str, PublisherFault], attempts: int = 1
) -> AsyncIterator[FetchContext]:
    routes = {file.url or INDEX: file.path for file in manifest.files if file.source == "gleif"}
    faults = FaultRegistry()
    for url, fault in broken.items():
        faults.put(url, fault)
    async with served(create_sandbox_app(world, routes, faults)) as address:
        fetcher = Fetcher(Settings(fetch_attempts=attempts), lambda: NOW, sandbox=address)

        async def download(resource: ResourceMetadata) -> Resource:
            got = await fetcher.download(resource.url, folder / f"{resource.name}.{resource.format}")
            return Resource(resource.name, got.path, resource.url, got.retrieved_at, got.sha256, got.size, got.as_of)

        try:
            yield FetchContext(get_source("gleif").metadata, download, fetcher.read)
        finally:
            await fetcher.close()


async def fetch(context: FetchContext) -> list[Resource]:
    source = get_source("gleif")
    assert source.fetch is not None
    return await source.fetch(context)


async def test_the_newest_golden_copy_is_found_fetched_and_read(world: Path, manifest: WorldManifest, tmp_path: Path) -> None:
    async with fetching(world, manifest, tmp_path, {}) as context:
        [resource] = await fetch(context)
    assert (resource.url, resource.as_of, resource.path.name) == (URL, date(2026, 11, 1), "golden_copy.zip")
    source = get_source("gleif")
    assert source.parse is not None
    parsing = ParseContext(source.metadata)
    entries: list[AnyEntry] = list(source.parse([resource], parsing))
    assert parsing.report.notes == [f"{len(entries) * FOREIGNERS:,} entities in other countries were skipped"]
    known = {business.number: business for business in create_businesses(manifest.seed, 0, manifest.size)}
    assert entries
    for entry in entries:
        number = entry.list_search_numbers()[1]
        assert known[number].name == entry.list_search_names()[0]


async def test_a_broken_line_is_mended_in_the_middle_of_the_file(world: Path, manifest: WorldManifest, tmp_path: Path) -> None:
    async with fetching(world, manifest, tmp_path, {URL: ConnectionCutFault(5_000)}, attempts=2) as context:
        [resource] = await fetch(context)
    assert resource.path.read_bytes() == next(
        (world / file.path).read_bytes() for file in manifest.files if file.source == "gleif" and file.url == URL
    )


@pytest.mark.parametrize(
    ("address", "fault", "error"),
    [
        (INDEX, StatusFault(503), UpstreamFailed),
        (INDEX, GarbageFault(), ParseFailed),
        (URL, StatusFault(404), SourceNotFound),
        (URL, GarbageFault(), UpstreamFailed),
        (URL, ConnectionCutFault(5_000), UpstreamFailed),
    ],
)
async def test_what_goes_wrong_on_the_way_is_told(
    world: Path, manifest: WorldManifest, tmp_path: Path, address: str, fault: PublisherFault, error: type[Exception]
) -> None:
    async with fetching(world, manifest, tmp_path, {address: fault}) as context:
        with pytest.raises(error):
            await fetch(context)
