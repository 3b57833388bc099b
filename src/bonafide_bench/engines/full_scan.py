"""Baseline without an index: rapidfuzz compares the query with every name."""

from typing import Any

import numpy as np
from rapidfuzz import fuzz, process

from bonafide.matching.entries.index_terms import build_business_terms
from bonafide_bench.datasets.name_files import read_rows
from bonafide_bench.engines.engine import LIMIT, EngineMaterial


class FullScan:
    """Holds the distinctive words of all names in memory."""

    def __init__(self, material: EngineMaterial) -> None:
        rows = list(read_rows(material.words))
        self._records = np.array([record for record, _ in rows], np.uint32)
        self._texts = [text for _, text in rows]

    def find(self, text: str) -> Any:
        """The positions of the names with the highest ratio."""
        rows = build_business_terms([text]).words
        asked = " ".join(rows[0]) if rows else text
        ratios = process.cdist([asked], self._texts, scorer=fuzz.ratio, dtype=np.uint8, workers=1)[0]
        best = np.argpartition(ratios, max(0, len(ratios) - LIMIT))[-LIMIT:]
        return best[np.argsort(-ratios[best].astype(np.int16), kind="stable")]

    def records(self, found: Any) -> list[int]:
        """The distinct records of the names."""
        return list(dict.fromkeys(self._records[found].tolist()))
