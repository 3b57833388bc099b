"""Fit all numbers of the scoring: the tables, the parameters, and the tables again with the new parameters."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import numpy as np

from bonafide_bench.fitting.loss import FittedNumber, create_fitted_number, summarize_losses, weigh_pairs
from bonafide_bench.fitting.parameter_fit import FitProcesses, fit_parameters
from bonafide_bench.fitting.source_numbers import PARAMETER_MODULES, SourceNumber
from bonafide_bench.fitting.table_fit import list_source_numbers
from bonafide_bench.quality.pair_scores import ScoredNamePair
from bonafide_bench.quality.score_dump import write_dump

WORKERS = 2
_PAIRS_FILE = "pairs.jsonl"
OnStage = Callable[[str, int, int], None]
"""Progress callback: the stage, and its number and total."""


@dataclass(frozen=True, slots=True)
class NumberChange:
    """A number that the fit changes."""

    key: str
    before: float
    after: float


@dataclass(frozen=True, slots=True)
class FitResult:
    """The result of a fit: pairs by set, the loss by kind before and after (and of all pairs), and the changed numbers."""

    seed: int
    sizes: Mapping[str, int]
    before: Mapping[str, float]
    after: Mapping[str, float]
    fitted: int
    changes: tuple[NumberChange, ...]
    numbers: tuple[SourceNumber, ...]


def fit_scoring(pairs: Sequence[ScoredNamePair], seed: int, told: OnStage, workers: int = WORKERS) -> FitResult:
    """Fit the numbers on these pairs. The same pairs and seed give the same result. Source files are not changed."""
    numbers = list_source_numbers()
    labelled = weigh_pairs(pairs)
    chance = Random(seed)  # noqa: S311 - the order of the numbers, not a secret
    parameters: dict[str, float] = {}
    tables: dict[str, float] = {}
    fitted = _list_parameters(numbers)
    with TemporaryDirectory() as folder:
        path = Path(folder) / _PAIRS_FILE
        write_dump(path, pairs)
        processes = FitProcesses(path, workers)
        (before,) = processes.score([{}], {})
        told("tables", 1, 3)
        tables = _fit_tables(processes, numbers, parameters, tables, seed)
        told("parameters", 2, 3)
        values = {number.key: number.value for number in numbers if number.owner in PARAMETER_MODULES}
        fit_parameters(processes, labelled, fitted, values, tables, chance)
        parameters = {number.key: values[number.key] for number in fitted if values[number.key] != number.value}
        told("tables", 3, 3)
        tables = _fit_tables(processes, numbers, parameters, tables, seed)
        (after,) = processes.score([parameters], tables)
    changed = {**parameters, **tables}
    return FitResult(
        seed=seed,
        sizes=_count_by_set(pairs),
        before={**summarize_losses(pairs, before.tolist()), "all": labelled.compute_loss(before)},
        after={**summarize_losses(pairs, after.tolist()), "all": labelled.compute_loss(after)},
        fitted=len(numbers),
        changes=tuple(NumberChange(one.key, one.value, changed[one.key]) for one in numbers if one.key in changed),
        numbers=tuple(numbers),
    )


def _list_parameters(numbers: Sequence[SourceNumber]) -> list[FittedNumber]:
    found = (
        create_fitted_number(number.key, number.kind, number.name, number.value)
        for number in numbers
        if number.owner in PARAMETER_MODULES
    )
    return [number for number in found if number is not None]


def _fit_tables(
    processes: FitProcesses,
    numbers: Sequence[SourceNumber],
    parameters: Mapping[str, float],
    tables: Mapping[str, float],
    seed: int,
) -> dict[str, float]:
    """The numbers of the tables that differ from the source files after a fit with these parameters."""
    values = processes.fit_tables(parameters, tables, seed)["values"]
    return {one.key: values[one.key] for one in numbers if one.key in values and not np.isclose(values[one.key], one.value)}


def _count_by_set(pairs: Sequence[ScoredNamePair]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for item in pairs:
        counts[item.set_key] = counts.get(item.set_key, 0) + 1
    return counts
