"""A labelled pair of names, and the sets and parts that pairs belong to."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from random import Random

from bonafide.model.entry import EntityKind


class PairKind(StrEnum):
    """The kind of the named party, which selects the comparison and the calibration curve."""

    PERSON = "person"
    ORGANIZATION = "organization"
    """A listed organization, ship or aircraft."""
    BUSINESS = "business"
    """A business of a register."""


class SetPart(StrEnum):
    """The part of a set. Each part comes from other sources than the other two."""

    TRAIN = "train"
    """The only part that numbers are fitted on."""
    TEST = "test"
    CONTROL = "control"
    """Checked after a change that the test part has accepted."""


HELD_OUT = (SetPart.TEST, SetPart.CONTROL)
"""The parts that figures are reported for."""


@dataclass(frozen=True, slots=True)
class NamePair:
    """A submitted name, the names of one party, and whether they belong to the same party.

    `entity_kind` is the kind of the listed party; None for a business of a register.
    """

    submitted: str
    names: tuple[str, ...]
    same: bool
    entity_kind: EntityKind | None = None

    @property
    def kind(self) -> PairKind:
        """The kind of the named party."""
        if self.entity_kind is None:
            return PairKind.BUSINESS
        return PairKind.PERSON if self.entity_kind is EntityKind.PERSON else PairKind.ORGANIZATION


ReadPairs = Callable[[Path], Iterable[NamePair]]
"""Reads the pairs of one part from the folder of real data. Raises `FileNotFoundError` if a file is missing."""


@dataclass(frozen=True, slots=True)
class PairSource:
    """Where the pairs of one part come from: the files, their licence, and the function that reads them."""

    part: SetPart
    source: str
    licence: str
    read: ReadPairs


@dataclass(frozen=True, slots=True)
class PairSet:
    """A set of labelled pairs. `goal` is what the figures of the set are read for."""

    key: str
    goal: str
    sources: tuple[PairSource, ...]

    def get_source(self, part: SetPart) -> PairSource | None:
        """The source of a part; None if the set has no such part."""
        return next((source for source in self.sources if source.part is part), None)


def sample_pairs(pairs: Iterable[NamePair], most: int, seed: str) -> list[NamePair]:
    """At most `most` distinct pairs, evenly drawn; the same for the same pairs and seed."""
    distinct = list(dict.fromkeys(pairs))
    if len(distinct) <= most:
        return distinct
    places = sorted(Random(seed).sample(range(len(distinct)), most))  # noqa: S311 - a sample, not a secret
    return [distinct[place] for place in places]
