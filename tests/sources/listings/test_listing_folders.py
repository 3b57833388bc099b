"""What holds for every folder of the fourth kind: what merely lists names is neither a register nor a regulator."""

import pytest

from bonafide.model.entry import SourceKind
from bonafide.sources.framework.discovery import Source, discover_sources, list_regulator_keys
from bonafide.sources.framework.reference_page import render_page

LISTINGS = [source for source in discover_sources().values() if source.metadata.kind is SourceKind.LISTING]


@pytest.mark.parametrize("source", LISTINGS, ids=lambda source: source.key)
class TestEveryListing:
    def test_it_is_no_key_of_the_contracts(self, source: Source) -> None:
        assert source.key not in list_regulator_keys()

    def test_its_folder_is_its_key_in_snake_case(self, source: Source) -> None:
        folder = source.package.rpartition(".")[2]
        assert folder == "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in source.key)

    def test_it_says_of_itself_that_it_is_weak_evidence(self, source: Source) -> None:
        assert "weak evidence" in source.metadata.description.casefold()
        assert f"### `{source.key}`" in render_page().partition("## Listings (weak evidence)")[2]

    def test_what_is_read_declares_layouts_checks_and_details(self, source: Source) -> None:
        if source.parse is not None:
            assert source.metadata.layouts
            assert source.metadata.checks.min_entries > 1
            assert source.metadata.details
            assert len({detail.key for detail in source.metadata.details}) == len(source.metadata.details)
