"""The catalog of engines: how each is built and opened."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType

from bonafide_bench.engines import full_scan, product_index, prototype, trigrams
from bonafide_bench.engines.engine import EngineMaterial, SearchEngine


class EngineName(StrEnum):
    """The engines, in display order."""

    INDEX = "index"
    SCORED = "index and score"
    PROTOTYPE = "prototype"
    TRIGRAMS = "tantivy trigrams"
    SCAN = "rapidfuzz scan"


@dataclass(frozen=True, slots=True)
class EngineFiles:
    """The files of an engine: the prefix of the folder name, and functions that build them and check that they can be opened."""

    prefix: str
    build: Callable[[EngineMaterial], None]
    can_open: Callable[[Path], bool]


@dataclass(frozen=True, slots=True)
class EngineChoice:
    """How an engine is measured. An engine without files uses those of another engine, or none."""

    opened: Callable[[EngineMaterial], SearchEngine]
    files: EngineFiles | None
    most_queries: int | None = None
    """The maximum number of queries per set, for slow engines."""


def _scored(material: EngineMaterial) -> SearchEngine:
    from bonafide_bench.engines.scored_index import ScoredIndex  # noqa: PLC0415 - its services take thirty megabytes that the other engines do not need

    return ScoredIndex(material)


_OWN = EngineFiles("own", product_index.build, product_index.can_open)

ENGINES: Mapping[EngineName, EngineChoice] = MappingProxyType({
    EngineName.INDEX: EngineChoice(product_index.ProductIndex, _OWN),
    EngineName.SCORED: EngineChoice(_scored, _OWN),
    EngineName.PROTOTYPE: EngineChoice(prototype.PrototypeIndex, EngineFiles("proto", prototype.build, prototype.can_open)),
    EngineName.TRIGRAMS: EngineChoice(
        trigrams.TrigramIndex, EngineFiles("trigrams", trigrams.build, trigrams.can_open), most_queries=400
    ),
    EngineName.SCAN: EngineChoice(full_scan.FullScan, None, most_queries=24),
})  # fmt: skip
