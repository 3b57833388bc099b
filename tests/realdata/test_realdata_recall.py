"""Yukon's real names, disturbed by the rules of `bonafide bench index`: the index and the final score bring the right one first."""

from pathlib import Path

import pytest

from tests.support.index.recall import Searched, table
from tests.support.realdata.files import RealData
from tests.support.realdata.outcome_tables import Report

pytestmark = [pytest.mark.realdata, pytest.mark.slow]

QUERIES = 800
MIN_FIRST, MIN_AMONG_TWENTY = 0.95, 0.995


def test_a_disturbed_name_of_yukon_is_found(real: RealData, tmp_path: Path, report: Report) -> None:
    records = {number: entry.list_search_names() for number, entry in enumerate(real.entries["yt"], start=1)}
    found = Searched(tmp_path, records).recall([name for names in records.values() for name in names], QUERIES)
    report(table({"yt: queries, R@1, R@20": found}))
    assert found.recall.asked >= QUERIES * 0.95
    assert found.recall.at[1] >= MIN_FIRST
    assert found.recall.at[20] >= MIN_AMONG_TWENTY
