"""Download helpers for `fetch`: several files in sequence, or one of two forms of the same data."""

from collections.abc import Iterable
from urllib.parse import urlsplit

import anyio

from bonafide.errors import SourceError
from bonafide.sources.framework.context import FetchContext, Resource
from bonafide.sources.framework.metadata import ResourceMetadata


async def download_sequentially(context: FetchContext, resources: Iterable[ResourceMetadata]) -> list[Resource]:
    """The files in the order asked for, with the pause between two that the metadata wants. Raises a `SourceError`."""
    got: list[Resource] = []
    for resource in resources:
        if got:
            await anyio.sleep(context.metadata.pause_s)
        got.append(await context.download(resource))
    return got


def is_https_below(url: str, domain: str) -> bool:
    """Whether an address that a page names is a secure one at this domain or below it. A text that is no address is at none."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme == "https" and f".{parts.hostname}".endswith(f".{domain}")


async def download_with_fallback(context: FetchContext, first: ResourceMetadata, other: ResourceMetadata) -> list[Resource]:
    """The first of two forms of the same data, or the other when that can't be had. Raises the first one's `SourceError`."""
    try:
        return [await context.download(first)]
    except SourceError as error:
        try:
            return [await context.download(other)]
        except SourceError:
            raise error from None
