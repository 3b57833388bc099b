"""The threat model names code and tests that exist, and is found by whoever looks for it."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "discussions" / "threat-model.md").read_text(encoding="utf-8")
QUOTED = sorted(set(re.findall(r"`([a-z_/.-]+(?:\.py|/))`", PAGE)))


def test_it_names_many() -> None:
    assert len(QUOTED) > 50


@pytest.mark.parametrize("name", QUOTED)
def test_what_it_names_exists(name: str) -> None:
    assert (ROOT / name).exists() or (ROOT / "src" / "bonafide" / name).exists()


def test_every_threat_says_what_stands_against_it_and_what_proves_that() -> None:
    rows = re.findall(r"^\| [STRIDE] \|(.*)\|$", PAGE, re.MULTILINE)
    assert len(rows) > 20
    for row in rows:
        _, against, where, proof, left = [cell.strip() for cell in row.split(" | ")]
        assert min(map(len, (against, where, left))) > 5, row
        assert "`tests/" in proof, row


@pytest.mark.parametrize("page", ["README.md", "docs/index.md", "SECURITY.md"])
def test_it_can_be_found(page: str) -> None:
    assert "discussions/threat-model.md" in (ROOT / page).read_text(encoding="utf-8")


def test_the_readme_leads_to_how_to_report() -> None:
    assert "(SECURITY.md)" in (ROOT / "README.md").read_text(encoding="utf-8")
    assert "pip-audit" in (ROOT / "SECURITY.md").read_text(encoding="utf-8")
