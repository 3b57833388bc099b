"""Real lists load with every row accounted for: an entry, part of another entry, or rejected for a stated reason."""

import resource
from time import perf_counter

import pytest

from bonafide.model.accounts.organizations import World
from bonafide.model.entry import SourceKind
from bonafide.services.screening.list_cache import OFFICIAL, open_lists
from tests.support.realdata.files import REAL_SOURCES, RealData, RealSource
from tests.support.realdata.outcome_tables import Report

pytestmark = [pytest.mark.realdata, pytest.mark.slow]


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


def test_the_lists_are_read_into_memory_whole(real: RealData, report: Report) -> None:
    lists = [source for source in real.runtime.sources.values() if source.metadata.kind is SourceKind.SANCTIONS]
    started, before = perf_counter(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    roll = open_lists(real.runtime, World.LIVE, lists).screening_indexes[OFFICIAL].roll
    taken = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    report(
        f"lists: {len(roll.parties):,} parties, {roll.name_count:,} names, loaded in {real.lists_s:.1f} s,"
        f" read into memory in {perf_counter() - started:.1f} s, {taken:.0f} MiB more than before"
    )
    loaded = [real.records[source.key].entries for source in lists if source.key in real.records]
    assert len(roll.parties) == sum(loaded)
