"""What holds for every regulator's folder."""

import pytest

from bonafide.model.entry import SourceKind
from bonafide.model.search.result import REGULATORY_KEYS
from bonafide.sources.framework.discovery import Source, discover_sources
from bonafide.sources.framework.metadata import AccessMethod

REGULATORS = [source for source in discover_sources().values() if source.metadata.kind is SourceKind.REGULATOR]


def test_the_keys_are_the_contracts() -> None:
    assert {source.key for source in REGULATORS} <= set(REGULATORY_KEYS)


@pytest.mark.parametrize("source", REGULATORS, ids=lambda source: source.key)
class TestEveryRegulator:
    def test_its_folder_is_its_key_in_snake_case(self, source: Source) -> None:
        folder = source.package.rpartition(".")[2]
        assert folder == "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in source.key)

    def test_it_can_be_read_or_says_where_to_look(self, source: Source) -> None:
        if source.metadata.access is AccessMethod.NONE:
            assert source.parse is None
            assert source.metadata.access_note is not None
            assert source.metadata.page in source.metadata.access_note
        else:
            assert source.parse is not None

    def test_what_is_downloaded_has_an_address_and_what_is_not_says_how_to_get_it(self, source: Source) -> None:
        assert (source.metadata.access is AccessMethod.BULK) == bool(source.metadata.resources)
        assert source.metadata.access is AccessMethod.BULK or source.metadata.access_note is not None

    def test_what_is_read_declares_layouts_checks_and_details(self, source: Source) -> None:
        if source.parse is not None:
            assert source.metadata.layouts
            assert source.metadata.checks.min_entries > 1
            assert source.metadata.details
            assert len({detail.key for detail in source.metadata.details}) == len(source.metadata.details)
