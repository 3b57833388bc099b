"""Download helpers for `fetch`: several files in sequence, one of two forms of the same data, files of a CKAN portal.

A CKAN portal changes the address of a file at each upload, so it is looked up at each load. The source chooses the file.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import anyio

from bonafide.errors import ParseFailed, SourceError
from bonafide.i18n.message import Message
from bonafide.sources.formats.json_objects import parse_strict_json
from bonafide.sources.framework.context import FetchContext, Resource
from bonafide.sources.framework.metadata import ResourceMetadata


async def download_sequentially(context: FetchContext, resources: Iterable[ResourceMetadata]) -> list[Resource]:
    """Download the files in order, with the pause of the metadata between two. Raises a `SourceError`."""
    got: list[Resource] = []
    for resource in resources:
        if got:
            await anyio.sleep(context.metadata.pause_s)
        got.append(await context.download(resource))
    return got


def is_https_below(url: str, domain: str) -> bool:
    """Whether an address is an HTTPS address at this domain or a subdomain. False for a text that is not an address."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme == "https" and f".{parts.hostname}".endswith(f".{domain}")


async def download_with_fallback(context: FetchContext, first: ResourceMetadata, other: ResourceMetadata) -> list[Resource]:
    """Download the first of two forms of the same data, or the other if that fails. Raises the `SourceError` of the first."""
    try:
        return [await context.download(first)]
    except SourceError as error:
        try:
            return [await context.download(other)]
        except SourceError:
            raise error from None


@dataclass(frozen=True, slots=True)
class PortalFile:
    """One file of a data set. `format` is in lower case; `modified` is an ISO instant, or empty if unknown."""

    name: str
    format: str
    url: str
    modified: str
    in_datastore: bool
    """Whether it is a view of the portal's database, which may be older than the publisher's file."""


async def fetch_portal_files(context: FetchContext, index: str) -> list[PortalFile]:
    """The files of the data set whose `package_show` address is the resource `index`. Raises a `SourceError`."""
    resource = context.metadata.resource(index)
    answer = await context.read(resource.url)
    try:
        listed: list[dict[str, Any]] = parse_strict_json(answer)["result"]["resources"]
        return [_parse_file(item) for item in listed]
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        detail = f"{type(error).__name__} {error}"
        raise ParseFailed(
            Message("{source}: {file}: unexpected response: {error}", source=context.metadata.key, file=index, error=detail)
        ) from error


def create_download(context: FetchContext, index: str, file: PortalFile, name: str) -> ResourceMetadata:
    """The file as a resource of that name. Raises `ParseFailed` when its address is not in the portal's domain."""
    home = urlsplit(context.metadata.resource(index).url).hostname or ""
    domain = ".".join(home.split(".")[-2:])
    if not is_https_below(file.url, domain):
        sentence = Message(
            "{source}: {file}: the address {url} is outside the domain {domain}",
            source=context.metadata.key,
            file=index,
            url=file.url,
            domain=domain,
        )
        raise ParseFailed(sentence)
    return ResourceMetadata(name=name, url=file.url, format=file.format)


def _parse_file(item: dict[str, Any]) -> PortalFile:
    return PortalFile(
        name=str(item.get("name") or ""),
        format=str(item.get("format") or "").lower(),
        url=str(item["url"]),
        modified=str(item.get("last_modified") or item.get("created") or ""),
        in_datastore=item.get("datastore_active") in {True, "true", "True"},
    )
