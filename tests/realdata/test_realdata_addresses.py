"""Real Canadian addresses, joined by rule from the columns of the real files, are parsed into those columns again.

The parser was developed on the sources of the part `train`. No row is printed.
"""

from pathlib import Path

import pytest

from bonafide_bench.datasets.address_lines import AddressLine, DatasetPart, build_address_lines
from bonafide_bench.measurements.address_accuracy import AddressFigures, measure_address_accuracy
from tests.support.realdata.outcome_tables import Report

pytestmark = pytest.mark.realdata

MIN_LINES, MIN_UNITS, MIN_STREETS = 2_000, 600, 1_500
MIN_RIGHT = 0.98


@pytest.fixture(scope="module")
def lines(shared_data: Path) -> list[AddressLine]:
    return build_address_lines(shared_data)


@pytest.fixture(scope="module")
def figures(shared_data: Path) -> tuple[AddressFigures, ...]:
    return measure_address_accuracy(shared_data)


def test_there_are_enough_lines_and_of_every_kind(lines: list[AddressLine]) -> None:
    assert len(lines) >= MIN_LINES
    assert sum(line.fields.get("unit") is not None for line in lines) >= MIN_UNITS
    assert sum("street" in line.fields for line in lines) >= MIN_STREETS
    forms = {line.form for line in lines}
    assert all({line.form for line in lines if line.part is part} == forms for part in DatasetPart)


def test_a_source_is_in_one_part_only(lines: list[AddressLine]) -> None:
    assert len({(line.source, line.part) for line in lines}) == len({line.source for line in lines})


def test_nearly_all_are_right_in_every_field(figures: tuple[AddressFigures, ...], report: Report) -> None:
    table = "\n".join(f"{it.part:8}{it.group:32}{it.lines:6}{it.right:8.1%}" for it in figures)
    report(f"addresses parsed: part, group, lines, right in every field\n{table}")
    shares = {it.part: it.right for it in figures if it.group == "all"}
    assert shares.keys() == set(DatasetPart)
    assert min(shares.values()) >= MIN_RIGHT
