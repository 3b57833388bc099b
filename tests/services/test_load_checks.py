"""Every reason not to trust a load, alone; and what a look-up makes of a fault that nobody foresaw."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from bonafide.errors import SourceErrorCode
from bonafide.index import Generation, GenerationStore
from bonafide.model.accounts.organizations import Principal, World
from bonafide.model.entry import SourceKind
from bonafide.model.loading import LoadRecord, LoadStorage
from bonafide.model.search.result import CoverageStatus, SearchStatus
from bonafide.runtime import Runtime
from bonafide.services.loading.refresh import find_load_problems
from bonafide.sources.framework.metadata import LoadChecks
from tests.support.loaded_sandbox import LOADED_AT
from tests.support.services.runtimes import search


def record(**changes: object) -> LoadRecord:
    facts: dict[str, object] = {
        "source": "ns",
        "kind": SourceKind.REGISTRY,
        "world": World.LIVE,
        "loaded_at": LOADED_AT,
        "retrieved_at": LOADED_AT,
        "as_of": None,
        "files": (),
        "rows": 100,
        "entries": 100,
        "merged": 0,
        "rejected": 0,
        "reasons": {},
        "rejections": (),
        "unknown_terms": {},
        "notes": (),
        "stored": LoadStorage(added=0, changed=0, removed=0, written=0, segments=1),
    }
    return LoadRecord.model_validate(facts | changes)


GOOD = record()
FILLED = Counter({"addresses": 100})
CHECKS = LoadChecks(min_entries=50, min_fill={"addresses": 0.9})


def test_a_good_load_has_no_problem() -> None:
    assert find_load_problems(GOOD, CHECKS, FILLED, GOOD) == []


@pytest.mark.parametrize(
    ("load", "problem"),
    [
        (record(rows=101), "rows were lost"),
        (record(rows=40, entries=40), "at least 50"),
        (record(rows=60, entries=60), "the last load had 100"),
        (
            record(entries=89, rejected=11, reasons={"no name": 9, "no number": 2}),
            "11 of 100 rows could not be read, most often because: no name",
        ),
        (record(unknown_terms={"status: Odd": 3}), "3 unknown terms, such as status: Odd"),
    ],
)
def test_each_reason_not_to_trust_a_load_is_a_sentence(load: LoadRecord, problem: str) -> None:
    problems = find_load_problems(load, CHECKS, FILLED, GOOD)
    assert any(problem in sentence for sentence in problems), problems


def test_fields_that_lose_their_values_are_named() -> None:
    assert find_load_problems(GOOD, CHECKS, Counter({"addresses": 89}), None) == ["only 89 of 100 entries have addresses"]


def test_a_few_bad_rows_are_no_alarm_in_a_short_file_unless_they_are_most_of_it() -> None:
    assert find_load_problems(record(rows=5, entries=3, rejected=2, reasons={"no name": 2}), LoadChecks(), Counter(), None) == []
    assert find_load_problems(record(rows=3, entries=1, rejected=2, reasons={"no name": 2}), LoadChecks(), Counter(), None) != []


def test_merged_rows_are_not_lost() -> None:
    assert find_load_problems(record(rows=110, merged=10), CHECKS, FILLED, GOOD) == []


class FaultyStore(GenerationStore[LoadRecord]):
    """Generations that fail in a way that no look-up foresees, for one source."""

    def current(self, key: str) -> Generation[LoadRecord] | None:
        if key == "on":
            raise ZeroDivisionError
        return super().current(key)


@pytest.mark.anyio
async def test_an_unforeseen_fault_is_the_sources_error_and_nobody_elses(
    runtime: Runtime, north: Principal, sandbox_data: Path
) -> None:
    faulty = FaultyStore(sandbox_data / "index" / World.SANDBOX, LoadRecord.from_manifest)
    result = await search(replace(runtime, generations={World.SANDBOX: faulty}), north, name="Sandbox Twin Holdings Inc.")
    assert result.meta.status is SearchStatus.COMPLETED_WITH_ERRORS
    assert result.errors is not None
    assert result.errors.business_registry is not None
    assert result.errors.business_registry.code is SourceErrorCode.UNKNOWN
    assert "ZeroDivision" not in result.to_json()
    assert {row.source: row.status for row in result.meta.coverage}["on"] is CoverageStatus.FAILED
    assert [match.jurisdiction for match in result.businesses or ()] == ["AB"]
