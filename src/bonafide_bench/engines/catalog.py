"""All engines, with how each is built and opened."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType

from bonafide_bench.engines import full_scan, product_index, prototype, trigrams
from bonafide_bench.engines.engine import EngineMaterial, SearchEngine


class EngineName(StrEnum):
    """The engines, in the order in which they are shown."""

    INDEX = "index"
    SCORED = "index and score"
    PROTOTYPE = "prototype"
    TRIGRAMS = "tantivy trigrams"
    SCAN = "rapidfuzz scan"


@dataclass(frozen=True, slots=True)
class EngineFiles:
    """The files of an engine: what their folder is called before the size, how they are written, and whether they can be opened."""

    prefix: str
    build: Callable[[EngineMaterial], None]
    can_open: Callable[[Path], bool]


@dataclass(frozen=True, slots=True)
class EngineChoice:
    """How an engine is measured. An engine without files opens those of another, or none."""

    opened: Callable[[EngineMaterial], SearchEngine]
    files: EngineFiles | None
    most_queries: int | None = None
    """Of each set; the slow ones are asked few."""


def _scored(material: EngineMaterial) -> SearchEngine:
    from bonafide_bench.engines.scored_index import ScoredIndex  # noqa: PLC0415 - its services are thirty megabytes that no index needs

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
