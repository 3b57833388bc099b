"""An invented register with a vocabulary of its own, and files written on the spot."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bonafide.index import IndexDocument
from bonafide.model.entry import RegistryEntry
from bonafide.model.serialized_entry import SerializedEntry
from bonafide.services.indexing.index_documents import build_index_document, build_serialized_document
from bonafide.sources.canonical.parser import CanonicalMapping, parse_canonical, serialize_canonical
from bonafide.sources.framework.context import ParseContext, ParseReport, Resource
from bonafide.sources.framework.metadata import SourceMetadata

METADATA = SourceMetadata.model_validate(
    {
        "key": "sample",
        "kind": "registry",
        "title": "Register of Samples",
        "jurisdiction": "NS",
        "publisher": {"name": "Ministry of Samples", "url": "https://samples.example"},
        "licence": {"name": "None"},
        "page": "https://samples.example/search",
        "entry_url": "https://samples.example/entity/{number}",
        "access": "none",
        "access_note": "Nobody may.",
        "description": "Invented.",
        "statuses": {"In Bloom": "active", "Withered": "dissolved"},
        "roles": {"Gardener": "director"},
        "number_label": "Sample Number",
    }
)


def resource_at(path: Path) -> Resource:
    return Resource(path.name, path, f"file:{path.name}", datetime(2026, 11, 20, tzinfo=UTC), "0" * 64, path.stat().st_size)


def imported_from(resources: list[Resource], mapping: CanonicalMapping | None = None) -> tuple[list[RegistryEntry], ParseReport]:
    """The entries and the report, in which every row is accounted for. The serialized entries of the same files are equal."""
    context = ParseContext(METADATA)
    entries = list(parse_canonical(resources, context, mapping))
    report = context.report
    assert report.rows == len(entries) + report.merged + report.rejected
    assert serialize_files(resources, mapping) == ([build_index_document(entry) for entry in entries], report)
    return entries, report


def serialize_files(resources: list[Resource], mapping: CanonicalMapping | None) -> tuple[list[IndexDocument], ParseReport]:
    """The documents of the index of the entries that a load reads, and the report."""
    context = ParseContext(METADATA)
    entries = serialize_canonical(resources, context, mapping)
    documents = [
        build_serialized_document(entry) if isinstance(entry, SerializedEntry) else build_index_document(entry) for entry in entries
    ]
    return documents, context.report


@pytest.fixture
def metadata() -> SourceMetadata:
    return METADATA


@pytest.fixture
def written(tmp_path: Path) -> Callable[[str, str | bytes], Resource]:
    """A file with this name and content, as a resource."""

    def write(name: str, content: str | bytes) -> Resource:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return resource_at(path)

    return write


@pytest.fixture
def imported() -> Callable[..., tuple[list[RegistryEntry], ParseReport]]:
    def run(*resources: Resource, mapping: CanonicalMapping | None = None) -> tuple[list[RegistryEntry], ParseReport]:
        return imported_from(list(resources), mapping)

    return run


@pytest.fixture
def as_resource() -> Callable[[Path], Resource]:
    return resource_at
