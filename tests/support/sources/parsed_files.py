"""Parse saved files as an import would, with the rules that hold for every source, and compare the entries with stored ones."""

import json
import os
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel

from bonafide.model.entry import ListedEntity, RegulatoryEntry, RelationshipEntry
from bonafide.sources.framework.context import ParseContext, ParseReport, Resource
from bonafide.sources.framework.discovery import get_source

EntryT = TypeVar("EntryT", RegulatoryEntry, ListedEntity, RelationshipEntry)


def as_resource(path: Path) -> Resource:
    """The file as a downloaded resource."""
    return Resource(path.name, path, f"file:{path.name}", datetime(2026, 11, 20, tzinfo=UTC), "", path.stat().st_size)


def parse_files(key: str, entry_type: type[EntryT], paths: Sequence[Path]) -> tuple[list[EntryT], ParseReport]:
    """Parse the files; check that no row is lost and no id occurs twice."""
    source = get_source(key)
    assert source.parse is not None
    context = ParseContext(source.metadata)
    started = time.perf_counter()
    entries = [entry for entry in source.parse([as_resource(path) for path in paths], context) if isinstance(entry, entry_type)]
    elapsed_s = time.perf_counter() - started
    report = context.report
    report.entries = len(entries)
    print(f"{key}: {elapsed_s:.3f} s, {report}")  # noqa: T201 - to be read with -s
    assert report.rows == report.entries + report.merged + report.rejected
    assert len({entry.entry_id for entry in entries}) == len(entries)
    return entries, report


def assert_golden(entries: Sequence[BaseModel], golden: Path) -> None:
    """Compare with the stored JSON; set BONAFIDE_WRITE_GOLDEN to store what was found, and read the difference."""
    found = [entry.model_dump(mode="json", by_alias=True, exclude_defaults=True) for entry in entries]
    if os.environ.get("BONAFIDE_WRITE_GOLDEN"):
        golden.write_text(json.dumps(found, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    assert found == json.loads(golden.read_text(encoding="utf-8"))
