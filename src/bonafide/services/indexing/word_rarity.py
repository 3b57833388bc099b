"""Count how common words are in the names of all loaded registers of a world.

Regulators' and sanctions lists are not counted: they are small, and what they repeat is no news. What a count means for a weight is
decided in `matching/rarity`.
"""

import asyncio
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress

from bonafide.index import Generation
from bonafide.matching.scoring.word_rarity import STATIC_RARITY, WordRarity, compute_minimum_count
from bonafide.model.accounts.organizations import World
from bonafide.model.entry import SourceKind
from bonafide.model.loading.loads import LoadRecord
from bonafide.runtime import Runtime

_Registers = Mapping[str, Generation[LoadRecord]]


async def get_loaded_rarity(runtime: Runtime, world: World) -> WordRarity:
    """The rarity of words in the registers that are loaded now; measured once, in a thread, after each change of one of them."""
    registers = _get_registers(runtime, world)
    identity = tuple([f"{key}/{generation.id}" for key, generation in registers.items()])
    known = runtime.word_rarities.get(world)
    if known is not None and known[0] == identity:
        return known[1]
    rarity = await asyncio.to_thread(_measure_rarity, registers)
    runtime.word_rarities[world] = (identity, rarity)
    return rarity


def _get_registers(runtime: Runtime, world: World) -> dict[str, Generation[LoadRecord]]:
    """The current generation of each register. One that can't be opened counts nothing; its lookup says why."""
    found = {}
    for key, source in runtime.sources.items():
        if source.metadata.kind is SourceKind.REGISTRY:
            with suppress(Exception):
                generation = runtime.generations[world].current(key)
                if generation is not None:
                    found[key] = generation
    return found


def _measure_rarity(registers: _Registers) -> WordRarity:
    if not registers:
        return STATIC_RARITY
    names = sum(generation.index.name_count for generation in registers.values())
    least = compute_minimum_count(names)
    # A word that is common in all registers together is so in at least one; where it is rare it is not worth counting.
    in_one = -(-least // len(registers))
    counts: Counter[str] = Counter()
    for generation in registers.values():
        counts.update(generation.index.common_words(in_one))
    return WordRarity(names, {word: count for word, count in counts.items() if count >= least})
