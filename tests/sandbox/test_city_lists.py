"""The lists of five cities, fetched over HTTP from the made-up world by each source's own code, and read: no row is lost."""

import csv
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bonafide.errors import ParseFailed, SourceError, SourceNotFound, UpstreamFailed
from bonafide.model.entry import AnyEntry, RegulatoryEntry
from bonafide.net.fetch import Fetcher
from bonafide.settings import Settings
from bonafide.sources.framework.context import FetchContext, ParseContext, Resource
from bonafide.sources.framework.discovery import Source, discover_sources, get_source
from bonafide.sources.framework.metadata import ResourceMetadata
from bonafide_sandbox.generator.businesses import create_businesses
from bonafide_sandbox.publisher_faults import (
    ChallengePageFault,
    ChangedHeaderFault,
    FaultRegistry,
    FixedResponseFault,
    GarbageFault,
    PublisherFault,
    StatusFault,
)
from bonafide_sandbox.server import create_sandbox_app
from bonafide_sandbox.writers.framework.manifest import DeliveryRoute, WorldManifest
from bonafide_sandbox.writers.regulators import montreal, toronto
from bonafide_sandbox.writers.regulators.edmonton import EdmontonLicencesWriter
from tests.support.servers.asgi_server import served

pytestmark = pytest.mark.anyio

NOW = datetime(2026, 11, 2, 12, tzinfo=UTC)
CITIES = {
    "vancouverBusinessLicences": "Vancouver",
    "torontoBusinessLicences": "Toronto",
    "calgaryBusinessLicences": "Calgary",
    "edmontonBusinessLicences": "Edmonton",
    "montrealCommercialEstablishments": "Montréal",
}
every_city = pytest.mark.parametrize("key", [key for key in CITIES if key in discover_sources()])
PACKAGE = {"torontoBusinessLicences": toronto.URL, "montrealCommercialEstablishments": montreal.URL}
every_portal = pytest.mark.parametrize("key", [key for key in PACKAGE if key in discover_sources()])
Rows = Callable[[str], list[dict[str, str]]]


def addresses(source: Source, manifest: WorldManifest) -> dict[str, str]:
    """Where each of a source's files is published."""
    urls = {resource.name: resource.url for resource in source.metadata.resources}
    return {file.url or urls[file.resource]: file.path for file in manifest.files if file.source == source.key}


@asynccontextmanager
async def fetching(
    key: str, world: Path, manifest: WorldManifest, folder: Path, broken: dict[str, PublisherFault]
) -> AsyncIterator[FetchContext]:
    source, faults = get_source(key), FaultRegistry()
    for url, fault in broken.items():
        faults.put(url, fault)
    async with served(create_sandbox_app(world, addresses(source, manifest), faults)) as address:
        fetcher = Fetcher(Settings(fetch_attempts=1), lambda: NOW, sandbox=address)

        async def download(resource: ResourceMetadata) -> Resource:
            got = await fetcher.download(resource.url, folder / f"{resource.name}.{resource.format}")
            return Resource(resource.name, got.path, resource.url, got.retrieved_at, got.sha256, got.size, got.as_of)

        try:
            yield FetchContext(source.metadata, download, fetcher.read)
        finally:
            await fetcher.close()


async def loaded(
    key: str, world: Path, manifest: WorldManifest, folder: Path, broken: dict[str, PublisherFault] | None = None
) -> tuple[list[RegulatoryEntry], ParseContext]:
    source = get_source(key)
    assert source.fetch is not None
    assert source.parse is not None
    async with fetching(key, world, manifest, folder, broken or {}) as context:
        resources = await source.fetch(context)
    parsing = ParseContext(source.metadata)
    entries: list[AnyEntry] = list(source.parse(resources, parsing))
    return [entry for entry in entries if isinstance(entry, RegulatoryEntry)], parsing


@every_city
async def test_what_is_written_is_fetched_and_read_whole(key: str, world: Path, manifest: WorldManifest, tmp_path: Path) -> None:
    entries, context = await loaded(key, world, manifest, tmp_path)
    report = context.report
    assert entries
    assert (report.rejected, dict(report.unknown_terms)) == (0, {})
    assert report.rows == len(entries) + report.merged
    assert all(address.city for entry in entries for address in entry.addresses)
    assert len({entry.entry_id for entry in entries}) == len(entries)


@every_city
async def test_no_row_that_is_written_is_lost(key: str, world: Path, manifest: WorldManifest, tmp_path: Path, rows: Rows) -> None:
    """By the numbers in the file, read without the source's code."""
    column = {
        "vancouver": "licencenumber",
        "toronto": "Licence No.",
        "calgary": "GETBUSID",
        "edmonton": "externalid",
        "montreal": "ID",
    }
    [heading] = [column[city] for city in column if key.startswith(city)]
    files = [file for file in manifest.files if file.source == key and file.route is DeliveryRoute.DOWNLOAD]
    delimiter = ";" if key.startswith("vancouver") else ","
    written: set[str] = set()
    for file in files:
        with (world / file.path).open(encoding="utf-8-sig", newline="") as text:
            written |= {row[heading] for row in csv.DictReader(text, delimiter=delimiter)}
    entries, context = await loaded(key, world, manifest, tmp_path)
    read: set[str] = set()
    for entry in entries:
        others = entry.details.get("otherLicenceNumbers", [])
        assert isinstance(others, list)
        read |= {str(entry.registration_number), *map(str, others)}
    passed_over = sum(int(str(note.values["n"])) for note in context.report.notes if note.template == "{n:,} row skipped: {reason}")
    assert read <= written
    assert len(written - read) <= passed_over


@every_city
async def test_a_registered_business_can_be_recognised(key: str, world: Path, manifest: WorldManifest, tmp_path: Path) -> None:
    made = [business for business in create_businesses(manifest.seed, 0, manifest.size) if business.address.city == CITIES[key]]
    names = [business.name.casefold() for business in made] + [
        name.casefold() for business in made for name in business.other_names
    ]
    entries, _ = await loaded(key, world, manifest, tmp_path)
    known = [
        entry
        for entry in entries
        if any(name.startswith(found.casefold()) for name in names for found in entry.list_search_names() if len(found) > 3)
    ]
    assert known


async def test_the_directors_of_businesses_who_drive_taxis_or_massage_are_nowhere(
    world: Path, manifest: WorldManifest, tmp_path: Path
) -> None:
    people = {person.name.upper() for business in create_businesses(manifest.seed, 0, manifest.size) for person in business.people}
    entries, context = await loaded("edmontonBusinessLicences", world, manifest, tmp_path)
    assert any("licences of individuals" in note for note in context.report.notes)
    assert not people & {name.upper() for entry in entries for name in entry.list_search_names()}


# ------------------------------------------------------------------------------------------------------------ pages


async def test_a_list_of_several_pages_is_written_as_the_portal_gives_it(tmp_path: Path) -> None:
    writer = EdmontonLicencesWriter(tmp_path, 1867, page_rows=10)
    for business in create_businesses(1867, 0, 1_000):
        if business.register == "AB":
            writer.take(business)
    writer.close()
    pages = [target for target in writer.targets if target.route is DeliveryRoute.DOWNLOAD]
    assert len(pages) > 1
    counts = []
    for page in pages:
        with (tmp_path / page.path).open(encoding="utf-8", newline="") as text:
            counts.append(len(list(csv.DictReader(text))))
    assert set(counts[:-1]) == {10}
    assert (tmp_path / "edmontonBusinessLicences/count.json").read_text(encoding="utf-8") == f'[{{"count": "{sum(counts)}"}}]'
    assert [page.url for page in pages] == [
        f"https://data.edmonton.ca/resource/qhi4-bdpu.csv?$limit=10&$offset={10 * number}&$order=:id"
        for number in range(len(pages))
    ]


# ------------------------------------------------------------------------------------------------------------ faults


@pytest.mark.slow
@every_city
@pytest.mark.parametrize(
    ("fault", "error"),
    [
        (StatusFault(503), UpstreamFailed),
        (StatusFault(404), SourceNotFound),
        (ChallengePageFault(), ParseFailed),
        (GarbageFault(), ParseFailed),
        (ChangedHeaderFault(), ParseFailed),
        (FixedResponseFault(b"", "text/csv"), ParseFailed),
    ],
    ids=lambda value: type(value).__name__,
)
async def test_a_broken_file_is_told(
    key: str, fault: PublisherFault, error: type[Exception], world: Path, manifest: WorldManifest, tmp_path: Path
) -> None:
    source = get_source(key)
    urls = {resource.name: resource.url for resource in source.metadata.resources}
    [url] = [
        file.url or urls[file.resource] for file in manifest.files if file.source == key and file.route is DeliveryRoute.DOWNLOAD
    ]
    with pytest.raises(error):
        await loaded(key, world, manifest, tmp_path, {url: fault})


@every_portal
@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (StatusFault(403), "refused the request"),
        (ChallengePageFault(), "unexpected response"),
        (GarbageFault(), "unexpected response"),
        (FixedResponseFault(b'{"success": true, "result": {"resources": []}}'), "lists no"),
        (FixedResponseFault(b'{"success": true, "result": {}}'), "unexpected response"),
    ],
    ids=["refused", "page", "garbage", "nothing", "shape"],
)
async def test_a_portal_that_does_not_say_where_the_file_is_is_told(
    key: str, fault: PublisherFault, words: str, world: Path, manifest: WorldManifest, tmp_path: Path
) -> None:
    with pytest.raises(SourceError, match=words):
        await loaded(key, world, manifest, tmp_path, {get_source(key).metadata.resource("package").url: fault})


@every_portal
@pytest.mark.parametrize(
    "url", ["https://elsewhere.example/{}", "https://notmontreal.ca.example/{}", "http://donnees.montreal.ca/{}"]
)
async def test_a_file_that_is_said_to_lie_elsewhere_is_not_fetched(
    key: str, url: str, world: Path, manifest: WorldManifest, tmp_path: Path
) -> None:
    name = PACKAGE[key].rpartition("/")[2]
    file = {"format": "CSV", "url": url.format(f"x/{name}"), "datastore_active": False}
    answer = json.dumps({"result": {"resources": [file]}})
    with pytest.raises(ParseFailed, match="is outside the domain"):
        await loaded(
            key, world, manifest, tmp_path, {get_source(key).metadata.resource("package").url: FixedResponseFault(answer.encode())}
        )
