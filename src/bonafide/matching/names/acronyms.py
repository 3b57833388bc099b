"""Acronyms of names: the initials of several words, and those by which public bodies and large firms are known.

The known bodies are in `acronyms.yml`. Any other initials are only a possible reading of a name.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from typing import NamedTuple, TypeVar

from bonafide.matching.names.normalization import NormalName, normalise_all
from bonafide.matching.text.tables import read_table
from bonafide.matching.text.word_classes import EMPTY_WORDS

FEWEST_WORDS = 3
"""Initials of two words are too common to identify a name."""
MOST_WORDS = 8
_SHORTEST_SPELLED_FORM = 7
"""Letters from which a legal form is spelled out, and may be part of an acronym: "company", "limited", but not "corp"."""
FUNCTION_WORDS = EMPTY_WORDS | frozenset[str](["&", *read_table("words")["classes"]["function"].split()])
"""Small words, which an acronym leaves out or counts in: "of", "for", "and", "des"."""

Words = tuple[str, ...]
K = TypeVar("K")


class _KnownBodies(NamedTuple):
    """The bodies of the table by their acronyms (those of one body only), and by the words of their names; and their acronyms."""

    by_acronym: Mapping[str, int]
    by_name: Mapping[Words, int]
    acronyms: Sequence[tuple[str, ...]]
    first_words: AbstractSet[str]
    """The first words of the names."""


def list_acronyms(name: NormalName) -> tuple[str, ...]:
    """The acronyms by which a name may be known, each once: "Zephyrine Harbour Trust Company" is "zht" and "zhtc".

    They are those of `list_word_acronyms`, and those of the table of known bodies. The acronym of a name that is one itself is not
    repeated.
    """
    return tuple(dict.fromkeys((*find_known_acronyms(name), *list_word_acronyms(name.tokens, name.core))))


def list_word_acronyms(words: Sequence[str], core: Sequence[str]) -> tuple[str, ...]:
    """The initials of a name, given as all its words and the distinguishing ones; of each reading that has three to eight words.

    "Centre for Addiction and Mental Health Foundation" is "camhf" without its function words, and "cfaamhf" with them. A legal form
    counts where it is spelled out: "Canada Mortgage and Housing Corporation" is "cmhc" as well as "cmh".
    """
    content = [word for word in core if word not in FUNCTION_WORDS]
    if len(content) == len(words):
        return list_initials(content)
    own = set(core)
    found = [*list_initials(content)]
    # Not if words of the core are written in another way, as abbreviations are.
    if own.issubset(words):
        if not FUNCTION_WORDS.isdisjoint(words):
            found += list_initials([word if word != "&" else "and" for word in words if word in own or word in FUNCTION_WORDS])
        if len(words[-1]) >= _SHORTEST_SPELLED_FORM and words[-1] not in own:
            found += list_initials([word for word in words if word not in FUNCTION_WORDS])
    return tuple(dict.fromkeys(found))


def collect_acronyms(names: Iterable[tuple[Sequence[str], Sequence[str]]]) -> list[tuple[int, str]]:
    """The acronyms of many names, each with the place of its name: those of known bodies and those of `list_word_acronyms`.

    An index has millions of names, so the acronyms of plain ones are found at once.
    """
    first_words = _read_known_bodies().first_words
    found: list[tuple[int, str]] = []
    for place, (words, core) in enumerate(names):
        if core and core[0] in first_words:
            found += [(place, acronym) for acronym in find_core_acronyms(core)]
        length, total = len(core), len(words)
        if total < FEWEST_WORDS:
            continue
        if total - length > 1 or words[length - 1] != core[-1] or not FUNCTION_WORDS.isdisjoint(words):
            found += [(place, acronym) for acronym in list_word_acronyms(words, core)]
        elif FEWEST_WORDS <= length <= MOST_WORDS:
            initials = "".join([word[0] for word in words])
            if initials.isalpha():
                found.append((place, initials[:length]))
                if length < total <= MOST_WORDS and len(words[-1]) >= _SHORTEST_SPELLED_FORM:
                    found.append((place, initials))
        elif length < FEWEST_WORDS and len(words[-1]) >= _SHORTEST_SPELLED_FORM:
            found += [(place, acronym) for acronym in list_initials(words)]
    return found


def list_initials(words: Sequence[str]) -> tuple[str, ...]:
    """The initials of three to eight words as one acronym, or none: for words that do not begin with a letter, for instance."""
    if not FEWEST_WORDS <= len(words) <= MOST_WORDS:
        return ()
    initials = "".join([word[0] for word in words])
    return (initials,) if initials.isalpha() else ()


def find_known_acronyms(name: NormalName) -> tuple[str, ...]:
    """The acronyms of the known body with this name; none for other names."""
    return find_core_acronyms(name.core)


def find_core_acronyms(core: Sequence[str]) -> tuple[str, ...]:
    """The same for the distinguishing words of a name."""
    known = _read_known_bodies()
    body = known.by_name.get(tuple(core))
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
        frozenset(words[0] for words in names),
    )


def _index_unique(pairs: Iterable[tuple[K, int]]) -> dict[K, int]:
    """The body of each key, without the keys of several bodies."""
    bodies: dict[K, set[int]] = defaultdict(set)
    for key, body in pairs:
        bodies[key].add(body)
    return {key: own.pop() for key, own in bodies.items() if len(own) == 1}
