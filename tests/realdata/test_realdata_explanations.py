"""Explanations of real labelled pairs are true: every word is in the breakdown, and no sentence contradicts it."""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bonafide.matching.names.business_name_comparison import compare_business_names
from bonafide.matching.names.normalization import normalise
from bonafide.matching.people.person_name_comparison import compare_parsed_person_names
from bonafide.matching.people.person_name_parsing import parse_listed_person_name
from bonafide.matching.scoring.tolerance import Tolerance
from bonafide.matching.screening.listed_name_comparison import compare_listed_names
from bonafide.matching.screening.name_parsing import parse_organization_name
from bonafide.matching.text.transliteration import is_non_latin
from tests.support.matching.explanations import find_contradictions

pytestmark = pytest.mark.realdata

MIN_PAIRS = 3_000
RANDOM_PAIRS = 1_000
SEED = 1867


@pytest.fixture(scope="module")
def pairs(shared_data: Path) -> list[tuple[str, str]]:
    """All labelled pairs, and random pairs of their names."""
    found = [pair for path in sorted((shared_data / "labelled").glob("*.jsonl")) for pair in read_pairs(path)]
    if not found:
        pytest.skip("there are no labelled pairs beside this checkout")
    chance = random.Random(SEED)  # noqa: S311 - a sample, not a secret
    return found + [(chance.choice(found)[0], chance.choice(found)[1]) for _ in range(RANDOM_PAIRS)]


def read_pairs(path: Path) -> Iterator[tuple[str, str]]:
    """The names of each pair in a file; an entity's name is in an object."""
    for line in path.read_text(encoding="utf-8").splitlines():
        row: dict[str, Any] = json.loads(line)
        a, b = (side["name"] if isinstance(side, dict) and "name" in side else side for side in (row["query"], row["expected"]))
        if isinstance(a, str) and isinstance(b, str):
            yield a, b


def test_there_are_enough_pairs(pairs: list[tuple[str, str]]) -> None:
    assert len(pairs) >= MIN_PAIRS


def test_explanations_of_organizations_are_true(pairs: list[tuple[str, str]]) -> None:
    for a, b in pairs:
        one, other = normalise(a), normalise(b)
        assert find_contradictions(compare_business_names(one, other), one, other) == []
        one, other = parse_organization_name(a), parse_organization_name(b)
        assert find_contradictions(compare_listed_names(one, other), one, other) == []


def test_explanations_of_people_are_true(pairs: list[tuple[str, str]]) -> None:
    for a, b in pairs:
        one, other = parse_listed_person_name(a), parse_listed_person_name(b)
        tolerance = Tolerance(foreign=is_non_latin(a) or is_non_latin(b))
        assert find_contradictions(compare_parsed_person_names(one, other, tolerance), one, other) == []
