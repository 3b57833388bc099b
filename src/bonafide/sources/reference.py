"""The page of all sources, written from their metadata: `python -m bonafide.sources.reference > docs/reference/sources.md`.

It says what the metadata says and nothing else; what is loaded on an installation, `bonafide sources` says.
"""

import sys
from collections.abc import Iterator

from bonafide.model.entry import SourceKind
from bonafide.sources.base import Source, discover
from bonafide.sources.metadata import Access, SourceMetadata

HEADINGS = {
    SourceKind.REGISTRY: "Business registers",
    SourceKind.REGULATOR: "Regulators",
    SourceKind.SANCTIONS: "Sanctions lists",
}
ACCESS = {
    Access.BULK: "downloaded by `bonafide sync`",
    Access.IMPORT: "imported from a file that you hold",
    Access.NONE: "not read by this release",
}
INTRODUCTION = """# Sources

Written from the sources' own metadata (`make docs`); do not edit. Every register can also be filled from a file in the
[canonical layout](canonical-layout.md).
"""


def page() -> str:
    """The whole page, in Markdown."""
    parts = [INTRODUCTION]
    for kind, heading in HEADINGS.items():
        parts.append(f"## {heading}\n")
        parts += [section(source) for source in discover().values() if source.metadata.kind is kind]
    return "\n".join(parts)


def section(source: Source) -> str:
    """What the page says of one source."""
    metadata = source.metadata
    lines = [f"### `{metadata.key}`: {metadata.title}", "", metadata.description.strip(), "", *_facts(metadata)]
    if metadata.details:
        lines += ["", "| `details` key | Type | Meaning |", "|---|---|---|"]
        lines += [f"| `{detail.key}` | {detail.type} | {detail.label} |" for detail in metadata.details]
    return "\n".join([*lines, ""])


def _facts(metadata: SourceMetadata) -> Iterator[str]:
    yield f"- **Publisher**: [{metadata.publisher.name}]({metadata.publisher.url})"
    yield f"- **Licence**: {metadata.licence.name}" + (f". {metadata.licence.note}" if metadata.licence.note is not None else "")
    yield f"- **Access**: {ACCESS[metadata.access]}; renewed: {metadata.cadence}"
    yield f"- **A person looks** at {metadata.page}"
    if metadata.access_note is not None:
        yield f"- **Why so**: {metadata.access_note.strip()}"
    if metadata.stale_after_days is not None:
        yield f"- **Called stale** after {metadata.stale_after_days} days"


if __name__ == "__main__":
    sys.stdout.write(page())
