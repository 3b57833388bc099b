"""What holds of every register's folder, whether code reads it or nobody may."""

import pkgutil
from collections.abc import Callable
from importlib import resources

import pytest

from bonafide.model.entity import StatusCode
from bonafide.model.entry import SourceKind
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.sources import registries
from bonafide.sources.framework.context import ParseContext
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
def test_the_metadata_is_well_formed_and_named_like_its_folder(register: Register, folder: str) -> None:
    metadata = register(folder).metadata
    assert metadata.key == folder
    assert metadata.kind is SourceKind.REGISTRY
    assert metadata.jurisdiction == (folder.upper() if folder not in JOINT else None)
    assert metadata.page.startswith("https://")


@pytest.mark.parametrize("folder", REGISTERS)
def test_its_numbers_have_a_label_for_what_is_imported(register: Register, folder: str) -> None:
    assert register(folder).metadata.number_label


@pytest.mark.parametrize("folder", FOLDERS)
def test_its_status_words_fold_to_common_codes_without_regard_to_case(register: Register, folder: str) -> None:
    metadata = register(folder).metadata
    context = ParseContext(metadata)
    for word, code in metadata.statuses.items():
        assert isinstance(code, StatusCode)
        assert context.status(word.upper()) is code
    assert not context.report.unknown_terms


@pytest.mark.parametrize("folder", FOLDERS)
def test_what_can_be_read_has_code_and_layouts_and_what_cannot_says_why(register: Register, folder: str) -> None:
    source = register(folder)
    assert (source.metadata.access in {AccessMethod.LIVE, AccessMethod.NONE}) == (source.parse is None) == (folder in WITHOUT_FILES)
    assert bool(source.metadata.layouts) == (source.parse is not None)
    if source.metadata.access is not AccessMethod.BULK:
        assert len(source.metadata.access_note) > 80
        assert "canonical layout" in source.metadata.access_note


@pytest.mark.parametrize("folder", FOLDERS)
def test_what_is_downloaded_names_its_files(register: Register, folder: str) -> None:
    metadata = register(folder).metadata
    assert (metadata.access is AccessMethod.BULK or folder in ON_DEMAND) == bool(metadata.resources)
    assert all(resource.url.startswith("https://") for resource in metadata.resources)


@pytest.mark.parametrize("folder", FOLDERS)
def test_an_address_of_an_entry_has_a_place_for_the_number(register: Register, folder: str) -> None:
    entry_url = register(folder).metadata.entry_url
    assert entry_url is None or entry_url.format(number="1000017").endswith("1000017")


@pytest.mark.parametrize("folder", FOLDERS)
def test_words_that_yaml_takes_for_something_else_are_quoted(folder: str) -> None:
    text = (resources.files(f"bonafide.sources.registries.{folder}") / "source.yml").read_text(encoding="utf-8")
    bare = [line for line in text.splitlines() if line.split(": ")[-1].strip().lower() in {"on", "no", "yes", "off"}]
    assert bare == []
