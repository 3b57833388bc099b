"""Disturbed names of a register: the rules, which queries are left out, and the recall of a search for them."""

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random

import pytest

from bonafide.errors import ConfigurationError
from bonafide_bench.datasets.register_disturbances import (
    CUT_WIDTH,
    DISTURBANCES,
    DisturbanceKind,
    create_disturbed_queries,
    list_name_acronyms,
)
from bonafide_bench.measurements.register_recall import REGISTER_FILE, measure_register_recall
from tests.support.index.registers import made_up_names

NAME = "Maple Ridge Phoenix Construction & Roofing Ltd."


def disturbed(name: str, kind: DisturbanceKind) -> set[str]:
    """Everything that a rule makes of a name in thirty tries."""
    tries = (DISTURBANCES[kind](name, Random(seed)) for seed in range(30))  # noqa: S311 - a sample
    return {text for text in tries if text is not None}


def create(names: Mapping[int, Sequence[str]], kind: DisturbanceKind, count: int = 50) -> list[tuple[str, frozenset[int]]]:
    made = create_disturbed_queries(names, count, Random("test"))  # noqa: S311 - a sample
    return [(query.text, query.records) for query in made.queries if query.kind is kind]


def test_recognition_confuses_a_tenth_of_the_characters() -> None:
    for text in disturbed(NAME, DisturbanceKind.OCR):
        changed = sum(one != other for one, other in zip(text, NAME.upper(), strict=False))
        assert text != NAME.upper()
        assert changed >= 1
    assert disturbed("PAYKEY", DisturbanceKind.OCR) == set()


def test_a_narrow_field_keeps_the_beginning() -> None:
    assert disturbed(NAME, DisturbanceKind.CUT) == {NAME[:CUT_WIDTH].rstrip()}
    assert disturbed("Maple Ridge", DisturbanceKind.CUT) == set()


@pytest.mark.parametrize(
    ("name", "acronyms"),
    [
        (NAME, ["MRPCR"]),
        ("Centre for Addiction and Health", ["CAH", "CFAAH"]),
        ("WHITEHORSE DAILY STAR, THE", ["WDS"]),
        ("Maple Ridge Ltd.", []),
        ("Maple Ridge 24 Roofing", []),
        ("Maple Ridge Roofing / Toitures Maple Ridge", []),
    ],
)
def test_initials_leave_out_the_legal_form(name: str, acronyms: list[str]) -> None:
    assert list_name_acronyms(name) == acronyms


def test_a_missing_word_leaves_at_least_two() -> None:
    texts = disturbed(NAME, DisturbanceKind.MISSING)
    assert {len(text.split()) for text in texts} == {len(NAME.split()) - 1}
    assert disturbed("Maple Ridge Ltd.", DisturbanceKind.MISSING) == set()


def test_a_name_is_spelled_by_ear_in_one_or_two_words() -> None:
    texts = disturbed(NAME, DisturbanceKind.PHONETIC)
    assert any("FOENIX" in text for text in texts)
    for text in texts:
        changed = sum(one != other for one, other in zip(text.split(), NAME.upper().split(), strict=True))
        assert changed in {1, 2}


def test_the_same_chance_makes_the_same_queries_of_every_kind() -> None:
    names = {number: (name,) for number, name in enumerate([*made_up_names(60), NAME])}
    one, other = (create_disturbed_queries(names, 20, Random("seed")) for _ in range(2))  # noqa: S311 - a sample
    assert one == other
    assert {query.kind for query in one.queries} == set(DisturbanceKind)


def test_a_query_that_is_another_name_is_left_out() -> None:
    names = {0: ("Zorvan Ulquin Bakery Ltd.",), 1: ("Zorvan Bakery Inc.",), 2: ("Ulquin Bakery",), 3: ("Zorvan Ulquin",)}
    assert create(names, DisturbanceKind.MISSING) == []


def test_a_query_that_is_nearer_to_another_name_is_left_out() -> None:
    names = {0: ("Zorvan Ulquin Agricultural Bakery",), 1: ("Zorvan Ulquin Bakers",)}
    assert "Zorvan Ulquin Bakery" not in [text for text, _ in create(names, DisturbanceKind.MISSING)]


def test_records_with_the_same_name_are_all_meant() -> None:
    names = {0: ("Zorvan Ulquin & Kinman Inc.",), 1: ("ZORVAN ULQUIN AND KINMAN LTD.",), 2: ("Zorvan",)}
    made = create(names, DisturbanceKind.MISSING)
    assert made
    assert {records for _, records in made} == {frozenset({0, 1})}


def test_an_acronym_of_many_businesses_is_left_out() -> None:
    names = {number: (f"Zorvan Harbour T{letter}vara",) for number, letter in enumerate("abcdef")}
    assert create(names, DisturbanceKind.ACRONYM) == []
    assert create(dict(list(names.items())[:3]), DisturbanceKind.ACRONYM)


def test_the_recall_of_a_register_is_measured(tmp_path: Path) -> None:
    path = tmp_path / REGISTER_FILE
    path.parent.mkdir(parents=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["number", "name", "former_name", "kind", "jurisdiction", "status"])
        for number, name in enumerate([*made_up_names(80), NAME.replace("&", "and")]):
            writer.writerow([number, name.upper(), "", "Corporation", "Yukon", "Active"])
    report = measure_register_recall(tmp_path, queries=15)
    assert report.entries == 81
    figures = {recall.kind: recall for recall in report.kinds}
    assert set(figures) == set(DisturbanceKind)
    for recall in report.kinds:
        assert 0 < recall.queries <= 15
        assert 0 <= recall.first <= recall.first_five <= recall.found <= 1
        assert len(recall.misses) == round((1 - recall.first) * recall.queries)
    assert figures[DisturbanceKind.OCR].found == 1
    # Initials that are a word of their own, such as "ONT", are searched for as that word.
    assert figures[DisturbanceKind.ACRONYM].found >= 0.9


def test_a_folder_without_the_register_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError):
        measure_register_recall(tmp_path)
