"""Fit the numbers of the feature tables on recorded comparisons."""

import importlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import bonafide.matching
from bonafide.matching.scoring.feature_table import FeatureTable
from bonafide_bench.fitting.coordinate_descent import fit_numbers
from bonafide_bench.fitting.loss import FittedNumber, LabelledScores, create_fitted_number, weigh_pairs
from bonafide_bench.fitting.recorded_pairs import RecordedPairs, Tables
from bonafide_bench.fitting.source_numbers import PARAMETER_MODULES, SourceNumber, find_numbers
from bonafide_bench.quality.pair_scores import ScoredNamePair

PACKAGE = Path(bonafide.matching.__path__[0])


@dataclass(frozen=True, slots=True)
class TableFitResult:
    """The fitted values of the tables' numbers by key, the loss without penalty, and the number of recorded comparisons."""

    values: Mapping[str, float]
    loss: float
    comparisons: int


def list_source_numbers() -> list[SourceNumber]:
    """All numbers in the source files of the matching."""
    return find_numbers(PACKAGE)


def load_tables() -> Tables:
    """The feature tables of the product, by the name of their constant."""
    found: dict[str, FeatureTable[Any]] = {}
    for number in list_source_numbers():
        if number.owner not in PARAMETER_MODULES and number.owner not in found:
            module = ".".join(["bonafide.matching", *number.path.relative_to(PACKAGE).with_suffix("").parts])
            found[number.owner] = getattr(importlib.import_module(module), number.owner)
    return found


def set_table_numbers(tables: Tables, values: Mapping[str, float]) -> None:
    """Set numbers of tables in this process. Raises `KeyError` for an unknown table, feature or argument."""
    for key, value in values.items():
        numbers = _get_row_numbers(tables, key)
        argument = key.rpartition(".")[2]
        numbers[argument]  # raises KeyError for an unknown argument
        numbers[argument] = value


def _get_row_numbers(tables: Tables, key: str) -> Any:
    """The numbers of a row, which its bound function has as the defaults of its arguments."""
    table, feature, _ = key.split(".")
    return tables[table].rows[feature].numbers


def get_table_numbers(tables: Tables) -> dict[str, float]:
    """The present value of every number of the tables, by key."""
    return {
        f"{key}.{feature}.{argument}": value
        for key, table in tables.items()
        for feature, row in table.rows.items()
        for argument, value in row.numbers.items()
    }


def list_fitted_numbers(present: Mapping[str, float]) -> list[FittedNumber]:
    """The numbers of the tables that are fitted. Their ranges and penalties start from the values of the source files."""
    found = (
        create_fitted_number(number.key, number.kind, number.name, number.value)
        for number in list_source_numbers()
        if number.key in present
    )
    return [number for number in found if number is not None]


@dataclass(frozen=True, slots=True)
class _TableTarget:
    """The tables of this process and the recorded comparisons, whose findings are those of the numbers kept last."""

    tables: Tables
    recorded: RecordedPairs
    labelled: LabelledScores

    def compute_loss(self, key: str, value: float) -> float:
        """Set the number, recompute the findings of its row, and set it back."""
        table, feature, argument = key.split(".")
        present = self.tables[table].rows[feature].numbers[argument]
        set_table_numbers(self.tables, {key: value})
        try:
            return self.labelled.compute_loss(self.recorded.try_row(table, feature))
        finally:
            set_table_numbers(self.tables, {key: present})

    def keep(self, key: str, value: float) -> None:
        """Set the number and keep the findings of its row."""
        table, feature, _ = key.split(".")
        set_table_numbers(self.tables, {key: value})
        self.recorded.keep_row(table, feature)


def fit_tables(tables: Tables, pairs: Sequence[ScoredNamePair], seed: int) -> TableFitResult:
    """Fit the numbers of the tables, which have the fitted values afterwards."""
    target = _TableTarget(tables, RecordedPairs(tables, [item.pair for item in pairs]), weigh_pairs(pairs))
    values = get_table_numbers(tables)
    start = target.labelled.compute_loss(target.recorded.compute_scores())
    chance = Random(seed)  # noqa: S311 - the order of the numbers, not a secret
    loss = fit_numbers(list_fitted_numbers(values), values, start, target, chance)
    return TableFitResult(values, loss, len(target.recorded))
