"""Labelled names from JSON lines in `labelled/`: training pairs only, because other parts of these sets are kept for judging.

Each line has `query`, `expected` (null if nothing is to be found), `label` and `entityType`; the README of the folder has the rest.
"""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from bonafide.model.entry import EntityKind
from bonafide_bench.real_names.name_pairs import NamePair

_KINDS = {"Person": EntityKind.PERSON, "Company": EntityKind.ORGANIZATION, "Organization": EntityKind.ORGANIZATION,
          "LegalEntity": EntityKind.ORGANIZATION, "Vessel": EntityKind.VESSEL, "Airplane": EntityKind.AIRCRAFT}  # fmt: skip
_NAME_PARTS = ("firstName", "middleName", "lastName")
_NO_MATCH = "no_match"
MOST_ALIASES = 5


def read_labelled(name: str, *kinds: EntityKind) -> Callable[[Path], list[NamePair]]:
    """A function that reads the pairs of one file; only parties of these kinds if any are given.

    It raises `FileNotFoundError` for a missing file, and `ValueError` for a line without names.
    """

    def read(data: Path) -> list[NamePair]:
        path = data / "labelled" / f"{name}.jsonl"
        found = [pair for row in _read_rows(path) if (pair := _to_pair(row, path)) is not None]
        return [pair for pair in found if not kinds or pair.entity_kind in kinds]

    return read


def read_unlisted_names(data: Path) -> list[str]:
    """The names of made-up people that no list has."""
    return [row["query"] for row in _read_rows(data / "labelled" / "made_up_people.jsonl")]


def _read_rows(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def _to_pair(row: dict[str, Any], path: Path) -> NamePair | None:
    kind = _KINDS.get(row["entityType"])
    if kind is None or row["expected"] is None:
        return None
    submitted, expected = _get_name(row["query"], path), _get_name(row["expected"], path)
    same = row["label"] != _NO_MATCH
    aliases = row.get("expected_aliases", [])[:MOST_ALIASES] if same else []
    return NamePair(submitted, tuple(dict.fromkeys([expected, *aliases])), same, kind)


def _get_name(stated: str | dict[str, Any], path: Path) -> str:
    if isinstance(stated, str):
        return stated
    name = stated.get("name") or " ".join(filter(None, (stated.get(part) for part in _NAME_PARTS)))
    if not name:
        raise ValueError(f"{path}: no name in {stated!r}")
    return str(name[0] if isinstance(name, list) else name)
