"""Issues are found on their publishers' pages and fetched with the real client from the sandbox's server."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from bonafide.errors import ParseFailed, SourceNotFound
from bonafide.model.entry import AnyEntry
from bonafide.net.fetch import Fetcher
from bonafide.settings import Settings
from bonafide.sources.framework.context import FetchContext, ParseContext, Resource
from bonafide.sources.framework.discovery import get_source
from bonafide.sources.framework.metadata import ResourceMetadata
from bonafide_sandbox.publisher_faults import FaultRegistry, GarbageFault, StatusFault
from bonafide_sandbox.server import create_sandbox_app
from bonafide_sandbox.world.builder import write_world
from bonafide_sandbox.writers.framework.manifest import DeliveryRoute, WorldManifest
from tests.support.servers.asgi_server import served

pytestmark = pytest.mark.anyio
NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
YEAR_PAGE = "https://kings-printer.alberta.ca/alberta_gazette.cfm?page=gazette_{}_registrar.cfm"
LISTINGS = "https://companiesoffice.gov.mb.ca/listings.html"
CATALOGUE = "https://publications.saskatchewan.ca/api/v1/categories/1511?statusType=ACTIVE"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("sandbox") / "world"


@pytest.fixture(scope="module")
def manifest(folder: Path) -> WorldManifest:
    return write_world(folder, size=5_000)


@pytest.fixture
def faults() -> FaultRegistry:
    return FaultRegistry()


def routes(manifest: WorldManifest) -> dict[str, str]:
    named = {(key, item.name): item.url for key in ("ab", "mb", "sk") for item in get_source(key).metadata.resources}
    files = [file for file in manifest.files if file.route is not DeliveryRoute.FILE and file.source in {"ab", "mb", "sk"}]
    return {file.url or named[file.source, file.resource]: file.path for file in files}


@asynccontextmanager
async def published(folder: Path, manifest: WorldManifest, faults: FaultRegistry) -> AsyncIterator[Fetcher]:
    async with served(create_sandbox_app(folder, routes(manifest), faults)) as address:
        fetcher = Fetcher(Settings(fetch_attempts=1), lambda: NOW, sandbox=address)
        try:
            yield fetcher
        finally:
            await fetcher.close()


async def fetched(fetcher: Fetcher, key: str, into: Path) -> list[Resource]:
    """What a source's own `fetch` brings, without its pauses."""

    async def download(resource: ResourceMetadata) -> Resource:
        got = await fetcher.download(resource.url, into / f"{resource.name}.{resource.format}")
        return Resource(resource.name, got.path, resource.url, got.retrieved_at, got.sha256, got.size, got.as_of)

    source = get_source(key)
    assert source.fetch is not None
    return await source.fetch(FetchContext(source.metadata.model_copy(update={"pause_s": 0.0}), download, fetcher.read))


def parsed(key: str, resources: list[Resource]) -> tuple[list[AnyEntry], ParseContext]:
    source = get_source(key)
    assert source.parse is not None
    context = ParseContext(source.metadata)
    entries = list(source.parse(resources, context))
    assert context.report.rows == len(entries) + context.report.merged + context.report.rejected
    return entries, context


@pytest.mark.parametrize(("key", "as_of"), [("ab", date(2026, 10, 31)), ("mb", date(2026, 10, 31)), ("sk", date(2023, 3, 12))])
async def test_what_is_published_is_found_fetched_and_read(
    folder: Path, manifest: WorldManifest, faults: FaultRegistry, tmp_path: Path, key: str, as_of: date
) -> None:
    async with published(folder, manifest, faults) as fetcher:
        resources = await fetched(fetcher, key, tmp_path)

    expected = {file.sha256 for file in manifest.files if file.source == key and file.route is DeliveryRoute.DOWNLOAD}
    issues = [resource for resource in resources if resource.name != "non_profits"]
    assert {resource.sha256 for resource in resources} == expected
    assert {resource.as_of for resource in issues} == {as_of}
    entries, context = parsed(key, resources)
    assert entries
    assert (context.report.rejected, context.report.unknown_terms) == (0, {})
    assert {entry.source_url for entry in entries} - {None} <= {resource.url for resource in issues}


async def test_a_year_without_a_page_is_passed_over_and_a_lost_issue_is_not(
    folder: Path, manifest: WorldManifest, faults: FaultRegistry, tmp_path: Path
) -> None:
    faults.put(YEAR_PAGE.format(2026), StatusFault(404))
    async with published(folder, manifest, faults) as fetcher:
        resources = await fetched(fetcher, "ab", tmp_path)
        assert {resource.as_of for resource in resources[1:]} == {date(2025, 12, 31)}
        faults.put(resources[-1].url, StatusFault(404))
        with pytest.raises(SourceNotFound):
            await fetched(fetcher, "ab", tmp_path)


@pytest.mark.parametrize(
    ("key", "pages", "problem"),
    [
        ("ab", [YEAR_PAGE.format(2025), YEAR_PAGE.format(2026)], "list no issues"),
        ("mb", [LISTINGS], "has no listings"),
        ("sk", [CATALOGUE], "unexpected response"),
    ],
)
async def test_a_page_that_leads_nowhere_is_told(  # noqa: PLR0913 - fixtures and parameters
    *, folder: Path, manifest: WorldManifest, faults: FaultRegistry, tmp_path: Path, key: str, pages: list[str], problem: str
) -> None:
    for page in pages:
        faults.put(page, GarbageFault())
    async with published(folder, manifest, faults) as fetcher:
        with pytest.raises(ParseFailed, match=problem):
            await fetched(fetcher, key, tmp_path)
