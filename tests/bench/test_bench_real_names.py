"""Sets of real names, on invented names: how pairs are made, scored, reported, dumped and compared."""

import csv
import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from xml.etree import ElementTree as ET

import pytest
import typer

from bonafide.matching.screening.screening_index import ScreeningIndex, build_indexed_party
from bonafide.model.entry import EntityKind, ListedEntity
from bonafide_bench.commands.match import match
from bonafide_bench.quality import calibration_files
from bonafide_bench.quality.alerts import ALERT_THRESHOLDS, screen_names
from bonafide_bench.quality.calibration import calibrate, fit_isotonic
from bonafide_bench.quality.calibration_picture import draw_calibration
from bonafide_bench.quality.pair_scores import ScoredNamePair, score_by_product
from bonafide_bench.quality.peer_scores import is_installed, load_peers
from bonafide_bench.quality.score_dump import compare_dumps, read_dump, write_dump
from bonafide_bench.quality.set_figures import NOT_APPLICABLE, NOT_INSTALLED, PRODUCT, ProgramFigures, measure_real_names
from bonafide_bench.real_names import keying_errors
from bonafide_bench.real_names.labelled_files import read_labelled, read_unlisted_names
from bonafide_bench.real_names.listed_pairs import plain
from bonafide_bench.real_names.listed_sets import pair_aliases, pair_keyed_in
from bonafide_bench.real_names.name_pairs import HELD_OUT, NamePair, PairKind, PairSet, PairSource, SetPart, sample_pairs
from bonafide_bench.real_names.name_sets import SETS, get_set
from bonafide_bench.real_names.register_sets import (
    pair_bilingual_names,
    pair_former_names,
    pair_near_names,
    pair_variants,
    read_yukon,
)
from bonafide_bench.real_names.sanctions_lists import ofac
from bonafide_bench.real_names.unlisted_people import create_common_names, recombine_listed_names

PERSON = EntityKind.PERSON
NAMES = ("Orsolya Quantrill Vane", "Dimitar Velkov Strandzha", "Hamidou Sarr Kante", "Ilse Maria Brandauer", "Tomasz Wolny Kruk")


def create_random(seed: int) -> Random:
    return Random(seed)  # noqa: S311 - a sample, not a secret


def read_invented(_folder: Path) -> Iterator[ListedEntity]:
    for number, name in enumerate(NAMES):
        given, _, rest = name.partition(" ")
        yield ListedEntity(entry_id=f"xx:{number}", entity_type=PERSON, name=name, aliases=(f"{rest.upper()}, {given[:-1]}",))


def read_pairs(_data: Path) -> list[NamePair]:
    same = [NamePair(name.upper(), (name,), same=True, entity_kind=PERSON) for name in NAMES]
    return [*same, NamePair(NAMES[0], (NAMES[1],), same=False, entity_kind=PERSON)]


SMALL = PairSet("small", "best F1", (PairSource(SetPart.TEST, "invented", "none", read_pairs),))


def scored(*scores: float) -> list[ScoredNamePair]:
    pairs = read_pairs(Path())
    return [ScoredNamePair("small", SetPart.TEST, pair, score) for pair, score in zip(pairs, scores, strict=False)]


# ------------------------------------------------------------------------------------------------------------------ the sets


def test_the_parts_of_a_set_come_from_different_sources_and_state_a_licence() -> None:
    for one in SETS:
        sources = [source.source for source in one.sources]
        assert len(set(sources)) == len(sources), one.key
        assert all(source.licence for source in one.sources)
        assert len({source.part for source in one.sources}) == len(sources)
    assert get_set("two lists, people").get_source(SetPart.TEST) is not None


def test_labelled_files_are_training_material_only() -> None:
    held_out = [source for one in SETS for source in one.sources if source.part in HELD_OUT]
    assert held_out
    assert not any("labelled" in source.source for source in held_out)


@pytest.mark.parametrize("error", [*keying_errors.KEYED_IN, keying_errors.swap_in_short_word, keying_errors.drop_in_short_word])
def test_an_error_changes_the_name_or_cannot_occur(error: keying_errors.KeyingError) -> None:
    texts = [error("Brandauer Ilse Ana Solm", create_random(seed)) for seed in range(20)]
    assert any(text is not None for text in texts)
    assert all(text != "Brandauer Ilse Ana Solm" for text in texts if text is not None)


def test_errors_of_short_words_need_three_words_and_change_one_of_them() -> None:
    assert keying_errors.drop_in_short_word("Ana Solm", create_random(1)) is None
    changed = keying_errors.replace_in_short_word("Brandauer Ilse Ana", create_random(1))
    assert changed is not None
    assert changed.split()[0] == "Brandauer"


def test_aliases_are_paired_with_their_party_and_with_another() -> None:
    pairs = pair_aliases(Path(), [read_invented], PERSON)
    assert {pair.same for pair in pairs} >= {True}
    assert all(pair.submitted != pair.names[0] for pair in pairs)


def test_names_as_keyed_in_are_the_same_every_time() -> None:
    assert pair_keyed_in(Path(), [read_invented], PERSON) == pair_keyed_in(Path(), [read_invented], PERSON)


def test_a_sample_does_not_depend_on_the_order_of_its_draw() -> None:
    pairs = [NamePair(str(number), ("x",), same=True) for number in range(50)]
    assert sample_pairs(pairs, 10, "a") == sample_pairs(pairs, 10, "a")
    assert len(sample_pairs(pairs, 10, "a")) == 10
    assert sample_pairs(pairs[:5], 10, "a") == pairs[:5]


def test_labelled_lines_become_pairs_of_their_kind(tmp_path: Path) -> None:
    (tmp_path / "labelled").mkdir()
    rows = [
        {"query": "Orla Vane", "expected": "Orla Vaine", "label": "match", "entityType": "Person", "expected_aliases": ["O. Vane"]},
        {"query": {"firstName": "Orla", "lastName": "Vane"}, "expected": {"name": "Carl Vane"}, "label": "no_match",
         "entityType": "Person"},
        {"query": "Vane Ltd", "expected": "Vane Limited", "label": "match", "entityType": "Company"},
        {"query": "Nobody Listed", "expected": None, "label": "no_match", "entityType": "Person"},
    ]  # fmt: skip
    for name in ("pairs", "made_up_people"):
        (tmp_path / "labelled" / f"{name}.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
    assert read_labelled("pairs", PERSON)(tmp_path) == [
        NamePair("Orla Vane", ("Orla Vaine", "O. Vane"), same=True, entity_kind=PERSON),
        NamePair("Orla Vane", ("Carl Vane",), same=False, entity_kind=PERSON),
    ]
    assert read_labelled("pairs")(tmp_path)[2].kind is PairKind.ORGANIZATION
    assert read_unlisted_names(tmp_path)[3] == "Nobody Listed"


def test_a_labelled_line_without_a_name_is_refused(tmp_path: Path) -> None:
    (tmp_path / "labelled").mkdir()
    row = {"query": {"birthDate": "1960"}, "expected": "Orla Vane", "label": "match", "entityType": "Person"}
    (tmp_path / "labelled" / "pairs.jsonl").write_text(json.dumps(row), "utf-8")
    with pytest.raises(ValueError, match="no name in"):
        read_labelled("pairs")(tmp_path)


@pytest.fixture
def register(tmp_path: Path) -> Path:
    rows = [
        ("1", "ORSOVA TRAPPING LTD.", "ORSOVA OUTFITTING LTD.", "Yukon"),
        ("2", "ORSOVA LTD.", "KESTREL BAY LTD.", "Yukon"),
        ("3", "SERVICES VELKOV DU NORD / VELKOV SERVICES OF THE NORTH", "", "CANADA"),
        ("4", "BRANDAUER &amp; SONS LTD.", "", "Yukon"),
        ("5", "BRANDAUEN TIMBER LTD.", "", "Yukon"),
        ("6", "BRANDAUER TIMBERS LTD.", "", "Yukon"),
    ]
    path = tmp_path / "registries/YT/corporate_entities_2023-01.csv"
    path.parent.mkdir(parents=True)
    with path.open("w", encoding="utf-8", newline="") as lines:
        writer = csv.writer(lines)
        writer.writerow(["number", "name", "former_name", "jurisdiction"])
        writer.writerows(rows)
    return tmp_path


def test_pairs_of_a_register_are_of_one_home(register: Path) -> None:
    assert [row.name for row in read_yukon(register, "CANADA")] == [row.name for row in read_yukon(register, "-", "YUKON")]
    assert pair_former_names(register, "YUKON") == [NamePair("ORSOVA OUTFITTING LTD.", ("ORSOVA TRAPPING LTD.",), same=True)]
    bilingual = pair_bilingual_names(register, "CANADA")
    assert [pair.submitted for pair in bilingual] == ["SERVICES VELKOV DU NORD", "VELKOV SERVICES OF THE NORTH"]
    assert bilingual[0].kind is PairKind.BUSINESS


def test_near_names_are_of_two_firms_and_variants_of_one(register: Path) -> None:
    names = [row.name for row in read_yukon(register, "YUKON")]
    assert "BRANDAUER & SONS LTD." in names
    assert {pair.submitted for pair in pair_near_names(names, "x")} <= {*names}
    variants = [pair for pair in pair_variants(names, "x") if pair.same]
    assert variants
    assert all(pair.submitted != pair.names[0] for pair in variants)


def test_the_lists_of_a_publisher_are_read_from_its_files(tmp_path: Path) -> None:
    folder = tmp_path / "us_ofac/set_2025-12_partial"
    folder.mkdir(parents=True)
    (folder / "alt.csv.gz").write_bytes(gzip.compress(b'7,1,"aka","VANE, Orla",-0-\n'))
    remarks = "DOB 12 May 1961; Passport A1234567 (Nowhere)."
    row = f'7,"QUANTRILL VANE, Orsolya","individual","X",-0-,-0-,-0-,-0-,-0-,-0-,-0-,"{remarks}"\n'
    (tmp_path / "us_ofac/sdn_2022-11-28.csv.gz").write_bytes(gzip.compress(row.encode()))
    (party,) = ofac(tmp_path)
    assert (party.entity_type, party.aliases, party.birth_dates) == (PERSON, ("VANE, Orla",), ("1961",))
    assert party.list_search_numbers() == ["A1234567"]


def test_unlisted_people_have_names_that_no_list_has() -> None:
    assert create_common_names(5) == create_common_names(8)[:5]
    made = recombine_listed_names(Path(), [read_invented], 20)
    assert len(made) == 20
    assert {plain(name) for name in made}.isdisjoint(map(plain, NAMES))


# --------------------------------------------------------------------------------------------------------------- the figures


def test_a_run_reports_each_program_or_why_it_has_no_figures() -> None:
    report = measure_real_names(Path(), lambda *_: None, people=0, sets=[SMALL])
    (figures,) = report.sets
    own = figures.programs[PRODUCT]
    assert isinstance(own, ProgramFigures)
    assert (own.best_f1, own.found) == (1.0, (1.0, 1.0, 1.0, 1.0))
    assert (figures.same, figures.different) == (5, 1)
    assert figures.programs["Splink"] == NOT_APPLICABLE
    if not is_installed("nomenklatura"):
        assert figures.programs["logic-v2"] == NOT_INSTALLED
        assert load_peers()["logic-v2"] is None
    assert len(report.scored) == 6


def test_fewer_pairs_are_a_part_of_all_of_both_labels() -> None:
    report = measure_real_names(Path(), lambda *_: None, people=0, most_pairs=3, sets=[SMALL])
    assert {item.pair for item in report.scored} < {*read_pairs(Path())}


def test_alerts_count_names_that_find_anybody() -> None:
    parties = list(read_invented(Path()))
    index = ScreeningIndex([build_indexed_party(one.entity_type, one.list_search_names(), ()) for one in parties])
    figures = screen_names("x", SetPart.TEST, index, parties, [NAMES[0], "Wanda Nobody"])
    assert figures.shares == (0.5,) * len(ALERT_THRESHOLDS)
    assert len(figures.examples) == 1


def test_a_dump_is_read_as_it_was_written_and_compared_by_pair(tmp_path: Path) -> None:
    before = scored(0.5, 0.9, 0.9, 0.72, 0.95, 0.6)
    write_dump(tmp_path / "dump.jsonl", before)
    assert read_dump(tmp_path / "dump.jsonl") == before
    comparison = compare_dumps(before, scored(0.9, 0.6, 0.92, 0.71, 0.95, 0.87))
    assert (comparison.compared, comparison.changed) == (6, 5)
    assert [change.after for change in comparison.list_changes(right=True)] == [0.9]
    assert [change.after for change in comparison.list_changes(right=False)] == [0.6, 0.87]


def test_a_file_that_is_no_dump_is_refused_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "dump.jsonl").write_text('{"set": "a"}\n', "utf-8")
    with pytest.raises(ValueError, match="line 1"):
        read_dump(tmp_path / "dump.jsonl")


def test_the_command_refuses_options_that_need_real_data_and_a_folder_without_files(tmp_path: Path) -> None:
    with pytest.raises(typer.BadParameter, match="--real-data"):
        match(dump=tmp_path / "x")
    with pytest.raises(typer.BadParameter, match="is missing"):
        match(real_data=tmp_path, people=0)


# --------------------------------------------------------------------------------------------------------------- calibration


def test_isotonic_regression_pools_what_would_fall() -> None:
    rows = [(0.6, False, 1.0), (0.7, True, 1.0), (0.8, False, 1.0), (0.9, True, 1.0)]
    assert fit_isotonic(rows) == [(0.6, 0.0), (0.7, 0.5), (0.8, 0.5), (0.9, 1.0)]


def test_a_band_has_the_share_of_true_matches_with_both_labels_weighted_equally() -> None:
    curve = calibrate(PairKind.PERSON, scored(0.96, 0.96, 0.96, 0.96, 0.5, 0.96))
    last = curve.bands[-1]
    assert last.pairs == 5
    assert last.share == pytest.approx(0.8 / 1.8)


def test_the_picture_is_well_formed_and_says_what_it_shows() -> None:
    curves = [calibrate(PairKind.PERSON, scored(0.96, 0.9, 0.9, 0.8, 0.6, 0.7))]
    root = ET.fromstring(draw_calibration(curves))  # noqa: S314 - our own text
    space = "{http://www.w3.org/2000/svg}"
    assert "people" in (root.findtext(f"{space}desc") or "")
    assert len(root.findall(f"{space}polyline")) == 1
    assert not root.findall(f".//{space}style")


def test_the_table_of_the_page_is_replaced_and_a_page_without_one_is_refused() -> None:
    page = f"# T\n\n{calibration_files.HEADING}\n\n![Old](../images/calibration.svg)\n\nText.\n\n| a |\n|---|\n\n## Next\n"
    changed = calibration_files.replace_table(page, "| b |\n|---|", "New")
    assert changed == page.replace("| a |", "| b |").replace("Old", "New")
    with pytest.raises(ValueError, match="no picture and table"):
        calibration_files.replace_table("# T\n", "| b |", "New")


def test_a_pair_of_a_register_is_scored_as_a_search_does() -> None:
    assert score_by_product(NamePair("Orsova Trapping Limited", ("ORSOVA TRAPPING LTD.",), same=True)) >= 0.95
