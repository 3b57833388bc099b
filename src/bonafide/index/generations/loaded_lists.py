"""The parties of several lists in memory, read from the lists' generations, and the index that screens against them.

A list that has not changed is not read again for the next index. The caller decides when an index is built.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from bonafide.index.generations.manifest import Generation
from bonafide.matching.screening.screening_index import IndexedParty, ScreeningIndex, build_indexed_party
from bonafide.model.entry import EntityKind

M = TypeVar("M")


@dataclass(frozen=True, slots=True)
class ListedParties(Generic[M]):
    """One list: its generation, and its parties with the number of the document of each."""

    generation: Generation[M]
    parties: Sequence[IndexedParty]
    documents: Sequence[int]


@dataclass(frozen=True, slots=True)
class LoadedLists(Generic[M]):
    """Several lists by their keys, the index of all their parties, and the position of each list in it."""

    lists: Mapping[str, ListedParties[M]]
    roll: ScreeningIndex
    starts: Mapping[str, int]

    def find_list(self, place: int) -> tuple[str, int]:
        """The list of a party of the index, and its position in the list."""
        key = max((key for key, start in self.starts.items() if start <= place), key=self.starts.__getitem__)
        return key, place - self.starts[key]

    def is_built_from(self, generations: Mapping[str, Generation[M]]) -> bool:
        """Whether it was read from these generations."""
        return {key: held.generation.id for key, held in self.lists.items()} == {key: one.id for key, one in generations.items()}


def load_lists(generations: Mapping[str, Generation[M]], earlier: LoadedLists[M] | None) -> LoadedLists[M]:
    """Read the lists of these generations, reusing those that `earlier` has read."""
    lists: dict[str, ListedParties[M]] = {}
    starts: dict[str, int] = {}
    parties: list[IndexedParty] = []
    for key, generation in generations.items():
        known = earlier.lists.get(key) if earlier is not None else None
        held = known if known is not None and known.generation is generation else _read_list(generation)
        lists[key], starts[key] = held, len(parties)
        parties += held.parties
    return LoadedLists(lists, ScreeningIndex(parties), starts)


def _read_list(generation: Generation[M]) -> ListedParties[M]:
    index = generation.index
    parties, documents = [], []
    for document in index.documents():
        parties.append(read_indexed_party(index.payload(document)))
        documents.append(document)
    return ListedParties(generation, parties, documents)


def read_indexed_party(payload: bytes) -> IndexedParty:
    """Parse the names and numbers of a listed party from the payload of its document."""
    # Only a few fields are needed, and validating all of them would take four times as long.
    said = json.loads(payload)
    names = [said["name"], *said.get("aliases", ()), *said.get("weak_aliases", ())]
    numbers = [identifier["value"] for identifier in said.get("identifiers", ())]
    return build_indexed_party(EntityKind(said["entity_type"]), names, numbers)
