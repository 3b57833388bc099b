"""Render the reference page of all sources from their metadata (`make docs`).

The page contains only metadata. `bonafide sources` shows what an installation has loaded.
"""

import sys
from collections.abc import Iterable, Iterator, Sequence

from bonafide.model.entity import Part
from bonafide.model.entry import SourceKind
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.sources.framework.discovery import Source, discover_sources
from bonafide.sources.framework.metadata import AccessMethod, SourceMetadata

HEADINGS = {
    SourceKind.REGISTRY: "Business registers",
    SourceKind.REGULATOR: "Regulators",
    SourceKind.SANCTIONS: "Sanctions lists",
    SourceKind.LISTING: "Listings (weak evidence)",
    SourceKind.RELATIONSHIPS: "Relationships",
}
ACCESS = {
    AccessMethod.BULK: "downloaded by `bonafide sync`",
    AccessMethod.IMPORT: "imported from a file",
    AccessMethod.LIVE: "queried live",
    AccessMethod.NONE: "no automated access",
}
INTRODUCTION = """# Sources

Generated from the metadata of the sources (`make docs`); do not edit. A file in the [canonical layout](canonical-layout.md) can be
imported for any register.
"""


PARTS = {
    Part.ALTERNATE_NAMES: "other names",
    Part.STATUS: "status",
    Part.ENTITY_TYPE: "entity type",
    Part.INCORPORATION_DATE: "incorporation date",
    Part.GOOD_STANDING: "good standing",
    Part.ADDRESSES: "address",
    Part.PEOPLE: "people",
    Part.PEOPLE_ADDRESSES: "addresses of people",
    Part.NAME_HISTORY: "former names",
    Part.INDUSTRY: "industry",
}
COVERAGE = """## Coverage by jurisdiction

The data that each register provides besides name and number, by the route that this release supports. `GET /v1/coverage` returns
the same for a running installation, with the age of the loaded data. A live route with a star is disabled until the operator has
[accepted the terms of the source](../howto/live-registers.md).

| | Route | Data | Stale after | Licence | Not included |
|---|---|---|---|---|---|"""


def render_page() -> str:
    """The whole page, in Markdown."""
    registers = [source.metadata for source in discover_sources().values() if source.metadata.kind is SourceKind.REGISTRY]
    rows = [row for jurisdiction in (*Jurisdiction, None) for row in _render_coverage(jurisdiction, registers)]
    parts = [INTRODUCTION, "\n".join([COVERAGE, *rows, ""])]
    for kind, heading in HEADINGS.items():
        parts.append(f"## {heading}\n")
        parts += [render_section(source) for source in discover_sources().values() if source.metadata.kind is kind]
    return "\n".join(parts)


def _render_coverage(jurisdiction: Jurisdiction | None, registers: Iterable[SourceMetadata]) -> Iterator[str]:
    """The rows of a jurisdiction, one for each route of each of its sources."""
    for metadata in registers:
        if metadata.jurisdiction is jurisdiction:
            for route, published, age, missing in _list_routes(metadata):
                parts = ", ".join(PARTS[part] for part in Part if part in published) or "depends on the file"
                place = jurisdiction.value if jurisdiction is not None else "several"
                yield f"| {place} | {route} | {parts} | {age} | {metadata.licence.name} | {missing} |"


def _list_routes(metadata: SourceMetadata) -> Iterator[tuple[str, Sequence[Part], str, str]]:
    """Route, parts, age and gaps: first of files, then of live queries."""
    days = f"{metadata.max_age_days} days" if metadata.max_age_days is not None else "never"
    gaps = metadata.gaps.strip() if metadata.gaps is not None else "-"
    open_to_all = metadata.live is not None and metadata.live.terms is None
    if metadata.access in {AccessMethod.BULK, AccessMethod.IMPORT}:
        yield ("download" if metadata.access is AccessMethod.BULK else "import"), metadata.publishes, days, gaps
    elif not open_to_all and metadata.jurisdiction is not None:
        yield "import (canonical layout)", metadata.publishes, days, gaps
    if metadata.live is not None:
        star = "" if open_to_all else " *"
        yield f"live{star}", metadata.live.publishes, "queried when needed", "-"


def render_section(source: Source) -> str:
    """The section of one source."""
    metadata = source.metadata
    lines = [f"### `{metadata.key}`: {metadata.title}", "", metadata.description.strip(), "", *_render_facts(metadata)]
    if metadata.details:
        lines += ["", "| `details` key | Type | Description |", "|---|---|---|"]
        lines += [f"| `{detail.key}` | {detail.type} | {detail.label} |" for detail in metadata.details]
    return "\n".join([*lines, ""])


def _render_facts(metadata: SourceMetadata) -> Iterator[str]:
    yield f"- **Publisher**: [{metadata.publisher.name}]({metadata.publisher.url})"
    yield f"- **Licence**: {metadata.licence.name}" + (f". {metadata.licence.note}" if metadata.licence.note is not None else "")
    yield f"- **Access**: {ACCESS[metadata.access]}; updated: {metadata.cadence}"
    if metadata.acceptance is not None:
        terms = metadata.acceptance
        yield f"- **Terms of the files** (version {terms.version}), to be accepted before a download: {terms.text.strip()}"
    yield from _render_live(metadata)
    yield f"- **Search page**: {metadata.page}"
    if metadata.access_note is not None:
        yield f"- **Note**: {metadata.access_note.strip()}"
    if metadata.max_age_days is not None:
        yield f"- **Stale** after {metadata.max_age_days} days"


def _render_live(metadata: SourceMetadata) -> Iterator[str]:
    live = metadata.live
    if live is None:
        return
    yield f"- **Live queries**: {live.base_url}, at most {live.rate_per_minute} requests a minute, timeout {live.timeout_s:g} s"
    if live.key is not None:
        yield f"- **Key** (`BONAFIDE_SOURCE_KEYS`): {live.key.strip()}"
    if live.terms is not None:
        yield f"- **Terms** (version {live.terms.version}), to be accepted before a query: {live.terms.text.strip()}"
    if not live.is_repeatable:
        yield "- **Monitoring**: not queried repeatedly, because the terms permit only lookups that somebody requests"
    if live.note is not None:
        yield f"- **Interface**: {live.note.strip()}"


if __name__ == "__main__":
    sys.stdout.write(render_page())
