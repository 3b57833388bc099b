"""Download the current collection with the least traffic: the deltas since the stored export, or a new export.

The publisher identifies each change by a version, which begins with its timestamp. An export is stored under the newest version
before its download. Applying a delta whose changes are already in the export has no effect.
"""

import re
from collections.abc import Mapping
from urllib.parse import urlsplit

from bonafide.errors import ParseFailed
from bonafide.i18n.message import Message
from bonafide.sources.formats.json_objects import parse_strict_json
from bonafide.sources.framework.context import FetchContext, Resource
from bonafide.sources.framework.downloads import is_https_below
from bonafide.sources.framework.metadata import ResourceMetadata

MAX_DELTAS = 28
"""One week. After that, a new export is faster to read than the old one with all its deltas."""
_EXPORT, _DELTA = "export-", "delta-"
_VERSION = re.compile(r"\d{14}-[a-z0-9]{3}")


async def fetch(context: FetchContext) -> list[Resource]:
    """Download or reuse the export, and the deltas that follow it from the oldest to the newest."""
    versions = _read_versions(await context.read(context.metadata.resource("deltas").url), context)
    held = context.previous_downloads.kept(_EXPORT)
    missing = _find_missing(_get_version(held[-1]), versions) if held else None
    if missing is None:
        return [await _download_export(context, max(versions))]
    kept = {resource.name: resource for resource in context.previous_downloads.kept(_DELTA)}
    deltas = []
    for version in missing:
        name = f"{_DELTA}{version}"
        delta = ResourceMetadata(name=name, url=versions[version], format="json")
        # A version never changes, so a stored delta is not downloaded again.
        deltas.append(kept[name] if name in kept else await context.download(delta))
    return [held[-1], *deltas]


async def _download_export(context: FetchContext, version: str) -> Resource:
    """Download a new export, then remove the files of the old one."""
    known = context.metadata.resource("export")
    got = await context.download(known.model_copy(update={"name": f"{_EXPORT}{version}"}))
    for old in (*context.previous_downloads.kept(_EXPORT), *context.previous_downloads.kept(_DELTA)):
        if old.name != got.name:
            context.previous_downloads.forget(old)
    return got


def _find_missing(held: str, versions: Mapping[str, str]) -> list[str] | None:
    """Return the versions after the stored one, oldest first; None if there is a gap, or if there are too many."""
    following = sorted(version for version in versions if version > held)
    return following if held in versions and len(following) <= MAX_DELTAS else None


def _get_version(resource: Resource) -> str:
    return resource.name.removeprefix(_EXPORT)


def _read_versions(body: bytes, context: FetchContext) -> dict[str, str]:
    """Return the URL of each version's delta. Raises `ParseFailed` for an unexpected format, or a URL on another host."""
    name = f"{context.metadata.key}: deltas"
    try:
        versions = {str(version): str(url) for version, url in parse_strict_json(body)["versions"].items()}
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise ParseFailed(
            Message("{file}: unexpected format: {detail}", file=name, detail=f"{type(error).__name__}: {error}")
        ) from error
    home = urlsplit(context.metadata.resource("deltas").url).hostname or ""
    for version, url in versions.items():
        if _VERSION.fullmatch(version) is None or not is_https_below(url, home):
            raise ParseFailed(Message("{file}: invalid version “{version}” or address {url}", file=name, version=version, url=url))
    if not versions:
        raise ParseFailed(Message("{file}: the file lists no versions", file=name))
    return versions
