"""Queries are honest: each could be answered by a reader of all names, and every record that bears the name is right."""

from pathlib import Path
from random import Random

import pytest

from bonafide_bench.datasets.corruptions import CorruptionKind
from bonafide_bench.datasets.name_files import (
    NameFileRow,
    format_size,
    prepare_names,
    prepare_words,
    read_records,
    read_rows,
    write_rows,
)
from bonafide_bench.datasets.name_queries import (
    MAX_HOLDERS,
    CorruptedQuery,
    create_queries,
    read_queries,
    sample_spread,
    write_queries,
)

NAMES = [f"{first} {second} {trade} Inc." for first in ("Osprey", "Heron", "Plover") for second in ("Harbour", "Lagoon")
         for trade in ("Bakery", "Roofing", "Dental", "Plumbing")]  # fmt: skip


def chance(seed: int) -> Random:
    return Random(seed)  # noqa: S311 - a sample, not a secret


def rows_of(names: list[str]) -> list[NameFileRow]:
    return [(number, " ".join(name.casefold().removesuffix(" inc.").split())) for number, name in enumerate(names)]


def test_queries_are_made_of_every_way_that_applies_and_know_their_truth() -> None:
    probes = create_queries(NAMES, rows_of(NAMES), 200, chance(1))
    assert {CorruptionKind.SLIP, CorruptionKind.FORM, CorruptionKind.SWAPPED, CorruptionKind.JOINED} <= {
        probe.kind for probe in probes
    }
    assert {CorruptionKind.NUMBER, CorruptionKind.ACCENTS, CorruptionKind.AND}.isdisjoint({probe.kind for probe in probes})
    for probe in probes:
        (record,) = probe.truth
        assert set(probe.text.casefold().split()) & set(NAMES[record].casefold().split()) or probe.kind is CorruptionKind.COMBINED


def test_the_same_chance_makes_the_same_queries() -> None:
    assert create_queries(NAMES, rows_of(NAMES), 50, chance(1)) == create_queries(NAMES, rows_of(NAMES), 50, chance(1))


def test_what_is_left_of_too_many_names_is_not_asked() -> None:
    crowd = [f"Heron Lagoon {word} Inc." for word in ("Alder", "Birch", "Cedar", "Dogwood", "Elder", "Fir", "Gum", "Hazel", "Ivy",
             "Juniper", "Kapok", "Larch")]  # fmt: skip
    assert len(crowd) > MAX_HOLDERS
    dropped = [
        probe.text for probe in create_queries(crowd, rows_of(crowd), 400, chance(2)) if probe.kind is CorruptionKind.DROPPED
    ]
    assert dropped
    assert "Heron Lagoon Inc." not in dropped


def test_every_record_of_the_same_name_is_right() -> None:
    rows = [(1, "osprey harbour bakery"), (2, "bakery osprey harbour"), (3, "heron lagoon dental")]
    probes = create_queries(["Osprey Harbour Bakery Inc."], rows, 30, chance(3))
    assert probes
    assert {probe.truth for probe in probes} == {frozenset({1, 2})}


def test_another_business_s_name_is_not_asked_for_this_one() -> None:
    rows = [(1, "1234567 ontario"), *((2 + number, f"{number} ontario") for number in range(1_200_000, 1_300_000))]
    texts = [
        probe.text for probe in create_queries(["1234567 Ontario Inc."], rows, 200, chance(4)) if probe.kind is CorruptionKind.DIGIT
    ]
    assert not {text for text in texts if text.startswith("12")}


def test_queries_and_names_are_read_as_they_were_written(tmp_path: Path) -> None:
    probes = [CorruptedQuery("Café “Élan”", "one slip", frozenset({3, 1}))]
    write_queries(tmp_path / "q.jsonl", probes)
    assert read_queries(tmp_path / "q.jsonl") == probes
    write_rows(tmp_path / "n.tsv", [(1, "Café Élan"), (1, "Elan"), (2, "Heron")])
    assert list(read_records(tmp_path / "n.tsv")) == [(1, ["Café Élan", "Elan"]), (2, ["Heron"])]
    (tmp_path / "bad.tsv").write_text("no tab\n", encoding="utf-8")
    with pytest.raises(ValueError, match="no tab"):
        list(read_rows(tmp_path / "bad.tsv"))


def test_a_smaller_size_is_the_beginning_of_a_larger(tmp_path: Path) -> None:
    large, small = (list(read_rows(prepare_names(tmp_path, size, None))) for size in (2_000, 1_000))
    assert (len(large), len(small)) == (2_000, 1_000)
    assert large[:1_000] == small
    words = list(read_rows(prepare_words(tmp_path, 1_000, tmp_path / "n1k.tsv")))
    assert {record for record, _ in words} == {record for record, _ in small}
    assert [format_size(size) for size in (5_000, 1_000_000, 10_000_000)] == ["5k", "1m", "10m"]


def test_a_sample_is_of_so_many_and_in_order() -> None:
    letters = "abcdefghij"
    sample = sample_spread(iter(letters), 4, 8, chance(5))
    assert len(sample) == 4
    assert sample == sorted(sample)
    assert set(sample) <= set(letters[:8])
