"""Which tests are of one source (`pytest --source KEY`)."""

from pathlib import Path

import pytest

from bonafide.sources.framework.discovery import KIND_PACKAGES, Source, discover_sources
from tests.support.paths import SOURCE_TESTS


def is_of_another_source(path: Path, source: Source) -> bool:
    """Whether a file or folder below `tests/sources` can have no test of the source; importing them all takes long."""
    kind = SOURCE_TESTS / KIND_PACKAGES[source.metadata.kind]
    if path.is_dir():
        return path.parent == SOURCE_TESTS and path != kind
    if path.parent not in {SOURCE_TESTS, *(SOURCE_TESTS / name for name in KIND_PACKAGES.values())}:
        return False
    return path.stem != "test_source_contract" and not path.stem.endswith("_folders") and not _is_file_of(path, source)


def select_tests(config: pytest.Config, items: list[pytest.Item], source: Source) -> None:
    """Keep the tests of the source, and those that hold of all sources together (marked `all_sources`)."""
    own = {path for path in {item.path for item in items} if _is_file_of(path, source)}
    chosen = [item for item in items if item.path in own or _is_test_of(item, source)]
    config.hook.pytest_deselected(items=[item for item in items if item not in set(chosen)])
    items[:] = chosen


def _is_file_of(path: Path, source: Source) -> bool:
    """Whether a file of tests names the source, and no other source, as a literal."""
    if not path.is_relative_to(SOURCE_TESTS):
        return False
    text = path.read_text(encoding="utf-8")
    return {key for key in discover_sources() if f'"{key}"' in text} == {source.key}


def _is_test_of(item: pytest.Item, source: Source) -> bool:
    """Whether a parameter of the test is the source, its key or the name of its folder."""
    if item.get_closest_marker("all_sources") is not None:
        return True
    call = getattr(item, "callspec", None)
    values = call.params.values() if call is not None else ()
    keys = {value.key if isinstance(value, Source) else value for value in values if isinstance(value, Source | str)}
    return not keys.isdisjoint({source.key, source.package.rpartition(".")[2]})
