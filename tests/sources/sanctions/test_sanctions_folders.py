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
def test_metadata_is_that_of_a_list(source: Source) -> None:
    metadata = source.metadata
    assert source.package.rpartition(".")[2] == source.key.replace("-", "_")
    if metadata.access is AccessMethod.NONE:
        assert metadata.page in (metadata.access_note or "")
        return
    assert metadata.resources or metadata.access is AccessMethod.IMPORT
    assert metadata.checks.min_entries > 1
    assert metadata.checks.min_fill["name"] == 1.0
