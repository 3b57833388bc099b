"""Lists fetched by a source's own code over HTTP, from files that a test has."""

import shutil
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from bonafide.net.fetch import Fetcher
from bonafide.settings import Settings
from bonafide.sources.framework.context import FetchContext, Resource
from bonafide.sources.framework.discovery import get_source
from bonafide.sources.framework.metadata import ResourceMetadata
from bonafide_sandbox.publisher_faults import FaultRegistry, PublisherFault
from bonafide_sandbox.server import create_sandbox_app
from tests.support.servers.asgi_server import served


async def fetched_from(key: str, files: Mapping[str, Path], into: Path, broken: Mapping[str, PublisherFault]) -> list[Resource]:
    """What the source fetches when its publisher has these files by the names of its resources; `broken` is a fault by name."""
    source, published, faults = get_source(key), into / "published", FaultRegistry()
    assert source.fetch is not None
    published.mkdir()
    urls = {name: source.metadata.resource(name).url for name in files}
    for path in files.values():
        shutil.copyfile(path, published / path.name)
    for name, fault in broken.items():
        faults.put(urls[name], fault)
    routes = {urls[name]: path.name for name, path in files.items()}
    async with served(create_sandbox_app(published, routes, faults)) as address:
        fetcher = Fetcher(Settings(fetch_attempts=1), lambda: datetime(2026, 11, 20, tzinfo=UTC), sandbox=address)

        async def download(resource: ResourceMetadata) -> Resource:
            got = await fetcher.download(resource.url, into / f"{resource.name}.{resource.format}", form=resource.form)
            return Resource(resource.name, got.path, resource.url, got.retrieved_at, got.sha256, got.size, got.as_of)

        try:
            metadata = source.metadata.model_copy(update={"pause_s": 0.0})  # nobody is to be spared here
            return await source.fetch(FetchContext(metadata, download, fetcher.read))
        finally:
            await fetcher.close()
