"""Which loads of GLEIF's relationships are trusted: both files must have their rows."""

from collections import Counter

import pytest

from bonafide.model.entry import SourceKind
from bonafide.model.loading import LoadRecord, LoadStorage
from bonafide.services.loading.refresh import find_load_problems
from bonafide.sources.framework.discovery import get_source
from tests.support.loaded_sandbox import LOADED_AT

ENTRIES = 7_000_000
FILLED = Counter({"relationship": ENTRIES, "parent_lei": 480_000, "since": 470_000, "reasons": 6_520_000})
"""The published files of November 2026, roughly."""


def list_problems(filled: Counter[str]) -> list[str]:
    stored = LoadStorage(added=ENTRIES, changed=0, removed=0, written=0, segments=1)
    record = LoadRecord.model_validate(
        {
            "source": "gleifRelationships",
            "kind": SourceKind.RELATIONSHIPS,
            "world": "live",
            "loaded_at": LOADED_AT,
            "retrieved_at": LOADED_AT,
            "as_of": None,
            "files": (),
            "rows": ENTRIES,
            "entries": ENTRIES,
            "merged": 0,
            "rejected": 0,
            "reasons": {},
            "rejections": (),
            "unknown_terms": {},
            "notes": (),
            "stored": stored,
        }
    )
    return [str(problem) for problem in find_load_problems(record, get_source("gleifRelationships").metadata.checks, filled, None)]


def test_a_complete_load_is_trusted() -> None:
    assert list_problems(FILLED) == []


@pytest.mark.parametrize("missing", [{"parent_lei", "since"}, {"since"}, {"reasons"}])
def test_a_load_without_a_file_or_without_periods_is_not(missing: set[str]) -> None:
    filled = Counter({field: count for field, count in FILLED.items() if field not in missing})
    assert len(list_problems(filled)) == len(missing)
