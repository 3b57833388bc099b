"""Loading a regulator's files in a test, with the rules that hold for every load checked on the way."""

import json
import os
import time
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path

from pydantic import JsonValue

from bonafide.model.entry import RegulatoryEntry
from bonafide.sources.framework.context import ParseContext, ParseReport, Resource
from bonafide.sources.framework.discovery import get_source
from bonafide.sources.framework.metadata import SourceMetadata


@dataclass(frozen=True, slots=True)
class Loaded:
    """What a load of some files gave."""

    entries: list[RegulatoryEntry]
    report: ParseReport

    def named(self, name: str) -> RegulatoryEntry:
        """The one entry of that main name."""
        (entry,) = [entry for entry in self.entries if entry.legal_name == name]
        return entry


def load(key: str, *paths: Path) -> Loaded:
    """Parse the files as an import would, and check what holds for every load: no row lost, no id twice, details as declared."""
    source = get_source(key)
    assert source.parse is not None
    context = ParseContext(source.metadata)
    retrieved_at = datetime(2026, 11, 20, tzinfo=UTC)
    resources = [Resource(path.name, path, f"file:{path.name}", retrieved_at, "", path.stat().st_size) for path in paths]
    started = time.perf_counter()
    entries = [entry for entry in source.parse(resources, context) if isinstance(entry, RegulatoryEntry)]
    elapsed_s = time.perf_counter() - started
    report = context.report
    report.entries = len(entries)
    print(f"{key}: {elapsed_s:.3f} s, {report}")  # noqa: T201 - to be read with -s
    assert report.rows == report.entries + report.merged + report.rejected
    assert len({entry.entry_id for entry in entries}) == len(entries)
    _check_details(entries, source.metadata)
    return Loaded(entries, report)


def _check_details(entries: list[RegulatoryEntry], metadata: SourceMetadata) -> None:
    """Every key of every entry's details is declared, and its value is of the declared type."""
    declared = {detail.key: detail.type for detail in metadata.details}
    for entry in entries:
        for key, value in entry.details.items():
            assert key in declared, f"{metadata.key}: {key} is not declared"
            assert _is_of(declared[key], value), f"{metadata.key}: {key} is not a {declared[key]}: {value!r}"


def _is_of(declared: str, value: JsonValue) -> bool:
    if declared == "strings":
        return isinstance(value, list) and bool(value) and all(isinstance(item, str) for item in value)
    if declared == "date":
        return isinstance(value, str) and date.fromisoformat(value).isoformat() == value
    expected = {"string": str, "number": float, "boolean": bool}[declared]
    return isinstance(value, expected) and value != ""


def assert_golden(loaded: Loaded, golden: Path) -> None:
    """Compare with the stored JSON; set BONAFIDE_WRITE_GOLDEN to store what was found, and read the difference."""
    found = [entry.model_dump(mode="json", by_alias=True, exclude_defaults=True) for entry in loaded.entries]
    if os.environ.get("BONAFIDE_WRITE_GOLDEN"):
        golden.write_text(json.dumps(found, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    assert found == json.loads(golden.read_text(encoding="utf-8"))
