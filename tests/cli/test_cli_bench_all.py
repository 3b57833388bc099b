"""`bonafide bench all`: the performance page, and wrong usage."""

from pathlib import Path

import pytest

from tests.support.cli_commands import Command


def test_a_size_is_in_whole_thousands(bonafide: Command) -> None:
    found = bonafide("bench", "all", "--size", "1500")
    assert found.status == 2
    assert "multiple of 1,000" in " ".join(found.said.replace("│", " ").split())


def test_the_page_is_written_in_a_checkout_only(bonafide: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    found = bonafide("bench", "all", "--write")
    assert found.status == 2
    assert "not a checkout" in " ".join(found.said.replace("│", " ").split())


@pytest.mark.slow
def test_every_benchmark_has_figures_on_the_page(
    bonafide: Command, sandbox_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    counts = ("--size", "1000", "--queries", "20", "--rounds", "5", "--seconds", "1", "--rate", "5", "--processes", "1")
    found = bonafide("bench", "all", *counts, "--data-dir", sandbox_dir)
    assert found.status == 0
    assert [path.name for path in tmp_path.iterdir()] == ["data"], "without --write, nothing is written beside the data"
    release = found.out.partition("## Release ")[2].partition("## History")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in release.splitlines() if line.startswith("| ")]
    ratios = {row[0]: float(row[2].replace(",", "")) for row in rows if len(row) == 5 and row[0] != "Operation"}
    assert all(ratio > 0 for ratio in ratios.values())
    parts = ("Build the index", "Index alone", "Index and final score", "Typeahead", "Screen a name", "PDF:", "Roll up")
    service = ("Durable commits", "pre-fill", "POST /search", "Bare FastAPI", "`GET /v1/search/{id}`", "`POST /v1/search`")
    assert [part for part in (*parts, *service) if not any(what.startswith(part) for what in ratios)] == []
