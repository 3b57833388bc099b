"""The files of a new source work together without an edit, and existing files are never overwritten."""

import importlib.util
import json
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType

import pytest
import yaml

from bonafide.errors import ConfigurationError
from bonafide.model.entry import RegulatoryEntry
from bonafide.sources.framework.context import ParseContext, Resource
from bonafide.sources.framework.metadata import SourceMetadata
from bonafide_sandbox.generator.businesses import create_businesses
from bonafide_sandbox.generator.known_businesses import KNOWN_BUSINESSES
from bonafide_sandbox.new_source import PLACEHOLDER, create_source, main
from bonafide_sandbox.writers.framework.writer import ListWriterFactory

KEY = "madeUpLicences"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    (tmp_path / "src/bonafide/sources/regulators").mkdir(parents=True)
    return tmp_path


def imported(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"new_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def parsed(checkout: Path, path: Path) -> tuple[list[RegulatoryEntry], ParseContext]:
    """The entries that the new source reads in a file."""
    folder = checkout / "src/bonafide/sources/regulators/made_up_licences"
    metadata = SourceMetadata.model_validate(yaml.safe_load((folder / "source.yml").read_text(encoding="utf-8")))
    assert metadata.key == KEY
    context = ParseContext(metadata)
    resource = Resource("register", path, "", datetime(2026, 11, 2, tzinfo=UTC), "", path.stat().st_size)
    return list(imported(folder / "source.py").parse([resource], context)), context


def test_the_new_source_reads_its_fixture(checkout: Path) -> None:
    created = create_source(checkout, "regulator", KEY)
    assert all(path.is_file() for path in created)
    saved = checkout / "tests/sources/regulators" / KEY / "register.csv"
    entries, context = parsed(checkout, saved)
    found = [entry.model_dump(mode="json", by_alias=True, exclude_defaults=True) for entry in entries]
    assert found == json.loads(saved.with_suffix(".golden.json").read_text(encoding="utf-8"))
    assert (context.report.rows, context.report.merged, context.report.rejected) == (4, 1, 1)
    assert PLACEHOLDER in (checkout / "src/bonafide/sources/regulators/made_up_licences/source.yml").read_text(encoding="utf-8")


def test_the_new_source_reads_what_its_writer_writes(checkout: Path, tmp_path: Path) -> None:
    create_source(checkout, "regulator", KEY)
    [factory] = imported(checkout / "src/bonafide_sandbox/writers/regulators/made_up_licences.py").WRITERS
    assert isinstance(factory, ListWriterFactory)
    assert factory.source == KEY
    writer = factory.create(tmp_path / "world", 1867)
    writer.list_known(KNOWN_BUSINESSES[0])
    for business in create_businesses(1867, 0, 2_000):
        writer.take(business)
    writer.close()
    entries, context = parsed(checkout, tmp_path / "world" / writer.targets[0].path)
    assert KNOWN_BUSINESSES[0].business.name == entries[0].legal_name
    assert len(entries) == context.report.rows > 10
    assert (context.report.rejected, dict(context.report.unknown_terms)) == (0, {})


@pytest.mark.parametrize(
    ("kind", "key", "message"),
    [
        ("registry", KEY, "no templates of kind 'registry'"),
        ("regulator", "OSFI list", "is not a valid key"),
        ("regulator", "gleif", "source 'gleif' already exists"),
    ],
)
def test_a_key_or_kind_that_will_not_do_is_refused(checkout: Path, kind: str, key: str, message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        create_source(checkout, kind, key)


def test_nothing_is_overwritten(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--kind", "regulator", "--key", KEY, "--root", str(checkout)]
    assert main(arguments) == 0
    assert f"make test-source KEY={KEY}" in capsys.readouterr().out
    edited = checkout / "src/bonafide/sources/regulators/made_up_licences/source.py"
    edited.write_text("edited")
    assert main(arguments) == 2
    assert "already exists" in capsys.readouterr().err
    assert edited.read_text() == "edited"


def test_a_folder_that_is_no_checkout_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="not a checkout"):
        create_source(tmp_path, "regulator", KEY)
    assert list(tmp_path.iterdir()) == []
