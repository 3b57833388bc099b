"""The fit of the numbers: where they are, how far they may go, and that it finds what lowers the loss."""

import subprocess
from pathlib import Path
from random import Random

import numpy as np
import pytest

from bonafide.model.entry import EntityKind
from bonafide_bench.fitting import fit_process
from bonafide_bench.fitting.coordinate_descent import fit_numbers, list_candidates
from bonafide_bench.fitting.fit import FitResult, NumberChange
from bonafide_bench.fitting.fit_report import render_report
from bonafide_bench.fitting.loss import FittedNumber, create_fitted_number, summarize_losses, weigh_pairs
from bonafide_bench.fitting.number_ranges import BAND_EDGES, ORDERS, NumberKind, compute_range, find_band, keeps_order
from bonafide_bench.fitting.parameter_fit import FitProcesses, fit_parameters
from bonafide_bench.fitting.recorded_pairs import RecordedPairs
from bonafide_bench.fitting.source_numbers import find_numbers, write_numbers
from bonafide_bench.fitting.table_fit import (
    fit_tables,
    get_table_numbers,
    list_fitted_numbers,
    list_source_numbers,
    load_tables,
    set_table_numbers,
)
from bonafide_bench.quality.pair_scores import ScoredNamePair, score_by_product
from bonafide_bench.quality.score_dump import write_dump
from bonafide_bench.real_names.name_pairs import NamePair, SetPart

PERSON, ORGANIZATION = EntityKind.PERSON, EntityKind.ORGANIZATION
PAIRS = (
    NamePair("Orsolya Vane", ("VANE, Orsolya Quantrill",), same=True, entity_kind=PERSON),
    NamePair("Dimitar Velkov", ("VELKOV, Dimitar Strandzha",), same=True, entity_kind=PERSON),
    NamePair("Hamidou Kante", ("KANTE, Seydou",), same=False, entity_kind=PERSON),
    NamePair("Orsova Trapping Ltd", ("Orsova Trapping and Outfitting Limited", "Orsova"), same=True, entity_kind=ORGANIZATION),
    NamePair("Kestrel Bay Drilling", ("Kestrel Bay Mining",), same=False, entity_kind=ORGANIZATION),
    NamePair("Brandauer Plumbing Inc.", ("BRANDAUERS PLUMBING LTD.",), same=True),
    NamePair("9012345 Canada Inc. o/a Velkov Foods", ("VELKOV FOODS",), same=True),
    NamePair("Wolny Steel Ltd.", ("WOLNY SEAFOOD LTD.",), same=False),
)
TRAINING = [ScoredNamePair("invented", SetPart.TRAIN, pair, 0.0) for pair in PAIRS]
SOURCE = '''"""A module."""
EXAMPLE = FeatureTable[Names](
    Factor(words, one_sided=0.6, count=3),  # é: offsets are bytes
    Cap(numbers, 0.65, missing=0.85),
)
'''


def number(value: float, low: float, high: float, key: str = "a") -> FittedNumber:
    return FittedNumber(key, value, low, high)


# --------------------------------------------------------------------------------------------------------------- the numbers


def test_numbers_are_found_and_replaced_in_place(tmp_path: Path) -> None:
    (tmp_path / "tables.py").write_text(SOURCE, "utf-8")
    (tmp_path / "score_parameters.py").write_text("PLURAL = 0.97\nDECIMALS = 4\nW: M = P({A: 0.5, B: 1.0})  # é\n", "utf-8")
    found = {one.key: one for one in find_numbers(tmp_path)}
    assert {key: one.value for key, one in found.items()} == {
        "EXAMPLE.words.one_sided": 0.6,
        "EXAMPLE.numbers.limit": 0.65,
        "EXAMPLE.numbers.missing": 0.85,
        "score_parameters.PLURAL": 0.97,
        "score_parameters.W[0]": 0.5,
        "score_parameters.W[1]": 1.0,
    }
    values = {"EXAMPLE.numbers.limit": 0.6, "EXAMPLE.numbers.missing": 0.86, "score_parameters.W[0]": 0.45}
    assert [path.name for path in write_numbers(found.values(), values)] == ["score_parameters.py", "tables.py"]
    assert (tmp_path / "tables.py").read_text("utf-8") == SOURCE.replace("0.65, missing=0.85", "0.6, missing=0.86")
    assert {one.key: one.value for one in find_numbers(tmp_path)} == {key: values.get(key, one.value) for key, one in found.items()}


def test_every_decimal_number_of_the_tables_is_found_with_its_value() -> None:
    present = get_table_numbers(load_tables())
    found = {one.key: one.value for one in list_source_numbers() if one.key in present}
    assert found == {key: value for key, value in present.items() if not isinstance(value, int)}


def test_the_orders_name_numbers_that_exist_and_hold() -> None:
    values = {one.key: one.value for one in list_source_numbers()}
    assert not [key for order in ORDERS for key in order if key not in values]
    assert all(keeps_order(key, values[key], values) for order in ORDERS for key in order)


def test_every_cap_stays_in_its_band() -> None:
    caps = [one for one in list_source_numbers() if one.kind is NumberKind.CAP]
    assert caps
    for one in caps:
        limits = compute_range(one.kind, one.name, one.value)
        assert limits is not None
        assert one.name.endswith((".distinctive", ".enough")) or limits == find_band(one.value)


@pytest.mark.parametrize(("value", "band"), [(0.65, (0.5, 0.69)), (0.79, (0.7, 0.79)), (0.8, (0.8, 0.84)), (0.85, (0.85, 0.94))])
def test_a_band_ends_below_the_next_edge(value: float, band: tuple[float, float]) -> None:
    assert find_band(value) == band
    assert band[0] in BAND_EDGES


def test_the_unit_and_factors_of_equal_names_are_not_reached() -> None:
    assert compute_range(NumberKind.WEIGHT, "WORD_WEIGHTS[7]", 1.0) is None
    assert create_fitted_number("a", NumberKind.WEIGHT, "WORD_WEIGHTS[7]", 1.0) is None
    limits = compute_range(NumberKind.FACTOR, "word_order.score", 0.98)
    assert limits is not None
    assert limits[1] < 1


# ------------------------------------------------------------------------------------------------------------------- descent


class Bowl:
    """A loss with its lowest point at 0.7."""

    def __init__(self) -> None:
        self.kept: list[tuple[str, float]] = []

    def compute_loss(self, _key: str, value: float) -> float:
        return (value - 0.7) ** 2 * 10

    def keep(self, key: str, value: float) -> None:
        self.kept.append((key, value))


def test_the_descent_moves_towards_the_lowest_loss_and_stops() -> None:
    bowl, values = Bowl(), {"a": 0.5}
    loss = fit_numbers([number(0.5, 0.4, 0.9)], values, bowl.compute_loss("a", 0.5), bowl, Random(1), passes=20)  # noqa: S311 - no secret
    assert values["a"] == pytest.approx(0.69, abs=0.02)
    assert loss == bowl.compute_loss("a", values["a"])
    assert bowl.kept[-1] == ("a", values["a"])


def test_a_change_without_gain_stays_out() -> None:
    bowl, values = Bowl(), {"a": 0.7}
    fit_numbers([number(0.7, 0.4, 0.9)], values, 0.0, bowl, Random(1))  # noqa: S311 - no secret
    assert values == {"a": 0.7}
    assert bowl.kept == []


def test_candidates_keep_range_order_and_decimals() -> None:
    assert all(0.5 <= value <= 0.52 for value in list_candidates(number(0.51, 0.5, 0.52), 0.51, {"a": 0.51}))
    key, lower = ORDERS[-1][0], ORDERS[-1][1]
    values = {key: 0.88, lower: 0.87}
    assert min(list_candidates(number(0.88, 0.5, 0.99, key), 0.88, values)) == 0.87
    assert list_candidates(number(0.96, 0.9, 0.99), 0.96, {"a": 0.96})[0] == 0.965


# ------------------------------------------------------------------------------------------------------------ recorded pairs


def test_recorded_scores_are_those_of_the_product() -> None:
    recorded = RecordedPairs(load_tables(), PAIRS)
    assert len(recorded) >= len(PAIRS)
    assert np.allclose(recorded.compute_scores(), [score_by_product(pair) for pair in PAIRS])


def test_a_changed_number_gives_the_scores_of_a_comparison_with_it() -> None:
    tables = load_tables()
    recorded = RecordedPairs(tables, PAIRS)
    key = "PERSON_NAME_FEATURES.person_parts.extra"
    present = get_table_numbers(tables)[key]
    try:
        set_table_numbers(tables, {key: present + 0.1})
        expected = [score_by_product(pair) for pair in PAIRS]
        assert np.allclose(recorded.try_row("PERSON_NAME_FEATURES", "person_parts"), expected)
        assert not np.allclose(recorded.compute_scores(), expected)
        recorded.keep_row("PERSON_NAME_FEATURES", "person_parts")
        assert np.allclose(recorded.compute_scores(), expected)
    finally:
        set_table_numbers(tables, {key: present})


def test_recording_leaves_no_trace() -> None:
    tables = load_tables()
    before = {key: table.factors[0].find for key, table in tables.items()}
    RecordedPairs(tables, PAIRS[:1])
    assert {key: table.factors[0].find for key, table in tables.items()} == before


def test_an_unknown_number_is_refused() -> None:
    with pytest.raises(KeyError):
        set_table_numbers(load_tables(), {"PERSON_NAME_FEATURES.person_parts.nothing": 0.5})


def test_the_fit_of_the_tables_lowers_the_loss_and_repeats() -> None:
    tables = load_tables()
    present = get_table_numbers(tables)
    start = weigh_pairs(TRAINING).compute_loss([score_by_product(pair) for pair in PAIRS])
    results = []
    try:
        for _ in range(2):
            results.append(fit_tables(tables, TRAINING, 1))
            after = [score_by_product(pair) for pair in PAIRS]
            set_table_numbers(tables, present)
        assert weigh_pairs(TRAINING).compute_loss(after) == pytest.approx(results[0].loss)
    finally:
        set_table_numbers(tables, present)
    assert results[0].loss < start
    assert results[0] == results[1]
    ranges = {one.key: one for one in list_fitted_numbers(present)}
    changed = {key for key, value in results[0].values.items() if value != present[key]}
    assert changed
    assert all(ranges[key].low <= results[0].values[key] <= ranges[key].high for key in changed)


# ---------------------------------------------------------------------------------------------------------------- parameters


def test_parameters_are_refused_once_the_matching_has_read_them() -> None:
    with pytest.raises(RuntimeError, match="already imported"):
        fit_process.set_parameters({"score_parameters.PLURAL": 0.9})


def test_a_process_scores_with_other_parameters(tmp_path: Path) -> None:
    write_dump(tmp_path / "pairs.jsonl", TRAINING)
    processes = FitProcesses(tmp_path / "pairs.jsonl", 2)
    key = "score_parameters.WORD_WEIGHTS[3]"
    before, after = processes.score([{}, {key: 0.9}], {}, [3, 4])
    assert before.tolist() == [score_by_product(pair) for pair in PAIRS[3:5]]
    assert before.tolist() != after.tolist()
    (limited,) = processes.score([{}], {"PERSON_NAME_FEATURES.person_parts.conflict": 0.1}, [2])
    assert limited[0] > score_by_product(PAIRS[2])


def test_a_parameter_moves_where_it_lowers_the_loss(tmp_path: Path) -> None:
    write_dump(tmp_path / "pairs.jsonl", TRAINING)
    key = "score_parameters.PERSON_TYPO_COST"
    pairs = [
        ScoredNamePair("typos", SetPart.TRAIN, NamePair("Orsolia Vane", ("Orsolya Vane",), same=True, entity_kind=PERSON), 0.0)
    ]
    write_dump(tmp_path / "pairs.jsonl", pairs)
    fitted = FittedNumber(key, 2.4, 1.2, 4.8)
    values = {key: 2.4}
    scores = fit_parameters(FitProcesses(tmp_path / "pairs.jsonl", 2), weigh_pairs(pairs), [fitted], values, {}, Random(1))  # noqa: S311 - no secret
    assert values[key] <= 2.4
    assert scores[0] >= score_by_product(pairs[0].pair)


def test_a_process_refuses_an_unknown_parameter(tmp_path: Path) -> None:
    write_dump(tmp_path / "pairs.jsonl", TRAINING)
    with pytest.raises(subprocess.CalledProcessError):
        FitProcesses(tmp_path / "pairs.jsonl", 1).score([{"score_parameters.NOTHING": 0.5}], {})


# --------------------------------------------------------------------------------------------------------------------- loss


def test_each_label_of_a_set_has_the_same_weight() -> None:
    weights = weigh_pairs(TRAINING).weights
    same = sum(weight for weight, item in zip(weights, TRAINING, strict=True) if item.pair.same)
    assert same == pytest.approx(0.5)
    assert {*summarize_losses(TRAINING, [0.8] * len(TRAINING))} == {"person", "organization", "business"}


def test_a_lower_score_costs_more_for_the_same_party_only() -> None:
    labelled = weigh_pairs(TRAINING[:1])
    assert labelled.compute_loss([0.7]) > labelled.compute_loss([0.9])
    assert labelled.compute_loss([0.1]) == labelled.compute_loss([0.5])
    assert weigh_pairs(TRAINING[2:3]).compute_loss([0.7]) < weigh_pairs(TRAINING[2:3]).compute_loss([0.9])


def test_the_report_lists_what_changed() -> None:
    result = FitResult(7, {"invented": 8}, {"all": 0.5}, {"all": 0.25}, 60, (NumberChange("A.b.limit", 0.65, 0.6),), ())
    page = render_report(result)
    assert "| `A.b.limit` | 0.65 | 0.6 |" in page
    assert "| all | 0.5000 | 0.2500 |" in page
    assert "seed\n7" in page
