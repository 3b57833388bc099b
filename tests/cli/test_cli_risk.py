"""`bonafide risk`."""

import json
from pathlib import Path

import pytest

from tests.support.cli_commands import Command

RULES = """
rules:
  - {id: inactive, title: Inactive, when: "!registry.active", points: 40, reason: The business is not active.}
bands: [{name: low, from: 0}, {name: high, from: 30}]
"""


def test_rules_are_saved_replayed_and_activated(bonafide: Command, tmp_path: Path) -> None:
    bonafide("keys", "create", "--organization", "North")
    assert "Version 0 (default)" in bonafide("risk", "rules", "--organization", "North").out
    file = tmp_path / "rules.yml"
    file.write_text(RULES, "utf-8")
    draft = json.loads(bonafide("risk", "save", str(file), "--organization", "North", "--json").out)
    assert (draft["version"], draft["status"]) == (1, "draft")
    assert "Searches: 0." in bonafide("risk", "replay", "1", "--organization", "North").out
    assert "Version 1 (active)" in bonafide("risk", "activate", "1", "--organization", "North").out


@pytest.mark.parametrize(
    ("right", "wrong", "path"), [("registry.active", "registry.actve", "rules.0.when"), ("40", "many", "rules.0.points")]
)
def test_an_invalid_rule_is_refused_with_its_field(bonafide: Command, tmp_path: Path, right: str, wrong: str, path: str) -> None:
    bonafide("keys", "create", "--organization", "North")
    file = tmp_path / "rules.yml"
    file.write_text(RULES.replace(right, wrong), "utf-8")
    refused = bonafide("risk", "save", str(file), "--organization", "North")
    assert refused.status != 0
    assert path in refused.said
