"""Download the current collection with the least traffic: the stored export and the deltas since, or a new export.

The publisher names each change by a version, which begins with its instant. An export is kept under the newest version that there
was before it was asked for: what of the next is in it already is said once more, and changes nothing.
"""

import re
from collections.abc import Mapping
from urllib.parse import urlsplit

from bonafide.errors import ParseFailed
from bonafide.sources.formats.json_objects import parse_strict_json
from bonafide.sources.framework.context import FetchContext, Resource
from bonafide.sources.framework.downloads import is_https_below
from bonafide.sources.framework.metadata import ResourceMetadata

MAX_DELTAS = 28
"""A week of them: after that a new export takes less reading than the old one with all its changes."""
_EXPORT, _DELTA = "export-", "delta-"
_VERSION = re.compile(r"\d{14}-[a-z0-9]{3}")


async def fetch(context: FetchContext) -> list[Resource]:
    """The export, and the deltas that follow it from the oldest to the newest."""
    versions = _read_versions(await context.read(context.metadata.resource("deltas").url), context)
    held = context.previous_downloads.kept(_EXPORT)
    missing = _find_missing(_get_version(held[-1]), versions) if held else None
    if missing is None:
        return [await _download_export(context, max(versions))]
    kept = {resource.name: resource for resource in context.previous_downloads.kept(_DELTA)}
    deltas = []
    for version in missing:
        name = f"{_DELTA}{version}"
        wanted = ResourceMetadata(name=name, url=versions[version], format="json")
        # A version never changes: what is here need not be asked for again.
        deltas.append(kept[name] if name in kept else await context.download(wanted))
    return [held[-1], *deltas]


async def _download_export(context: FetchContext, version: str) -> Resource:
    """A new export; what was held before is forgotten once it is here."""
    known = context.metadata.resource("export")
    got = await context.download(known.model_copy(update={"name": f"{_EXPORT}{version}"}))
    for old in (*context.previous_downloads.kept(_EXPORT), *context.previous_downloads.kept(_DELTA)):
        if old.name != got.name:
            context.previous_downloads.forget(old)
    return got


def _find_missing(held: str, versions: Mapping[str, str]) -> list[str] | None:
    """The versions after the one that is held, oldest first; None where they don't follow it without a gap, or are too many."""
    following = sorted(version for version in versions if version > held)
    return following if held in versions and len(following) <= MAX_DELTAS else None


def _get_version(resource: Resource) -> str:
    return resource.name.removeprefix(_EXPORT)


def _read_versions(answer: bytes, context: FetchContext) -> dict[str, str]:
    """The address of each version's delta. Raises `ParseFailed` for another shape, and an address that is not the publisher's."""
    name = f"{context.metadata.key}: deltas"
    try:
        versions = {str(version): str(url) for version, url in parse_strict_json(answer)["versions"].items()}
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise ParseFailed(f"{name}: the answer has another shape than is known: {type(error).__name__} {error}") from error
    home = urlsplit(context.metadata.resource("deltas").url).hostname or ""
    for version, url in versions.items():
        if _VERSION.fullmatch(version) is None or not is_https_below(url, home):
            raise ParseFailed(f"{name}: {version!r} is no version, or not at {home}: {url}")
    if not versions:
        raise ParseFailed(f"{name}: no version is named")
    return versions
