"""Which engines there are, how each is called, built and opened."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType

from bonafide.bench.engines import own, prototype, scan, trigrams
from bonafide.bench.engines.base import Engine, Material


class EngineName(StrEnum):
    """The engines, in the order in which they are shown."""

    INDEX = "index"
    SCORED = "index and score"
    PROTOTYPE = "prototype"
    TRIGRAMS = "tantivy trigrams"
    SCAN = "rapidfuzz scan"


@dataclass(frozen=True, slots=True)
class Files:
    """The files of an engine: what their folder is called before the size, how they are written, and whether they can be opened."""

    prefix: str
    build: Callable[[Material], None]
    can_open: Callable[[Path], bool]


@dataclass(frozen=True, slots=True)
class Choice:
    """How an engine is measured. An engine without files opens those of another, or none."""

    opened: Callable[[Material], Engine]
    files: Files | None
    most_queries: int | None = None
    """Of each set; the slow ones are asked few."""


def _scored(material: Material) -> Engine:
    from bonafide.bench.engines.scored import Scored  # noqa: PLC0415 - its services are thirty megabytes that no index needs

    return Scored(material)


_OWN = Files("own", own.build, own.can_open)

CHOICES: Mapping[EngineName, Choice] = MappingProxyType({
    EngineName.INDEX: Choice(own.OwnIndex, _OWN),
    EngineName.SCORED: Choice(_scored, _OWN),
    EngineName.PROTOTYPE: Choice(prototype.Prototype, Files("proto", prototype.build, prototype.can_open)),
    EngineName.TRIGRAMS: Choice(trigrams.Trigrams, Files("trigrams", trigrams.build, trigrams.can_open), most_queries=400),
    EngineName.SCAN: Choice(scan.Scan, None, most_queries=24),
})  # fmt: skip
