"""Many files of one publisher, brought one after the other. Which files they are the source finds out."""

from collections.abc import Iterable

import anyio

from bonafide.sources.context import FetchContext, Resource
from bonafide.sources.metadata import ResourceMetadata


async def download_in_turn(context: FetchContext, resources: Iterable[ResourceMetadata]) -> list[Resource]:
    """The files in the order asked for, with the pause between two that the metadata wants. Raises a `SourceError`."""
    got: list[Resource] = []
    for resource in resources:
        if got:
            await anyio.sleep(context.metadata.pause_s)
        got.append(await context.download(resource))
    return got
