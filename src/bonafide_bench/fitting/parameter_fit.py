"""Fit the parameters: each value is tried in a process of its own, which scores the pairs that the parameter affects.

`fit_process` explains why. Several values are tried at once, one on each core.
"""

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from bonafide_bench.fitting.coordinate_descent import list_candidates
from bonafide_bench.fitting.fit_process import FitTask
from bonafide_bench.fitting.loss import LEAST_GAIN, FittedNumber, Floats, LabelledScores

_SMALLEST = 1e-9


class FitProcesses:
    """Runs tasks in processes, as many at once as there are `workers`."""

    def __init__(self, pairs: Path, workers: int) -> None:
        self.pairs = pairs
        self.workers = workers
        self._threads = ThreadPoolExecutor(workers)

    def run(self, tasks: Sequence[FitTask]) -> list[Any]:
        """The result of each task. Raises `subprocess.CalledProcessError` if a process fails."""
        return list(self._threads.map(_run, tasks))

    def score(
        self, parameters: Sequence[Mapping[str, float]], tables: Mapping[str, float], places: Sequence[int] | None = None
    ) -> list[Floats]:
        """The scores of the pairs at these places (all by default) with each set of parameters."""
        chosen = None if places is None else list(places)
        found = self.run([FitTask(str(self.pairs), values, tables, chosen) for values in parameters])
        return [np.array(scores, dtype=np.float64) for scores in found]

    def fit_tables(self, parameters: Mapping[str, float], tables: Mapping[str, float], seed: int) -> dict[str, Any]:
        """Fit the numbers of the tables in one process with these parameters (`table_fit.TableFitResult` as a dictionary)."""
        found: dict[str, Any] = self.run([FitTask(str(self.pairs), parameters, tables, fit=True, seed=seed)])[0]
        return found


def _run(task: FitTask) -> Any:
    command = [sys.executable, "-P", "-m", "bonafide_bench.fitting.fit_process"]
    done = subprocess.run(command, input=task.to_json(), capture_output=True, text=True, check=True)  # noqa: S603 - own module
    return json.loads(done.stdout)


def fit_parameters(
    processes: FitProcesses,
    labelled: LabelledScores,
    numbers: Sequence[FittedNumber],
    values: dict[str, float],
    tables: Mapping[str, float],
    chance: Random,
) -> Floats:
    """One pass over the parameters: changes `values`, which has the present value of each by key; returns the new scores.

    The first process of each parameter finds the pairs that it affects; a parameter that affects none is skipped.
    """
    (scores,) = processes.score([values], tables)
    for number in chance.sample(list(numbers), len(numbers)):
        better = _try_values(processes, labelled, number, values, tables, scores)
        if better is not None:
            values[number.key], scores = better
    return scores


def _try_values(
    processes: FitProcesses,
    labelled: LabelledScores,
    number: FittedNumber,
    values: Mapping[str, float],
    tables: Mapping[str, float],
    scores: Floats,
) -> tuple[float, Floats] | None:
    """The best value and all scores with it; None if no value gains at least `LEAST_GAIN`."""
    present = values[number.key]
    candidates = list_candidates(number, present, values)
    probes = sorted(candidates, key=lambda value: abs(value - present), reverse=True)[:2]
    best, target = None, labelled.compute_loss(scores) + number.compute_penalty(present) - LEAST_GAIN
    found = dict(zip(probes, processes.score([{**values, number.key: value} for value in probes], tables), strict=True))
    affected = sorted({int(place) for tried in found.values() for place in np.flatnonzero(np.abs(tried - scores) > _SMALLEST)})
    if affected:
        others = [value for value in candidates if value not in found]
        tried = processes.score([{**values, number.key: value} for value in others], tables, affected)
        for value, own in zip(others, tried, strict=True):
            found[value] = scores.copy()
            found[value][affected] = own
    for value, own in found.items():
        loss = labelled.compute_loss(own) + number.compute_penalty(value)
        if loss <= target:
            best, target = (value, own), loss
    return best
