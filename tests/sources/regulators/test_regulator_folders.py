"""What holds for every regulator's folder."""

import json
import re
from pathlib import Path

import pytest

from bonafide.model.entry import SourceKind
from bonafide.sources.framework.discovery import Source, discover_sources, list_regulator_keys
from bonafide.sources.framework.metadata import AccessMethod
from bonafide_sandbox.new_source import to_folder_name

STRAIGHT = re.compile(r"['\"]")
PUBLISHED = Path(__file__).parents[3] / "docs" / "openapi-released.json"
REGULATORS = [source for source in discover_sources().values() if source.metadata.kind is SourceKind.REGULATOR]


def edit_target(source: Source) -> str:
    """The path of a source's metadata, for the message of a failed check."""
    return f"src/{source.package.replace('.', '/')}/source.yml"


def read_published_keys() -> list[str]:
    """The keys of `regulatory`, in the order of the released description's example."""
    description = json.loads(PUBLISHED.read_text(encoding="utf-8"))
    return list(description["components"]["examples"]["search_result"]["value"]["regulatory"])


@pytest.mark.all_sources
def test_the_keys_keep_the_published_order_and_further_ones_follow() -> None:
    keys = list_regulator_keys()
    assert set(keys) == {source.key for source in REGULATORS}
    published = [key for key in read_published_keys() if key in keys]
    assert list(keys[: len(published)]) == published, "leave out `order` in the source.yml of a further regulator"


@pytest.mark.all_sources
def test_no_two_have_the_same_position() -> None:
    positions = [source.metadata.order for source in REGULATORS if source.metadata.order is not None]
    assert len(set(positions)) == len(positions)


@pytest.mark.parametrize("source", REGULATORS, ids=lambda source: source.key)
class TestEveryRegulator:
    def test_its_folder_is_its_key_in_snake_case(self, source: Source) -> None:
        folder = source.package.rpartition(".")[2]
        assert folder == to_folder_name(source.key), f"rename the folder to {to_folder_name(source.key)}"

    def test_it_has_a_label_in_both_languages(self, source: Source) -> None:
        """Console and printed documents read it; the French is the official one of the authority."""
        label = source.metadata.label
        assert label is not None, f"add `label: {{en: …, fr: …}}` to {edit_target(source)}"
        assert not STRAIGHT.search(label.fr), "French has typographic apostrophes and quotes"

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
            keys = [detail.key for detail in source.metadata.details]
            assert source.metadata.layouts, f"add `layouts` to {edit_target(source)}"
            assert source.metadata.checks.min_entries > 1, f"say how few entries are too few (`checks`) in {edit_target(source)}"
            assert keys, f"add `details` to {edit_target(source)}"
            assert len(set(keys)) == len(keys), f"two `details` have the same key in {edit_target(source)}"
