"""Damaged inputs of every parser: a few of each, the same in every run of the tests; `make fuzz` goes on for as long as is wanted.

They are tried in a process of its own, whose memory is limited and which is ended when it hangs. No hang is told from a slow
machine by less than the patience of the tests.
"""

from collections.abc import Callable
from pathlib import Path

from tests.support.fuzzing.parsers import MODULES, parsers
from tests.support.fuzzing.runner import Turn, fed
from tests.support.fuzzing.seeds import made_world
from tests.support.fuzzing.trial import minimised
from tests.support.recorded_figures import FIGURES
from tests.support.sampling import WHOLE
from tests.support.waiting import TIMEOUT_S

RUNS = 1_000 if WHOLE else 40
"""Changed inputs for each parser, besides those that nothing was changed in."""
SHORT_S = 1.0
"""The patience with what is known to hang."""


def test_no_parser_fails_on_damaged_inputs_but_with_the_products_own_errors(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    made_world(tmp_path / "world")
    outcome = fed(list(parsers()), Turn("own", tmp_path, runs=RUNS, input_s=TIMEOUT_S))
    told = [path.read_text(encoding="utf-8") for path in sorted((tmp_path / "findings").glob("*.txt"))]
    assert told == []
    assert outcome.runs > RUNS * len(parsers())
    assert {name.partition(":")[0] for name in parsers()} == set().union(*MODULES.values())
    record_property(FIGURES, f"{len(parsers())} parsers, own engine: {outcome.line()}")


def test_a_finding_is_made_smaller() -> None:
    assert minimised(b"so much before" + b"!" + b"so much behind", lambda data: b"!" in data) == b"!"


def test_a_hang_a_death_and_a_wish_for_too_much_memory_are_found_and_the_next_parser_is_fed(tmp_path: Path) -> None:
    made_world(tmp_path / "world")
    outcome = fed(["check:devours", "check:hangs", "check:dies", "text:numbers"], Turn("own", tmp_path, runs=5, input_s=SHORT_S))
    found = sorted((tmp_path / "findings").glob("*.txt"))
    assert [path.name.rpartition("-")[0] for path in found] == ["check-devours", "check-dies-death", "check-hangs-hang"]
    assert "MemoryError" in found[0].read_text(encoding="utf-8")
    assert all(path.with_suffix(".bin").exists() for path in found)
    assert outcome.runs > 5
