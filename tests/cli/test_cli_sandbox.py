"""`bonafide sandbox`: the short form, and the errors of its calendar."""

from pathlib import Path

import pytest

from bonafide.settings import Settings
from bonafide_sandbox.stored_day import StoredDay, lock_sandbox, store_day
from tests.support.cli_commands import Command


@pytest.mark.slow
def test_a_folder_alone_is_short_for_generate(bonafide: Command, tmp_path: Path) -> None:
    manifest = bonafide("sandbox", tmp_path / "short", "--size", "1000", "--day", "2", "--json").json()
    assert manifest["day"] == 2
    assert bonafide("sandbox", "--size", "1000", "--day", "2", "--json", tmp_path / "short").json() == manifest
    assert bonafide("sandbox", "generate", tmp_path / "short", "--size", "1000", "--day", "2", "--json").json() == manifest


def test_its_commands_are_listed(bonafide: Command) -> None:
    shown = bonafide("sandbox", "--help")
    assert shown.status == 0
    assert [name for name in ("generate", "advance", "reset") if f"\n  {name} " not in shown.out] == []
    assert "--days" in bonafide("sandbox", "advance", "--help").out
    assert "--seed" in bonafide("sandbox", "folder", "--help").out


@pytest.mark.parametrize("days", ["0", "-1", "366", "soon"])
def test_days_that_are_no_number_of_days_are_refused(bonafide: Command, days: str) -> None:
    refused = bonafide("sandbox", "advance", "--days", days)
    assert (refused.status, refused.out) == (2, "")
    assert "--days" in refused.said


def test_a_data_directory_without_a_sandbox_is_named(bonafide: Command, data_dir: Path) -> None:
    for words in (("advance", "--days", "1"), ("reset",)):
        refused = bonafide("sandbox", *words)
        assert (refused.status, refused.out) == (1, "")
        assert f"{data_dir} has no sandbox: start `bonafide demo` first" in refused.said


def test_the_end_of_the_calendar_is_named(bonafide: Command, data_dir: Path) -> None:
    settings = Settings(data_dir=data_dir)
    with lock_sandbox(settings):
        store_day(settings, StoredDay(size=1_000, day=360))
    refused = bonafide("sandbox", "advance", "--days", "6")
    assert (refused.status, refused.out) == (1, "")
    assert "the sandbox has the days 0 to 365, not 366" in refused.said
