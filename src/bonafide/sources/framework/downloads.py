"""Download helpers for `fetch`: several files in sequence, one of two forms of the same data, files of a CKAN portal.

Such a portal gives a file another address whenever it is put there anew, so it is looked up at each load. Which file is wanted
the source says.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import anyio

from bonafide.errors import ParseFailed, SourceError
from bonafide.sources.formats.json_objects import parse_strict_json
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


@dataclass(frozen=True, slots=True)
class PortalFile:
    """One file of a data set. `format` is in small letters; `modified` an ISO instant, or empty where the portal says none."""

    name: str
    format: str
    url: str
    modified: str
    in_datastore: bool
    """Whether it is a view of the portal's own database, which may lag behind the publisher's file."""


async def fetch_portal_files(context: FetchContext, index: str) -> list[PortalFile]:
    """The files of the data set whose `package_show` address is the resource of that name. Raises a `SourceError`."""
    resource = context.metadata.resource(index)
    answer = await context.read(resource.url)
    name = f"{context.metadata.key}: {index}"
    try:
        listed: list[dict[str, Any]] = parse_strict_json(answer)["result"]["resources"]
        return [_parse_file(item) for item in listed]
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise ParseFailed(f"{name}: the answer has another shape than is known: {type(error).__name__} {error}") from error


def create_download(context: FetchContext, index: str, file: PortalFile, name: str) -> ResourceMetadata:
    """The file as a resource of that name. Raises `ParseFailed` when it is not said to lie with the portal's publisher."""
    home = urlsplit(context.metadata.resource(index).url).hostname or ""
    domain = ".".join(home.split(".")[-2:])
    if not is_https_below(file.url, domain):
        raise ParseFailed(f"{context.metadata.key}: {index}: the file is said to be at {file.url}, which is not {domain}'s")
    return ResourceMetadata(name=name, url=file.url, format=file.format)


def _parse_file(item: dict[str, Any]) -> PortalFile:
    return PortalFile(
        name=str(item.get("name") or ""),
        format=str(item.get("format") or "").lower(),
        url=str(item["url"]),
        modified=str(item.get("last_modified") or item.get("created") or ""),
        in_datastore=item.get("datastore_active") in {True, "true", "True"},
    )
