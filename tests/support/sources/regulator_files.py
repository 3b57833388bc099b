"""Loading a regulator's files in a test, with the rules that hold for every load checked on the way."""

from dataclasses import dataclass
from datetime import date
from pathlib import Path

from pydantic import JsonValue

from bonafide.model.entry import RegulatoryEntry
from bonafide.sources.framework.context import ParseReport
from bonafide.sources.framework.discovery import get_source
from bonafide.sources.framework.metadata import SourceMetadata
from tests.support.sources import parsed_files
from tests.support.sources.parsed_files import parse_files


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
    entries, report = parse_files(key, RegulatoryEntry, paths)
    _check_details(entries, get_source(key).metadata)
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
    """Compare the entries with the stored ones (`parsed_files`)."""
    parsed_files.assert_golden(loaded.entries, golden)
