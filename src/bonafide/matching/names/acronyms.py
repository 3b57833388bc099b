"""Acronyms of names: the initials of several words, and those by which public bodies and large firms are known.

The known bodies are in `acronyms.yml`. Any other initials are only a possible reading of a name.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import NamedTuple, TypeVar

from bonafide.matching.names.normalization import NormalName, normalise_all
from bonafide.matching.text.tables import read_table
from bonafide.matching.text.word_classes import EMPTY_WORDS

FEWEST_WORDS = 3
"""Initials of two words are too common to identify a name."""
MOST_WORDS = 8
FUNCTION_WORDS = EMPTY_WORDS | frozenset[str](["&", *read_table("words")["classes"]["function"].split()])
"""Small words, which an acronym leaves out or counts in: "of", "for", "and", "des"."""

Words = tuple[str, ...]
K = TypeVar("K")


class _KnownBodies(NamedTuple):
    """The bodies of the table by their acronyms (those of one body only), and by the words of their names."""

    by_acronym: Mapping[str, int]
    by_name: Mapping[Words, int]
    acronyms: Sequence[tuple[str, ...]]


def list_initials(words: Sequence[str]) -> tuple[str, ...]:
    """The initials of three to eight words as one acronym, or none: for words that do not begin with a letter, for instance."""
    if not FEWEST_WORDS <= len(words) <= MOST_WORDS:
        return ()
    initials = "".join([word[0] for word in words])
    return (initials,) if initials.isalpha() else ()


def find_known_acronyms(name: NormalName) -> tuple[str, ...]:
    """The acronyms of the known body with this name; none for other names."""
    known = _read_known_bodies()
    body = known.by_name.get(name.core)
    return () if body is None else known.acronyms[body]


def find_known_body(name: NormalName) -> int | None:
    """The row of the known body with this name or acronym. A name with a legal form ("ARC Inc.") is not an acronym of a body."""
    known = _read_known_bodies()
    body = known.by_name.get(name.core)
    if body is None and len(name.core) == 1 and not name.legal_forms:
        return known.by_acronym.get(name.core[0])
    return body


@cache
def _read_known_bodies() -> _KnownBodies:
    rows = read_table("acronyms")
    acronyms = [tuple(acronym.lower() for acronym in row["acronyms"]) for row in rows]
    names = [name.core for name in normalise_all([name for row in rows for name in row["names"]])]
    owners = [body for body, row in enumerate(rows) for _ in row["names"]]
    return _KnownBodies(
        _index_unique((acronym, body) for body, own in enumerate(acronyms) for acronym in own),
        _index_unique(zip(names, owners, strict=True)),
        acronyms,
    )


def _index_unique(pairs: Iterable[tuple[K, int]]) -> dict[K, int]:
    """The body of each key, without the keys of several bodies."""
    bodies: dict[K, set[int]] = defaultdict(set)
    for key, body in pairs:
        bodies[key].add(body)
    return {key: own.pop() for key, own in bodies.items() if len(own) == 1}
