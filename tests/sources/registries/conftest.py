"""What the tests of registers ask for: a file as a resource, and a register's files parsed with every row accounted for."""

import hashlib
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bonafide.model.entry import RegistryEntry
from bonafide.sources.framework import discovery
from bonafide.sources.framework.context import ParseContext, ParseReport, Resource

RETRIEVED_AT = datetime(2026, 11, 20, 14, 33, tzinfo=UTC)
Parsed = Callable[..., tuple[list[RegistryEntry], ParseReport]]


@pytest.fixture(scope="session")
def register() -> Callable[[str], discovery.Source]:
    """A register by its folder, whatever state the other sources are in."""
    return lambda folder: discovery._load_source(f"bonafide.sources.registries.{folder}")


@pytest.fixture(scope="session")
def as_resource() -> Callable[[Path], Resource]:
    def resource(path: Path) -> Resource:
        content = path.read_bytes()
        return Resource(path.name, path, f"file:{path.name}", RETRIEVED_AT, hashlib.sha256(content).hexdigest(), len(content))

    return resource


@pytest.fixture(scope="session")
def parsed(register: Callable[[str], discovery.Source], as_resource: Callable[[Path], Resource]) -> Parsed:
    """The entries of a register's files, and the report in which every row is accounted for."""

    def parse(folder: str, *paths: Path) -> tuple[list[RegistryEntry], ParseReport]:
        source = register(folder)
        assert source.parse is not None
        context = ParseContext(source.metadata)
        found = source.parse([as_resource(path) for path in paths], context)
        entries = [entry for entry in found if isinstance(entry, RegistryEntry)]
        report = context.report
        assert report.rows == len(entries) + report.merged + report.rejected
        assert len({entry.entry_id for entry in entries}) == len(entries)
        return entries, report

    return parse
