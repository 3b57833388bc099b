"""Labelled pairs of a name and a listed party, generated from real lists by fixed rules.

    same        one party on two lists, linked by a number (IMO, tax, passport, UN reference); the lists write the name differently
                a listed name with one wrong letter, in another order, or without its legal form or middle name
    different   parties of one list with similar names and different numbers of one kind, or years of birth far apart

Pairs of the same party whose names have no word in common, such as a renamed ship, are left out: no reader could match them.
"""

import random
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from rapidfuzz.distance import OSA
from rapidfuzz.fuzz import token_sort_ratio
from rapidfuzz.process import cdist

from bonafide.matching.screening.name_parsing import build_identifier_keys
from bonafide.matching.text.transliteration import transliterate
from bonafide.model.entry import EntityKind, ListedEntity

SEED = 1867
NEAR = 72
"""The lowest `token_sort_ratio` of near names."""
MOST_SHARING = 6
"""The maximum number of parties with one number; a number of more parties belongs to an address or a ministry."""
YEARS_APART = 3
_DISTURBED = 120
_MOST_NEAR = 250
_COMPARED = 3000
_SHORTEST_WORD, _LONG_NAME, _LONGER_NAME = 4, 3, 4
"""Letters of a word that two names may share, and words of a name that can be shortened."""
_WORD = re.compile(r"[^\W\d_]{5,}")


@dataclass(frozen=True, slots=True)
class ListedPair:
    """A name, a party, whether the name belongs to the party, and the rule that generated the pair."""

    category: str
    same: bool
    name: str
    party: ListedEntity


def plain(text: str) -> str:
    """The words of a name in alphabetical order, in lower-case Latin letters."""
    return " ".join(sorted(re.findall(r"\w+", transliterate(text).casefold())))


def create_listed_pairs(parties: Sequence[ListedEntity]) -> list[ListedPair]:
    """All pairs. The same parties give the same pairs."""
    chance = random.Random(SEED)  # noqa: S311 - a sample, not a secret
    return [*_across_lists(parties), *_disturbed(parties, chance), *_near(parties, chance)]


# ------------------------------------------------------------------------------------------------------ the same party


def _across_lists(parties: Sequence[ListedEntity]) -> Iterator[ListedPair]:
    seen: set[frozenset[str]] = set()
    for sharing in _by_number(parties).values():
        for one, other in combinations(sharing[: MOST_SHARING + 1] if len(sharing) <= MOST_SHARING else [], 2):
            pair = frozenset({one.entry_id, other.entry_id})
            if pair not in seen and _is_joined(one, other) and plain(one.name) != plain(other.name) and _have_a_word(one, other):
                seen.add(pair)
                yield ListedPair(f"{one.entity_type.value}: another list's name", same=True, name=one.name, party=other)


def _by_number(parties: Sequence[ListedEntity]) -> dict[str, list[ListedEntity]]:
    found: dict[str, list[ListedEntity]] = defaultdict(list)
    for party in parties:
        for number in party.identifiers:
            keys = [number.value] if number.label == "UN reference" else build_identifier_keys(number.value)
            for key in dict.fromkeys(keys):
                found[key].append(party)
    return found


def _is_joined(one: ListedEntity, other: ListedEntity) -> bool:
    births = not one.birth_dates or not other.birth_dates or not set(one.birth_dates).isdisjoint(other.birth_dates)
    return births and one.entity_type is other.entity_type and _get_list_key(one) != _get_list_key(other)


def _have_a_word(one: ListedEntity, other: ListedEntity) -> bool:
    words = [
        {word for name in party.list_search_names() for word in plain(name).split() if len(word) >= _SHORTEST_WORD}
        for party in (one, other)
    ]
    return any(
        OSA.distance(left, right, score_cutoff=1) <= 1
        for left in plain(one.name).split()
        if len(left) >= _SHORTEST_WORD
        for right in words[1]
    )


def _get_list_key(party: ListedEntity) -> str:
    return party.entry_id.partition(":")[0]


def _disturbed(parties: Sequence[ListedEntity], chance: random.Random) -> Iterator[ListedPair]:
    for what, rule in (("one letter wrong", slipped), ("another order", reordered), ("a word left out", shortened)):
        for kind in (EntityKind.PERSON, EntityKind.ORGANIZATION):
            own = [party for party in parties if party.entity_type is kind]
            made = 0
            while made < _DISTURBED:
                party = chance.choice(own)
                text = rule(party.name, chance)
                if text is not None:
                    made += 1
                    yield ListedPair(f"{kind.value}: {what}", same=True, name=text, party=party)


def slipped(name: str, chance: random.Random) -> str | None:
    """One letter of a word of five or more left out, added, replaced, or swapped with the next; None where there is none."""
    places = [found.span() for found in _WORD.finditer(name) if found[0].isascii()]
    if not places:
        return None
    start, end = chance.choice(places)
    at = chance.randrange(start, end)
    other = chance.choice([letter for letter in "abcdefghijklmnopqrstuvwxyz" if letter != name[at].lower()])
    other = other.upper() if name[at].isupper() else other
    swapped = name[at + 1 : at + 2] + name[at] if at + 1 < end and name[at + 1] != name[at] else other
    middle, rest = chance.choice([("", at + 1), (other, at + 1), (other, at), (swapped, at + 2 if swapped != other else at + 1)])
    return name[:at] + middle + name[rest:]


def reordered(name: str, chance: random.Random) -> str | None:
    """The words in another order; None for a name of one word."""
    words = name.replace(",", " ").split()
    orders = [chance.sample(words, len(words)) for _ in range(5)]
    return next((" ".join(order) for order in orders if order != words), None)


def shortened(name: str, _chance: random.Random) -> str | None:
    """Without the last of three or more given names, or of an organization without its legal form."""
    words = name.split()
    if len(words) >= _LONG_NAME and words[-1].rstrip(".").upper() in {
        "LLC",
        "LTD",
        "INC",
        "CO",
        "OOO",
        "JSC",
        "LIMITED",
        "COMPANY",
        "SA",
    }:
        return " ".join(words[:-1]).rstrip(",")
    return " ".join(words[:-1]) if len(words) >= _LONGER_NAME and "," in words[0] else None


# ------------------------------------------------------------------------------------------------------ another party


def _near(parties: Sequence[ListedEntity], chance: random.Random) -> Iterator[ListedPair]:
    for kind, differ in ((EntityKind.PERSON, _born_apart), (EntityKind.ORGANIZATION, _numbered), (EntityKind.VESSEL, _numbered)):
        own = [
            party
            for party in parties
            if party.entity_type is kind and (party.birth_dates if differ is _born_apart else party.identifiers)
        ]
        chance.shuffle(own)
        made = list(_near_names(own[:_COMPARED], differ))
        chance.shuffle(made)
        for one, other in made[:_MOST_NEAR]:
            yield ListedPair(f"{kind.value}: near name", same=False, name=one.name, party=other)


Differ = Callable[[ListedEntity, ListedEntity], bool]


def _near_names(parties: Sequence[ListedEntity], differ: Differ) -> Iterator[tuple[ListedEntity, ListedEntity]]:
    names = [plain(party.name) for party in parties]
    alike = cdist(names, names, scorer=token_sort_ratio, score_cutoff=NEAR, dtype=np.float32)
    for left, right in zip(*np.nonzero(np.triu(alike, 1)), strict=True):
        one, other = parties[left], parties[right]
        if names[left] != names[right] and _get_list_key(one) == _get_list_key(other) and differ(one, other):
            yield one, other


def _born_apart(one: ListedEntity, other: ListedEntity) -> bool:
    years = [abs(int(left[:4]) - int(right[:4])) for left in one.birth_dates for right in other.birth_dates]
    return min(years) > YEARS_APART


def _numbered(one: ListedEntity, other: ListedEntity) -> bool:
    keys = [{key for number in party.identifiers for key in build_identifier_keys(number.value)} for party in (one, other)]
    return bool(keys[0]) and bool(keys[1]) and keys[0].isdisjoint(keys[1])
