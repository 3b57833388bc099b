"""A regulator's files fetched by the source's own code over HTTP, from the publishers of the made-up Canada."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

from bonafide.model.entry import RegulatoryEntry
from bonafide.net.fetch import Fetcher
from bonafide.settings import Settings
from bonafide.sources.framework.context import FetchContext, ParseContext, ParseReport, Resource
from bonafide.sources.framework.discovery import get_source
from bonafide.sources.framework.metadata import ResourceMetadata
from bonafide_sandbox.publisher_faults import FaultRegistry, PublisherFault
from bonafide_sandbox.server import create_sandbox_app
from bonafide_sandbox.writers.framework.manifest import read_manifest
from tests.support.servers.asgi_server import served

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)


def addresses(key: str, world: Path) -> dict[str, str]:
    """What is published of a source: the name of each file, and its address."""
    manifest = read_manifest(world)
    assert manifest is not None
    known = {resource.name: resource.url for resource in get_source(key).metadata.resources}
    return {file.resource: file.url or known[file.resource] for file in manifest.files if file.source == key}


@asynccontextmanager
async def publishing(
    key: str, world: Path, into: Path, broken: Mapping[str, PublisherFault] | None = None
) -> AsyncIterator[FetchContext]:
    """What a source's `fetch` is given, while its publisher serves the world; `broken` is a fault by the name of its file."""
    manifest = read_manifest(world)
    assert manifest is not None
    urls, faults = addresses(key, world), FaultRegistry()
    for name, fault in (broken if broken is not None else {}).items():
        faults.put(urls[name], fault)
    routes = {urls[file.resource]: file.path for file in manifest.files if file.source == key}
    async with served(create_sandbox_app(world, routes, faults)) as address:
        fetcher = Fetcher(Settings(fetch_attempts=1), lambda: NOW, sandbox=address)

        async def download(resource: ResourceMetadata) -> Resource:
            got = await fetcher.download(resource.url, into / f"{resource.name}.{resource.format}", form=resource.form)
            return Resource(resource.name, got.path, resource.url, got.retrieved_at, got.sha256, got.size, got.as_of)

        try:
            yield FetchContext(get_source(key).metadata, download, fetcher.read)
        finally:
            await fetcher.close()


async def fetched(key: str, world: Path, into: Path, broken: Mapping[str, PublisherFault] | None = None) -> list[Resource]:
    """The files as the source's own code brings them."""
    fetch = get_source(key).fetch
    assert fetch is not None
    async with publishing(key, world, into, broken) as context:
        return await fetch(context)


def parsed(key: str, resources: list[Resource]) -> tuple[list[RegulatoryEntry], ParseReport]:
    """The entries of fetched files, with no row lost."""
    source = get_source(key)
    assert source.parse is not None
    context = ParseContext(source.metadata)
    entries = [entry for entry in source.parse(resources, context) if isinstance(entry, RegulatoryEntry)]
    assert context.report.rows == len(entries) + context.report.merged + context.report.rejected
    return entries, context.report
