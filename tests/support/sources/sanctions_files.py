"""Loading a sanctions list's files in a test, with the rules that hold for every load checked on the way."""

import json
import os
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from bonafide.model.entry import ListedEntity
from bonafide.sources.framework.context import ParseContext, ParseReport, Resource
from bonafide.sources.framework.discovery import get_source


@dataclass(frozen=True, slots=True)
class Loaded:
    """What a load of some files gave."""

    entries: list[ListedEntity]
    report: ParseReport

    def named(self, name: str) -> ListedEntity:
        """The one entry of that main name."""
        (entry,) = [entry for entry in self.entries if entry.name == name]
        return entry


def as_resource(path: Path) -> Resource:
    return Resource(path.name, path, f"file:{path.name}", datetime(2026, 11, 20, tzinfo=UTC), "", path.stat().st_size)


def load(key: str, *paths: Path) -> Loaded:
    """Parse the files as an import would, and check what holds for every load: no row lost, no id twice, no country of Canada's."""
    source = get_source(key)
    assert source.parse is not None
    context = ParseContext(source.metadata)
    started = time.perf_counter()
    entries = [entry for entry in source.parse([as_resource(path) for path in paths], context) if isinstance(entry, ListedEntity)]
    elapsed_s = time.perf_counter() - started
    report = context.report
    report.entries = len(entries)
    print(f"{key}: {elapsed_s:.3f} s, {report}")  # noqa: T201 - to be read with -s
    assert report.rows == report.entries + report.merged + report.rejected
    assert len({entry.entry_id for entry in entries}) == len(entries)
    assert all(entry.countries == () for entry in entries) or not key.startswith("ca-"), "Canada's lists name no nationality"
    return Loaded(entries, report)


def assert_golden(loaded: Loaded, golden: Path) -> None:
    """Compare with the stored JSON; set BONAFIDE_WRITE_GOLDEN to store what was found, and read the difference."""
    found = [entry.model_dump(mode="json", by_alias=True, exclude_defaults=True) for entry in loaded.entries]
    if os.environ.get("BONAFIDE_WRITE_GOLDEN"):
        golden.write_text(json.dumps(found, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    assert found == json.loads(golden.read_text(encoding="utf-8"))
