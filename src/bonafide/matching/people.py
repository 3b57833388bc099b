"""Names of people in one normal form: parts in plain letters, without titles and degrees, the generation told apart.

It decides what the parts of a name are. How alike two names are is the business of `person_names`.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from bonafide.matching.folding import fold
from bonafide.matching.tables import read_table
from bonafide.matching.transliteration import latin

PEOPLE_TABLE = read_table("people")
_HONORIFICS = frozenset[str](PEOPLE_TABLE["honorifics"].split())
TITLES = _HONORIFICS | frozenset[str](PEOPLE_TABLE["listed_titles"].split())
_SUFFIXES = frozenset[str](PEOPLE_TABLE["suffixes"].split())
_GENERATIONS: dict[str, int] = {word: row for row, words in enumerate(PEOPLE_TABLE["generations"]) for word in words}
_BREAKS = str.maketrans("-.&()", "     ", "'")
_ARTICLES = frozenset[str](PEOPLE_TABLE["articles"].split())
_SERVANTS = frozenset[str](PEOPLE_TABLE["servants"].split())
_SERVANT_OF = re.compile(r"abd(?:ou|[aeou])?(?:l|(?P<first>.)(?=(?P=first))|sh(?=sh))?(?P<name>.{2,})")
SERVANT = "abdul"
_OF_GOD = frozenset({"allah", "ullah", "illah", "lah", "la"})
_OF_FAITH = frozenset({"din", "deen", "dine", "eddine", "uddin", "eddin"})
_FAITHFUL = re.compile(r"(?P<name>.{3,}?)[aeiu](?:d|l)d(?:in|een|ine|yn)e?")
_SHORTEST_COMPOUND = 6


@dataclass(frozen=True, slots=True)
class PersonName:
    """A person's name in its normal form: the parts, given names first where that is known, and the generation ("Jr.").

    `family_at` is where the family name begins among the parts, None where the text doesn't say. `joined` is the same name with its
    Arabic compounds as one part each, for a name that has some and is read for screening. Such a name keeps its titles.
    """

    text: str
    parts: tuple[str, ...]
    generation: int | None
    family_at: int | None
    joined: "PersonName | None" = None


def person_name(text: str) -> PersonName:
    """The normal form of a person's name, also of "TREMBLAY, Jean-François". Takes any text, never raises."""
    family, given = _split(text)
    given = _without_titles(given, keep=0 if family else 1)
    parts, generation = _without_appendix([*given, *family])
    family_at = len(given) if family and given and len(parts) > len(given) else None
    return PersonName(text, tuple(parts), generation, family_at)


def read_person(text: str) -> PersonName:
    """The same for screening: in Latin letters, titles kept, and Arabic names of two words, which lists write in many ways, in one.

    "abd al rahman", "abdel rahman" and "abdurrahman" are read as "abdul rahman", and once more as one part.
    """
    family, given = _split(latin(text))
    parts, generation = _without_appendix([*given, *family])
    family_at = len(given) if family and given and len(parts) > len(given) else None
    at = len(parts) if family_at is None else family_at
    pieces = [list(_compounded(words)) for words in (parts[:at], parts[at:])]
    apart, together = ([[word for piece in side for word in piece[form]] for side in pieces] for form in (0, 1))
    name = _of(text, generation, *apart)
    return name if apart == together else replace(name, joined=_of(text, generation, *together))


def _of(text: str, generation: int | None, given: Sequence[str], family: Sequence[str]) -> PersonName:
    return PersonName(text, (*given, *family), generation, len(given) if given and family else None)


def _compounded(words: Sequence[str]) -> Iterator[tuple[Sequence[str], Sequence[str]]]:
    """The words, those of a compound together, each in two ways: apart, and as one word."""
    place = 0
    while place < len(words):
        word, follows = words[place], place + 1
        behind = follows + (follows < len(words) - 1 and words[follows] in _ARTICLES)
        if behind < len(words) and word in _SERVANTS and len(words[behind]) > 1:
            yield _servant_of(words[behind], "abdullah" if words[behind] in _OF_GOD else f"{SERVANT}{words[behind]}")
            place = behind + 1
        elif behind < len(words) and behind > follows and words[behind] in _OF_FAITH:
            yield [f"{word}uddin"], [f"{word}uddin"]
            place = behind + 1
        else:
            yield _compound(word)
            place = follows


def _servant_of(name: str, together: str) -> tuple[Sequence[str], Sequence[str]]:
    return (["abdullah"], [together]) if name in _OF_GOD else ([SERVANT, name], [together])


def _compound(word: str) -> tuple[Sequence[str], Sequence[str]]:
    if word in _SERVANTS:
        return [SERVANT], [SERVANT]
    if len(word) >= _SHORTEST_COMPOUND:
        servant = _SERVANT_OF.fullmatch(word)
        if servant is not None:
            return _servant_of(servant["name"], word)
        faithful = _FAITHFUL.fullmatch(word)
        if faithful is not None:
            return [f"{faithful['name']}uddin"], [word]
    return [word], [word]


def _split(text: str) -> tuple[list[str], list[str]]:
    """The family name, empty where it can't be told, and the other words. "Tremblay, Jean, CPA" ends in its appendix."""
    pieces = [words for words in (_words(piece) for piece in fold(text).split(",")) if words]
    if len(pieces) > 1 and not _is_appendix(pieces[1]):
        family, given, *rest = pieces
        return [*family, *(word for piece in rest for word in piece)], given
    return [], [word for piece in pieces for word in piece]


def _words(text: str) -> list[str]:
    return text.translate(_BREAKS).split()


def _is_appendix(words: Iterable[str]) -> bool:
    return all(word in _SUFFIXES or word in _GENERATIONS for word in words)


def _without_titles(words: list[str], keep: int) -> list[str]:
    start = 0
    while start < len(words) - keep and words[start] in _HONORIFICS:
        start += 1
    return words[start:]


def _without_appendix(words: list[str]) -> tuple[list[str], int | None]:
    generation = None
    # Two parts always stay: "Tremblay, Junior" is a name, and so is "Ing, Marie".
    while len(words) > 2 and _is_appendix(words[-1:]):  # noqa: PLR2004
        generation = _GENERATIONS.get(words[-1], generation)
        words = words[:-1]
    return words, generation
