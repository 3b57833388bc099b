"""Recall of the index with the final score on any names: they are indexed, some disturbed by the bench's rules, and sought.

It reckons; what is enough is asserted by the tests.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from random import Random

from bonafide_bench.datasets.name_files import prepare_words, read_rows, write_rows
from bonafide_bench.datasets.name_queries import create_queries
from bonafide_bench.engines import product_index
from bonafide_bench.engines.engine import EngineMaterial
from bonafide_bench.engines.scored_index import ScoredIndex
from bonafide_bench.measurements.engine_processes import BEST, EngineAnswer
from bonafide_bench.measurements.figures import QuerySetFigures, RecallAtDepth


class Searched:
    """An index of the names of numbered records."""

    def __init__(self, folder: Path, records: Mapping[int, Sequence[str]]) -> None:
        names = folder / "names.tsv"
        write_rows(names, ((record, name) for record, own_names in records.items() for name in own_names))
        self._material = EngineMaterial(names, prepare_words(folder, len(records), names), folder / "index")
        product_index.build(self._material)
        self._engine = ScoredIndex(self._material)

    def recall(self, names: Sequence[str], count: int) -> QuerySetFigures:
        """So many queries made from these names, which are among those of the records, and what came of them."""
        probes = create_queries(names, read_rows(self._material.words), count, Random("recall"))  # noqa: S311 - a sample
        answers = [EngineAnswer(1, tuple(self._engine.find(probe.text)[:BEST])) for probe in probes]
        return QuerySetFigures.of(probes, answers)


def table(sets: Mapping[str, QuerySetFigures]) -> str:
    """Recall by the way of disturbing, and of all, for each set of queries."""
    kinds = dict.fromkeys(kind for figures in sets.values() for kind in figures.kinds)
    header = " " * 32 + "".join(f"{name:>28}" for name in sets)
    rows = [_row(kind, (figures.kinds.get(kind) for figures in sets.values())) for kind in kinds]
    return "\n".join([header, *rows, _row("all", (figures.recall for figures in sets.values()))])


def _row(title: str, found: Iterable[RecallAtDepth | None]) -> str:
    cells = ("" if recall is None else f"{recall.asked} asked {recall.at[1]:.3f} {recall.at[20]:.3f}" for recall in found)
    return f"{title:32}" + "".join(f"{cell:>28}" for cell in cells)
