"""What holds for every folder of the fourth kind: what merely lists names is neither a register nor a regulator."""

import pytest

from bonafide.model.entry import SourceKind
from bonafide.sources.framework.discovery import Source, discover_sources, list_regulator_keys
from bonafide.sources.framework.reference_page import render_page

LISTINGS = [source for source in discover_sources().values() if source.metadata.kind is SourceKind.LISTING]


@pytest.mark.parametrize("source", LISTINGS, ids=lambda source: source.key)
def test_metadata_is_that_of_a_listing(source: Source) -> None:
    metadata, folder = source.metadata, source.package.rpartition(".")[2]
    assert source.key not in list_regulator_keys()
    assert folder == "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in source.key)
    assert "weak evidence" in metadata.description.casefold()
    assert f"### `{source.key}`" in render_page().partition("## Listings (weak evidence)")[2]
    if source.parse is not None:
        assert metadata.layouts
        assert metadata.checks.min_entries > 1
        assert metadata.details
