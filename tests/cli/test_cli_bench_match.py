"""`bonafide bench match` on the smallest sandbox: every figure is there, in JSON and in print."""

from pathlib import Path

import pytest

from bonafide_bench.datasets import different_pairs, same_pairs
from tests.support.cli_commands import Command

pytestmark = pytest.mark.slow


OPTIONS = ("bench", "match", "--size", "1000", "--pairs", "10", "--strangers", "10", "--data-dir")


def test_the_report_has_every_threshold_and_category(bonafide: Command, sandbox_dir: Path) -> None:
    report = bonafide(*OPTIONS, sandbox_dir, "--json").json()
    assert set(report) == {"thresholds", "decisions", "categories", "strangers"}
    assert report["thresholds"][:3] == [0.7, 0.85, 0.95]
    assert [item["category"] for item in report["categories"]] == [*same_pairs.RULES, *different_pairs.RULES]
    assert all(0 <= item["f1"] <= 1 for item in report["decisions"])
    assert report["strangers"]["asked"] == 10
    assert len(report["strangers"]["false_matches"]) == len(report["thresholds"])


def test_a_person_reads_tables(bonafide: Command, sandbox_dir: Path) -> None:
    found = bonafide(*OPTIONS, sandbox_dir)
    assert found.status == 0
    for part in ("Precision", "(best)", "Same business: recall", "near surname", "unregistered names"):
        assert part in found.out
