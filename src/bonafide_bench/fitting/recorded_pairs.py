"""Record how each pair is compared, and recompute its score after a number of a table has changed, without another alignment.

A pair is compared in several ways: parts of names, orders, readings. Its score is that of the best way times the factor of its
part. The factor is taken from the recorded score, and the other ways are assumed to have the same factor.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from bonafide.matching.scoring.feature_table import Cap, FeatureRow, FeatureTable
from bonafide.matching.scoring.score_parameters import DECIMALS
from bonafide_bench.fitting.loss import Floats
from bonafide_bench.quality.pair_scores import score_by_product
from bonafide_bench.real_names.name_pairs import NamePair

Tables = Mapping[str, FeatureTable[Any]]
"""Tables by the name of their constant."""
_NO_CAP = np.inf


@contextmanager
def record_comparisons(tables: Tables) -> Iterator[list[tuple[str, Any]]]:
    """Collect the aligned names that any of the tables compares: their table and the names."""
    found: list[tuple[str, Any]] = []
    kept = {key: table.factors[0].find for key, table in tables.items()}
    try:
        for key, table in tables.items():
            table.factors[0].find = _create_recorder(key, kept[key], found)
        yield found
    finally:
        for key, table in tables.items():
            table.factors[0].find = kept[key]


def _create_recorder(key: str, find: Any, found: list[tuple[str, Any]]) -> Any:
    def record(names: Any) -> Any:
        found.append((key, names))
        return find(names)

    return record


class RecordedPairs:
    """The comparisons of all pairs, with the finding of each row of their table.

    `tables` are the tables to record. The present numbers of the tables must not be changed while this is created.
    """

    def __init__(self, tables: Tables, pairs: Sequence[NamePair]) -> None:
        self.tables = tables
        self._names: dict[str, list[Any]] = {key: [] for key in tables}
        self._pairs: dict[str, list[int]] = {key: [] for key in tables}
        recorded = []
        with record_comparisons(tables) as found:
            for place, pair in enumerate(pairs):
                recorded.append(score_by_product(pair))
                for key, names in found:
                    self._names[key].append(names)
                    self._pairs[key].append(place)
                found.clear()
        self.recorded = np.array(recorded)
        self._findings = {key: self._find_all(key) for key in tables}
        self._table_scores = {key: self._combine(key, self._findings[key]) for key in tables}
        best = self._find_best(self._table_scores)
        with np.errstate(divide="ignore", invalid="ignore"):
            self._factors = np.where(best > 0, np.minimum(self.recorded / best, 1.0), 0.0)

    def __len__(self) -> int:
        """The number of recorded comparisons."""
        return sum(map(len, self._names.values()))

    def compute_scores(self) -> Floats:
        """The scores of all pairs with the kept findings."""
        return self._to_scores(self._table_scores)

    def try_row(self, key: str, feature: str) -> Floats:
        """The scores of all pairs with the present numbers of a row; the kept findings stay."""
        return self._to_scores({**self._table_scores, key: self._combine(key, self._find_row(key, feature))})

    def keep_row(self, key: str, feature: str) -> None:
        """Keep the findings of a row with its present numbers."""
        self._findings[key] = self._find_row(key, feature)
        self._table_scores[key] = self._combine(key, self._findings[key])

    def _find_row(self, key: str, feature: str) -> Floats:
        rows = list(self.tables[key].rows)
        changed = self._findings[key].copy()
        changed[rows.index(feature)] = self._find(self.tables[key].rows[feature], self._names[key])
        return changed

    def _find_all(self, key: str) -> Floats:
        return np.array([self._find(row, self._names[key]) for row in self.tables[key].rows.values()])

    def _find(self, row: FeatureRow[Any], names: Sequence[Any]) -> Floats:
        without = _NO_CAP if isinstance(row, Cap) else 1.0
        found = [row.find(one) for one in names]
        return np.array([without if finding is None else finding.score for finding in found])

    def _combine(self, key: str, findings: Floats) -> Floats:
        """The score of each comparison of a table: the product of the factors, limited by the lowest cap."""
        rows = list(self.tables[key].rows.values())
        is_cap = np.array([isinstance(row, Cap) for row in rows])
        if findings.shape[1] == 0:
            return np.zeros(0)
        product = np.prod(findings[~is_cap], axis=0)
        limits = np.min(findings[is_cap], axis=0, initial=_NO_CAP)
        scores: Floats = np.round(np.minimum(product, limits), DECIMALS)
        return scores

    def _find_best(self, scores: Mapping[str, Floats]) -> Floats:
        best = np.zeros(len(self.recorded))
        for key, own in scores.items():
            np.maximum.at(best, self._pairs[key], own)
        return best

    def _to_scores(self, scores: Mapping[str, Floats]) -> Floats:
        return self._find_best(scores) * self._factors
