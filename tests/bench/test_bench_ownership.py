"""The bench of ownership rolls up structures that have what makes a roll-up expensive."""

import gc

import pytest

from bonafide.model.ownership.statement import InterestKind
from bonafide_bench.datasets.ownership_structures import OwnershipGenerator
from bonafide_bench.measurements.ownership import run_ownership_bench


def test_it_measures_structures_with_cycles() -> None:
    told: list[tuple[str, int, int | None]] = []
    report = run_ownership_bench(500, 2, 1, lambda what, done, total: told.append((what, done, total)))
    assert 500 <= report.parties <= 505
    assert report.in_cycles > 0
    assert report.times.count == report.cpu_times.count == 2
    assert told[-1] == ("ownership", 2, 2)


def test_a_run_that_fails_leaves_no_object_frozen() -> None:
    def fail(what: str, done: int, total: int | None) -> None:
        raise RuntimeError(what, done, total)

    before = gc.get_freeze_count()
    with pytest.raises(RuntimeError):
        run_ownership_bench(200, 1, 1, fail)
    assert gc.get_freeze_count() <= before


def test_a_seed_repeats_its_structure() -> None:
    first, second = (OwnershipGenerator(200, 7).generate() for _ in range(2))
    assert first == second
    interests = [interest for claimed in first.interests.values() for interest in claimed]
    assert {interest.kind for interest in interests} == {InterestKind.SHARES, InterestKind.CONTROL}
    assert any(interest.share is not None and interest.share.exact is None for interest in interests)
