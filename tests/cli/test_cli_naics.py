"""`bonafide sync naics` and `bonafide bench naics`: the classification of industries loaded and measured from the command line."""

import json
from pathlib import Path

import pytest

from bonafide_sandbox.writers.naics import write_naics
from tests.support.cli_commands import Command


@pytest.fixture
def files(tmp_path: Path) -> list[str | Path]:
    """The options that name the sandbox's tables."""
    return [word for target in write_naics(tmp_path) for word in ("--file", tmp_path / target.path)]


def test_what_was_loaded_is_told(bonafide: Command, files: list[str | Path]) -> None:
    found = bonafide("sync", "naics", "--sandbox", *files, "--as-of", "2026-01-31")
    assert (found.status, found.err) == (0, "")
    assert "naics: NAICS Canada 2022, 58 classes of six digits, " in found.out
    assert "phrases (en), " in found.out
    assert "as of 2026-01-31, retrieved " in found.out
    assert "en-structure.csv: " in found.out


def test_a_program_is_told_the_same(bonafide: Command, files: list[str | Path]) -> None:
    load = bonafide("sync", "naics", "--sandbox", *files, "--json").json()
    assert (load["source"], load["loaded"], load["classes"], load["languages"]) == ("naics", True, 58, ["en", "fr"])
    assert load["files"][0]["name"] == "en-structure.csv"


def test_tables_that_are_too_small_are_refused_unless_forced(bonafide: Command, files: list[str | Path]) -> None:
    found = bonafide("sync", "naics", *files)
    assert found.status == 1
    assert "expected at least 2,000" in found.said
    assert "The last good data stays in use." in found.said
    refused = bonafide("sync", "naics", *files, "--json")
    assert (refused.status, json.loads(refused.out)["loaded"]) == (1, False)
    assert bonafide("sync", "naics", *files, "--force").status == 0


def test_a_file_that_is_no_table_is_said_to_be_none(bonafide: Command, tmp_path: Path) -> None:
    path = tmp_path / "other.csv"
    path.write_text("a,b\n1,2\n", encoding="utf-8")
    found = bonafide("sync", "naics", "--file", path)
    assert found.status == 1
    assert "other.csv: not a table of NAICS Canada 2022; its columns are: a, b" in found.said


def test_files_belong_to_the_classification_alone(bonafide: Command, files: list[str | Path]) -> None:
    found = bonafide("sync", "naics", "ns", *files)
    assert found.status == 1
    assert "Load naics by itself: bonafide sync naics" in found.said


def test_the_bench_prints_its_figures(bonafide: Command, files: list[str | Path]) -> None:
    report = bonafide("bench", "naics", *files, "--held-out", "20", "--json").json()
    assert (report["held_out"], report["classes"], report["seed"]) == (20, 58, 8)
    assert 0 <= report["first"] <= report["top"] <= 1
    again = bonafide("bench", "naics", *files, "--held-out", "20", "--json").json()
    assert [again[figure] for figure in ("first", "top", "coded", "right", "missed")] == [
        report[figure] for figure in ("first", "top", "coded", "right", "missed")
    ]
    found = bonafide("bench", "naics", *files, "--held-out", "20", "--seed", "9")
    assert "20 official phrases (seed 9) held out of an index of " in found.out
    assert "class is " in found.out
