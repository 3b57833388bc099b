"""Loading a sanctions list's files in a test, with the rules that hold for every load checked on the way."""

from dataclasses import dataclass
from pathlib import Path

from bonafide.model.entry import ListedEntity
from bonafide.sources.framework.context import ParseReport
from tests.support.sources import parsed_files
from tests.support.sources.parsed_files import parse_files


@dataclass(frozen=True, slots=True)
class Loaded:
    """What a load of some files gave."""

    entries: list[ListedEntity]
    report: ParseReport

    def named(self, name: str) -> ListedEntity:
        """The one entry of that main name."""
        (entry,) = [entry for entry in self.entries if entry.name == name]
        return entry


def load(key: str, *paths: Path) -> Loaded:
    """Parse the files as an import would, and check what holds for every load: no row lost, no id twice, no country of Canada's."""
    entries, report = parse_files(key, ListedEntity, paths)
    assert all(entry.countries == () for entry in entries) or not key.startswith("ca-"), "Canada's lists name no nationality"
    return Loaded(entries, report)


def assert_golden(loaded: Loaded, golden: Path) -> None:
    """Compare the entries with the stored ones (`parsed_files`)."""
    parsed_files.assert_golden(loaded.entries, golden)
