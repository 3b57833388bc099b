"""The newest state of the collection at the least cost: the export that we hold and what has changed since, or a new export.

The publisher names each change by a version, which begins with its instant. An export is kept under the newest version that there
was before it was asked for: what of the next is in it already is said once more, and changes nothing.
"""

import re
from collections.abc import Mapping
from urllib.parse import urlsplit

from bonafide.errors import ParseFailed
from bonafide.sources.context import FetchContext, Resource
from bonafide.sources.downloads import is_at
from bonafide.sources.json_document import parsed_json
from bonafide.sources.metadata import ResourceMetadata

MAX_DELTAS = 28
"""A week of them: after that a new export takes less reading than the old one with all its changes."""
_EXPORT, _DELTA = "export-", "delta-"
_VERSION = re.compile(r"\d{14}-[a-z0-9]{3}")


async def fetch(context: FetchContext) -> list[Resource]:
    """The export, and the deltas that follow it from the oldest to the newest."""
    versions = _versions(await context.read(context.metadata.resource("deltas").url), context)
    held = context.shelf.kept(_EXPORT)
    missing = _missing(_version_of(held[-1]), versions) if held else None
    if missing is None:
        return [await _export(context, max(versions))]
    kept = {resource.name: resource for resource in context.shelf.kept(_DELTA)}
    deltas = []
    for version in missing:
        name = f"{_DELTA}{version}"
        wanted = ResourceMetadata(name=name, url=versions[version], format="json")
        # A version never changes: what is here need not be asked for again.
        deltas.append(kept[name] if name in kept else await context.download(wanted))
    return [held[-1], *deltas]


async def _export(context: FetchContext, version: str) -> Resource:
    """A new export; what was held before is forgotten once it is here."""
    known = context.metadata.resource("export")
    got = await context.download(known.model_copy(update={"name": f"{_EXPORT}{version}"}))
    for old in (*context.shelf.kept(_EXPORT), *context.shelf.kept(_DELTA)):
        if old.name != got.name:
            context.shelf.forget(old)
    return got


def _missing(held: str, versions: Mapping[str, str]) -> list[str] | None:
    """The versions after the one that is held, oldest first; None where they don't follow it without a gap, or are too many."""
    following = sorted(version for version in versions if version > held)
    return following if held in versions and len(following) <= MAX_DELTAS else None


def _version_of(resource: Resource) -> str:
    return resource.name.removeprefix(_EXPORT)


def _versions(answer: bytes, context: FetchContext) -> dict[str, str]:
    """The address of each version's delta. Raises `ParseFailed` for another shape, and an address that is not the publisher's."""
    name = f"{context.metadata.key}: deltas"
    try:
        versions = {str(version): str(url) for version, url in parsed_json(answer)["versions"].items()}
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise ParseFailed(f"{name}: the answer has another shape than is known: {type(error).__name__} {error}") from error
    home = urlsplit(context.metadata.resource("deltas").url).hostname or ""
    for version, url in versions.items():
        if _VERSION.fullmatch(version) is None or not is_at(url, home):
            raise ParseFailed(f"{name}: {version!r} is no version, or not at {home}: {url}")
    if not versions:
        raise ParseFailed(f"{name}: no version is named")
    return versions
