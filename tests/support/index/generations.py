"""Made-up loads of one source, and what can be read of them: a generation's manifest names all that must be found in it."""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from bonafide.index import Generation, GenerationStore, IndexDocument, StoredGeneration, create_business_query
from bonafide.index.generations.writer import CompactionPolicy
from tests.support.index.registers import document
from tests.support.waiting import TIMEOUT_S

Generations = GenerationStore[dict[str, Any]]
KEY = "on-register"
SMALL = CompactionPolicy(share=0.8, deltas=4, smallest_base=2)
"""Deltas for registers of a few documents."""


def opened(root: Path) -> Generations:
    """The generations as another process would open them."""
    return GenerationStore(root, dict, SMALL)


def entry(name: str, text: str | None = None) -> IndexDocument:
    """A document whose key and name is the same; its payload too, unless a text is given."""
    return document(name, payload=(name if text is None else text).encode())


def load(store: Generations, names: Sequence[str], key: str = KEY, *, whole: bool = False) -> StoredGeneration:
    """Load documents of these names and nothing else."""
    return load_entries(store, [entry(name) for name in names], key, whole=whole)


def load_entries(store: Generations, entries: Sequence[IndexDocument], key: str = KEY, *, whole: bool = False) -> StoredGeneration:
    draft = store.begin(key)
    try:
        stored = draft.write(lambda: entries, whole=whole)
        draft.commit({"names": [one.payload.decode() for one in entries]})
    finally:
        draft.discard()
    return stored


def loaded(store: Generations) -> Generation[dict[str, Any]]:
    generation = store.current(KEY)
    assert generation is not None
    return generation


def live_payloads(generation: Generation[dict[str, Any]]) -> list[str]:
    """The payloads of all live documents, in the order of their numbers."""
    dead = np.concatenate(
        [np.zeros(len(live.segment), bool) if live.dead is None else live.dead for live in generation.index.segments]
    )
    return [generation.index.payload(number).decode() for number in np.flatnonzero(~dead).tolist()]


def names_of(generation: Generation[dict[str, Any]]) -> list[str]:
    """The names that a generation holds; they are those that its manifest says, and each is found by itself."""
    names = list(generation.manifest["names"])
    assert sorted(live_payloads(generation)) == sorted(names)
    assert len(generation.index) == len(names)
    for name in set(names):
        hits = generation.index.search(create_business_query(name), 50)
        assert {hit.score for hit in hits if generation.index.payload(hit.document).decode() == name} == {1.0}
    return names


def names_in(store: Generations) -> list[str]:
    return names_of(loaded(store))


def swapped(store: Generations, names: Sequence[str]) -> bool:
    """Whether the store has changed over to a generation of these names within a while."""
    deadline = time.monotonic() + TIMEOUT_S
    while time.monotonic() < deadline:
        if names_in(store) == list(names):
            return True
        time.sleep(0.002)
    return False


def segments(store: Generations) -> list[str]:
    return sorted(path.name for path in (store.root / KEY / "segments").iterdir())
