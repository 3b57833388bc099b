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
def test_metadata_is_that_of_a_regulator(source: Source) -> None:
    metadata, folder = source.metadata, source.package.rpartition(".")[2]
    assert folder == to_folder_name(source.key), f"rename the folder to {to_folder_name(source.key)}"
    # Console and printed documents read the label; the French is the official one of the authority.
    assert metadata.label is not None, f"add `label: {{en: …, fr: …}}` to {edit_target(source)}"
    assert not STRAIGHT.search(metadata.label.fr), "French has typographic apostrophes and quotes"
    assert (metadata.access is AccessMethod.BULK) == bool(metadata.resources)
    if metadata.access is AccessMethod.NONE:
        assert metadata.page in (metadata.access_note or ""), f"say in `access_note` of {edit_target(source)} where to look"
        return
    assert metadata.layouts, f"add `layouts` to {edit_target(source)}"
    assert metadata.checks.min_entries > 1, f"say how few entries are too few (`checks`) in {edit_target(source)}"
    assert metadata.details, f"add `details` to {edit_target(source)}"
