"""`bonafide audit verify --pack`: exit codes, and what is printed."""

import json
from pathlib import Path

import pytest

from tests.support.cli_commands import Command
from tests.support.services.small_pack import build_small_pack


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    path = tmp_path / "pack.zip"
    path.write_bytes(build_small_pack())
    return path


def test_an_intact_pack_ends_with_0(bonafide: Command, pack: Path) -> None:
    shown = bonafide("audit", "verify", "--pack", str(pack))
    assert "The pack is intact." in shown.out
    found = bonafide("audit", "verify", "--pack", str(pack), "--json").json()
    assert (found["intact"], found["organization"], found["audit"]["entries"], found["problems"]) == (True, "North", 5, [])


def test_an_altered_pack_ends_with_1_and_the_name_of_the_file(bonafide: Command, pack: Path) -> None:
    packed = bytearray(pack.read_bytes())
    packed[packed.index(b"business.json") + len("business.json") + 3] ^= 1
    pack.write_bytes(packed)
    shown = bonafide("audit", "verify", "--pack", str(pack))
    assert shown.status == 1
    assert "business.json: was altered" in shown.out


def test_what_can_not_be_read_ends_with_2(bonafide: Command, tmp_path: Path) -> None:
    for path in (tmp_path / "missing.zip", tmp_path):
        assert bonafide("audit", "verify", "--pack", str(path)).status == 2


def test_a_pack_of_another_organization_is_told_from_one_of_this_installation(bonafide: Command, pack: Path) -> None:
    bonafide("keys", "create", "--organization", "North")
    shown = bonafide("audit", "verify", "--pack", str(pack), "--organization", "North", "--json")
    found = json.loads(shown.out)
    assert found["problems"] == [{"file": "manifest.json", "problem": "is of another organization"}]
    assert shown.status == 1
