"""What holds of every register's folder, whether code reads it or nobody may."""

import pkgutil
from collections.abc import Callable
from importlib import resources

import pytest

from bonafide.model.entry import SourceKind
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.sources import registries
from bonafide.sources.framework.discovery import Source
from bonafide.sources.framework.metadata import AccessMethod

Register = Callable[[str], Source]

FOLDERS = sorted(module.name for module in pkgutil.iter_modules(registries.__path__))
JOINT = {"cbr"}
"""Searches over several registers: of no jurisdiction, with numbers under the registers' own labels, and never imported."""
REGISTERS = [folder for folder in FOLDERS if folder not in JOINT]
WITHOUT_FILES = {"bc", "cbr", "nb", "nl", "ns", "nt", "nu", "pe"}
"""Asked live, or read by no program at all."""
ON_DEMAND = {"sk"}
"""Downloaded only when it is asked for by name: history in hundreds of files."""


def test_each_folder_is_a_jurisdiction() -> None:
    assert {folder.upper() for folder in REGISTERS} <= set(Jurisdiction)


@pytest.mark.parametrize("folder", FOLDERS)
def test_metadata_is_that_of_a_register(register: Register, folder: str) -> None:
    source = register(folder)
    metadata, is_joint = source.metadata, folder in JOINT
    assert metadata.key == folder
    assert metadata.kind is SourceKind.REGISTRY
    assert metadata.jurisdiction == (None if is_joint else folder.upper())
    assert metadata.number_label or is_joint
    assert metadata.entry_url is None or metadata.entry_url.format(number="1000017").endswith("1000017")
    assert (source.parse is None) == (folder in WITHOUT_FILES)
    assert bool(metadata.layouts) == (source.parse is not None)
    assert (metadata.access is AccessMethod.BULK or folder in ON_DEMAND) == bool(metadata.resources)
    if metadata.access is not AccessMethod.BULK:
        assert metadata.access_note is not None
        assert len(metadata.access_note) > 80
        assert "canonical layout" in metadata.access_note
    assert find_unquoted_words(folder) == []


def find_unquoted_words(folder: str) -> list[str]:
    """Lines whose value YAML takes for a truth value (`on` is Ontario)."""
    text = (resources.files(f"bonafide.sources.registries.{folder}") / "source.yml").read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line.split(": ")[-1].strip().lower() in {"on", "no", "yes", "off"}]
