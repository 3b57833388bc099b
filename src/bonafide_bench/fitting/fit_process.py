"""A process that scores pairs, or fits the numbers of the tables, with other parameters than those of the source files.

Constants of similarities are created from the parameters when the matching is imported. Therefore a process sets the parameters
first, and imports the rest afterwards. It reads one task as JSON from standard input, and writes the result as JSON.
"""

import importlib
import json
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bonafide_bench.fitting.table_fit import TableFitResult

_SCORING = "bonafide.matching.scoring"
_VALUE_OF_MAPPING = re.compile(r"(\w+)\[(\d+)\]")


@dataclass(frozen=True, slots=True)
class FitTask:
    """A task: the file of pairs (`score_dump`), the values of parameters and of tables by key, and the places of the file to score.

    With `fit`, the numbers of the tables are fitted with this seed instead.
    """

    pairs: str
    parameters: Mapping[str, float]
    tables: Mapping[str, float]
    places: list[int] | None = None
    fit: bool = False
    seed: int = 0

    def to_json(self) -> str:
        """The task as JSON."""
        return json.dumps({name: getattr(self, name) for name in self.__slots__})


def set_parameters(values: Mapping[str, float]) -> None:
    """Set parameters by their keys (`score_parameters.PLURAL`, `score_parameters.WORD_WEIGHTS[2]`).

    Raises `AttributeError` for an unknown one, and `RuntimeError` if the modules that read them are already imported.
    """
    if values and f"{_SCORING}.word_similarity" in sys.modules:
        raise RuntimeError("the matching is already imported")
    for key, value in values.items():
        module_name, _, name = key.partition(".")
        module = importlib.import_module(f"{_SCORING}.{module_name}")
        place = _VALUE_OF_MAPPING.fullmatch(name)
        if place is None:
            getattr(module, name)
            setattr(module, name, value)
        else:
            items = list(getattr(module, place[1]).items())
            items[int(place[2])] = (items[int(place[2])][0], value)
            setattr(module, place[1], MappingProxyType(dict(items)))


def run_task(task: FitTask) -> Any:
    """Scores by place, or the result of a fit as JSON values."""
    set_parameters(task.parameters)
    from bonafide_bench.fitting.table_fit import fit_tables, load_tables, set_table_numbers  # noqa: PLC0415 - after the parameters
    from bonafide_bench.quality.pair_scores import score_by_product  # noqa: PLC0415
    from bonafide_bench.quality.score_dump import read_dump  # noqa: PLC0415

    tables = load_tables()
    set_table_numbers(tables, task.tables)
    pairs = read_dump(Path(task.pairs))
    if task.fit:
        result: TableFitResult = fit_tables(tables, pairs, task.seed)
        return {"values": dict(result.values), "loss": result.loss, "comparisons": result.comparisons}
    chosen = range(len(pairs)) if task.places is None else task.places
    return [score_by_product(pairs[place].pair) for place in chosen]


if __name__ == "__main__":
    json.dump(run_task(FitTask(**json.load(sys.stdin))), sys.stdout)
