"""Pairs from sanctions lists: aliases, the same party on two lists, near names of two parties, and names as keyed in.

The readers of `sanctions_lists` state the files; `name_sets` states sources and licences.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from rapidfuzz.fuzz import partial_token_ratio

from bonafide.model.entry import EntityKind, ListedEntity
from bonafide_bench.real_names.keying_errors import KEYED_IN, KeyingError, create_errors
from bonafide_bench.real_names.listed_pairs import ListedPair, create_listed_pairs, plain
from bonafide_bench.real_names.name_pairs import NamePair, sample_pairs

ReadList = Callable[[Path], Iterator[ListedEntity]]
_SHARED_LETTERS = 60
"""The lowest `partial_token_ratio` of an alias: a nom de guerre without a common word can be matched by nobody."""
_MOST_PAIRS = 1_500
_MOST_KEYED = 800
_MOST_TRIED = 20
"""Parties with one word that are tried, because common words are in thousands of names."""


@lru_cache(maxsize=8)
def _read_list(reader: ReadList, data: Path) -> tuple[ListedEntity, ...]:
    return tuple(reader(data / "sanctions"))


def read_parties(data: Path, readers: Iterable[ReadList]) -> list[ListedEntity]:
    """The parties of several lists."""
    return [party for reader in readers for party in _read_list(reader, data)]


def pair_aliases(data: Path, readers: Sequence[ReadList], kind: EntityKind) -> list[NamePair]:
    """An alias of a party and its main name, and a wrong pair for each: the alias and the nearest main name of another party.

    Aliases without a word in common with the main name are left out. Both parties of a wrong pair are on one list and share no
    name, because a party may be on several lists, and several times on one.
    """
    found: list[NamePair] = []
    others: dict[NamePair, NamePair] = {}
    for reader in readers:
        parties = [party for party in read_parties(data, [reader]) if party.entity_type is kind]
        by_word = _index_words(parties)
        for party in parties:
            for alias in _list_similar_aliases(party):
                pair = NamePair(alias, (party.name,), same=True, entity_kind=kind)
                found.append(pair)
                other = _find_near_party(alias, party, by_word)
                if other is not None:
                    others[pair] = NamePair(alias, (other.name,), same=False, entity_kind=kind)
    same = sample_pairs(found, _MOST_PAIRS, f"aliases {kind}")
    return [*same, *(others[pair] for pair in same if pair in others)]


def _list_similar_aliases(party: ListedEntity) -> list[str]:
    name = plain(party.name)
    return [
        alias
        for alias in party.aliases
        if plain(alias) not in {"", name} and partial_token_ratio(plain(alias), name) >= _SHARED_LETTERS
    ]


def _index_words(parties: Iterable[ListedEntity]) -> dict[str, list[ListedEntity]]:
    """The parties by each word of their main names."""
    by_word: dict[str, list[ListedEntity]] = {}
    for party in parties:
        for word in plain(party.name).split():
            by_word.setdefault(word, []).append(party)
    return by_word


def _find_near_party(alias: str, party: ListedEntity, by_word: Mapping[str, Sequence[ListedEntity]]) -> ListedEntity | None:
    """Another party with a main name that has the rarest possible word of the alias; None if there is none."""
    own = {plain(name) for name in party.list_search_names()}
    for word in sorted(plain(alias).split(), key=lambda word: (len(by_word.get(word, ())), word)):
        for other in by_word.get(word, ())[:_MOST_TRIED]:
            if own.isdisjoint(map(plain, other.list_search_names())):
                return other
    return None


def pair_across_lists(data: Path, readers: Sequence[ReadList], kind: EntityKind) -> list[NamePair]:
    """The name of a party on one list with its names on another; and near names of parties that numbers or births tell apart."""
    return [
        NamePair(pair.name, _list_names(pair.party, same=pair.same), pair.same, kind)
        for pair in _link_lists(tuple(readers), data)
        if pair.party.entity_type is kind and pair.category.endswith(("another list's name", "near name"))
    ]


@lru_cache(maxsize=2)
def _link_lists(readers: tuple[ReadList, ...], data: Path) -> tuple[ListedPair, ...]:
    return tuple(create_listed_pairs(read_parties(data, readers)))


def _list_names(party: ListedEntity, *, same: bool) -> tuple[str, ...]:
    return tuple(party.list_search_names()) if same else (party.name,)


def pair_keyed_in(data: Path, readers: Sequence[ReadList], kind: EntityKind) -> list[NamePair]:
    """Listed names with one error of keying or recognition; see `keying_errors`."""
    return [pair for place, error in enumerate(KEYED_IN) for pair in _pair_errors(data, readers, kind, error, str(place))]


def pair_with_error(error: KeyingError) -> Callable[[Path, Sequence[ReadList], EntityKind], list[NamePair]]:
    """The function that pairs listed names with the same names with this error."""

    def pair(data: Path, readers: Sequence[ReadList], kind: EntityKind) -> list[NamePair]:
        return _pair_errors(data, readers, kind, error, error.__name__, _MOST_KEYED)

    return pair


def _pair_errors(
    data: Path,
    readers: Sequence[ReadList],
    kind: EntityKind,
    error: KeyingError,
    seed: str,
    most: int = _MOST_KEYED // len(KEYED_IN),
) -> list[NamePair]:
    names = list(dict.fromkeys(party.name for party in read_parties(data, readers) if party.entity_type is kind))
    made = []
    for place, text in create_errors(names, error, f"keyed in {kind} {seed}"):
        made.append(NamePair(text, (names[place],), same=True, entity_kind=kind))
        if len(made) == most:
            break
    return made
