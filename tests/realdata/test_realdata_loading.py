"""Real lists load with every row accounted for: an entry, part of another entry, or rejected for a stated reason."""

import pytest
from figures import Report
from real_files import REAL_SOURCES, RealData, RealSource

pytestmark = pytest.mark.realdata


@pytest.mark.parametrize("source", REAL_SOURCES, ids=lambda source: source.key)
def test_no_row_of_a_real_list_is_lost_without_a_reason(real: RealData, source: RealSource, report: Report) -> None:
    record = real.records[source.key]
    report(
        f"{source.key}: {record.rows:,} rows, {record.entries:,} entries, {record.merged:,} merged, "
        f"{record.rejected:,} rejected {record.reasons or ''}".rstrip()
    )
    assert (record.rows, record.merged, record.rejected) == (source.rows, source.merged, source.rejected)
    assert record.rows == record.entries + record.merged + record.rejected
    assert sum(record.reasons.values()) == record.rejected
    assert all(row.reason and row.line for row in record.rejections)
    assert not record.unknown_terms


@pytest.mark.parametrize("source", REAL_SOURCES, ids=lambda source: source.key)
def test_every_entry_of_a_real_list_is_served_under_an_id_of_its_own(real: RealData, source: RealSource) -> None:
    ids = [entry.entry_id for entry in real.entries[source.key]]
    assert len(ids) == len(set(ids)) == real.records[source.key].entries
