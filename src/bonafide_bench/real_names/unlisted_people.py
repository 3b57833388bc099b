"""Names of people who are on no list, to count alerts: made-up people, common names, and parts of listed names recombined."""

from collections.abc import Iterable
from pathlib import Path
from random import Random

from bonafide.model.entry import EntityKind, ListedEntity
from bonafide_bench.real_names.listed_pairs import plain
from bonafide_bench.real_names.listed_sets import ReadList, read_parties
from bonafide_sandbox.generator.data_tables import read_table, to_word_array

_OFFSET = 5
"""Weight of a name of rank n: 1 / (n + this)."""


def create_common_names(count: int) -> list[str]:
    """Common Canadian names: given names and surnames of one tradition, drawn by rank (`bonafide_sandbox` data, `people.yml`)."""
    chance = Random("common names")  # noqa: S311 - a sample, not a secret
    traditions = list(read_table("people")["traditions"].values())
    weights = [tradition["share"] + tradition["quebec"] for tradition in traditions]
    return [_draw_name(chance.choices(traditions, weights)[0], chance) for _ in range(count)]


def _draw_name(tradition: dict[str, str], chance: Random) -> str:
    given, surnames = (to_word_array(tradition[column]).tolist() for column in ("given", "surnames"))
    return " ".join(chance.choices(words, [1 / (rank + _OFFSET) for rank in range(len(words))])[0] for words in (given, surnames))


def recombine_listed_names(data: Path, readers: Iterable[ReadList], count: int) -> list[str]:
    """First words of listed people's names with last words of others: real words, in names that no list has.

    Listed names of one word are not used.
    """
    people = [party for party in read_parties(data, readers) if party.entity_type is EntityKind.PERSON]
    listed = {plain(name) for party in people for name in party.list_search_names()}
    names = [_order_words(party) for party in people]
    names = [words for words in names if len(words) > 1]
    chance = Random("recombined")  # noqa: S311 - a sample, not a secret
    found: list[str] = []
    while names and len(found) < count:
        first, last = chance.sample(names, 2)
        name = " ".join((*first[:-1][:2], last[-1]))
        if plain(name) not in listed:
            found.append(name)
    return found


def _order_words(party: ListedEntity) -> list[str]:
    """The words of a name, the family name last."""
    family, comma, given = party.name.partition(",")
    return f"{given} {family}".split() if comma else party.name.split()
