"""The coverage row of a source describes the load that was searched, however many loads there were before it."""

from dataclasses import replace
from datetime import timedelta

import pytest

from bonafide.matching.entries.query import Query
from bonafide.model.accounts.organizations import World
from bonafide.model.entry import RegistryEntry
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.loading import LoadRecord
from bonafide.runtime import Runtime
from bonafide.services.lookup.source_lookup import query_sources
from bonafide.services.results.document_parts import build_coverage_row
from tests.support.services.loading import put

pytestmark = pytest.mark.anyio

REGISTER = "on"
ENTRY = RegistryEntry(entry_id="1", jurisdiction=Jurisdiction.ON, legal_name="Zephyrine Bakery Inc.")


async def test_each_load_has_rows_of_its_own(empty_runtime: Runtime) -> None:
    put(empty_runtime, REGISTER, [ENTRY])
    (result,) = await query_sources(empty_runtime, World.LIVE, Query("Zephyrine Bakery"), [empty_runtime.sources[REGISTER]])
    load = result.origin
    assert isinstance(load, LoadRecord)
    today = load.retrieved_at.date()
    for seconds in range(100):
        # A copy that is no longer referenced leaves its memory, and with it its id, to a later one.
        retrieved_at = load.retrieved_at + timedelta(seconds=seconds)
        later = replace(result, origin=load.model_copy(update={"retrieved_at": retrieved_at}))
        for matches in (0, 2):
            row = build_coverage_row(later, matches, today)
            assert (row.source, row.retrieved_at, row.matches) == (REGISTER, retrieved_at, matches)
            assert build_coverage_row(later, matches, today) == row
