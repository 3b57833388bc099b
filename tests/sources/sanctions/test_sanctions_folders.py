"""What holds for every sanctions list's folder."""

import pytest

from bonafide.model.entry import SourceKind
from bonafide.sources.framework.discovery import Source, discover_sources
from bonafide.sources.framework.metadata import AccessMethod

# The list keys, as decided.
KEYS = {
    "ca-sanctions-autonomous",
    "ca-sanctions-terrorist-entities",
    "un-sanctions-consolidated",
    "us-sanctions-ofac-sdn",
    "us-sanctions-ofac-consolidated",
    "eu-sanctions-consolidated",
    "uk-sanctions-list",
    "ch-seco-sanctions",
    "au-sanctions-consolidated",
    "nl-sanctions-terrorism",
    "opensanctions",
}
LISTS = [source for source in discover_sources().values() if source.metadata.kind is SourceKind.SANCTIONS]


def test_the_keys_are_those_decided() -> None:
    assert {source.key for source in LISTS} <= KEYS


@pytest.mark.parametrize("source", LISTS, ids=lambda source: source.key)
class TestEveryList:
    def test_its_folder_is_its_key(self, source: Source) -> None:
        assert source.package.rpartition(".")[2] == source.key.replace("-", "_")

    def test_it_can_be_read_or_says_where_to_look(self, source: Source) -> None:
        if source.metadata.access is AccessMethod.NONE:
            assert source.parse is None
            assert source.metadata.access_note is not None
            assert source.metadata.page in source.metadata.access_note
        else:
            assert source.parse is not None
            assert source.metadata.resources or source.metadata.access is AccessMethod.IMPORT
            assert source.metadata.checks.min_entries > 1
            assert source.metadata.checks.min_fill["name"] == 1.0
