"""Count how common words are in the names of all loaded registers of a world.

Lists of regulators and sanctions are not counted, because they are small. `matching/scoring/word_rarity` turns a count into a
weight.
"""

import asyncio
from collections import Counter

from bonafide.matching.scoring.word_rarity import STATIC_RARITY, WordRarity, compute_minimum_count
from bonafide.model.accounts.organizations import World
from bonafide.runtime import Runtime
from bonafide.services.indexing.combined_index import CurrentGenerations, get_current_generations, open_indexes


async def get_loaded_rarity(runtime: Runtime, world: World) -> WordRarity:
    """The rarity of words in the loaded registers; measured in a thread, once after each change of one of them.

    A register that can't be opened is not counted; its lookup reports the error.
    """
    sources = runtime.list_registers()
    await open_indexes(runtime, world, sources)
    registers = get_current_generations(runtime, world, sources)
    identity = tuple([f"{key}/{generation.id}" for key, generation in registers.items()])
    known = runtime.word_rarities.get(world)
    if known is not None and known[0] == identity:
        return known[1]
    rarity = await asyncio.to_thread(_measure_rarity, registers)
    runtime.word_rarities[world] = (identity, rarity)
    return rarity


def _measure_rarity(registers: CurrentGenerations) -> WordRarity:
    if not registers:
        return STATIC_RARITY
    names = sum(generation.index.name_count for generation in registers.values())
    least = compute_minimum_count(names)
    # A word that is common overall is common in at least one register, so rare words of a register need not be counted.
    in_one = -(-least // len(registers))
    counts: Counter[str] = Counter()
    for generation in registers.values():
        counts.update(generation.index.common_words(in_one))
    return WordRarity(names, {word: count for word, count in counts.items() if count >= least})
