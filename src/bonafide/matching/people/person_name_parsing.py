"""Parse names of people into one normal form: plain letters, without titles and degrees, with the generation apart.

`person_name_comparison` compares parsed names.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from bonafide.matching.scoring.unweighed_words import UnweighedWord
from bonafide.matching.text.folding import fold
from bonafide.matching.text.tables import read_table
from bonafide.matching.text.transliteration import transliterate

PEOPLE_TABLE = read_table("people")
_HONORIFICS = frozenset[str](PEOPLE_TABLE["honorifics"].split())
TITLES = _HONORIFICS | frozenset[str](PEOPLE_TABLE["listed_titles"].split())
_SUFFIXES = frozenset[str](PEOPLE_TABLE["suffixes"].split())
_GENERATIONS: dict[str, int] = {word: row for row, words in enumerate(PEOPLE_TABLE["generations"]) for word in words}
_SEPARATORS, _SPACES, _DROPPED = "-.&()", "     ", "'"
_BREAKS = str.maketrans(_SEPARATORS, _SPACES, _DROPPED)
_LINE_BREAKS = bytes.maketrans(_SEPARATORS.encode(), _SPACES.encode())
MARKED_WORDS = _HONORIFICS | _SUFFIXES | _GENERATIONS.keys() | {","}
"""A name without any of these, as `split_person_lines` returns it, consists of its words."""
_ARTICLES = frozenset[str](PEOPLE_TABLE["articles"].split())
_ABDUL_SPELLINGS = frozenset[str](PEOPLE_TABLE["servants"].split())
_ABDUL_COMPOUND = re.compile(r"abd(?:ou|[aeou])?(?:l|(?P<first>.)(?=(?P=first))|sh(?=sh))?(?P<name>.{2,})")
ABDUL_PREFIX, _ABDUL_BEGINNING = "abdul", "abd"
_GLUED_INITIALS = re.compile(r"[bcdfghjklmnpqrstvwxz]{2}")
_TWO_CONSONANTS = frozenset[str](PEOPLE_TABLE["two_consonants"].split()) | _HONORIFICS | _SUFFIXES | _GENERATIONS.keys()
_ALLAH_SUFFIXES = frozenset({"allah", "ullah", "illah", "lah", "la"})
_DIN_SUFFIXES = frozenset({"din", "deen", "dine", "eddine", "uddin", "eddin"})
_DIN_COMPOUND = re.compile(r"(?P<name>.{3,}?)[aeiu](?:d|l)d(?:in|een|ine|yn)e?")
_SHORTEST_COMPOUND = 6


@dataclass(frozen=True, slots=True)
class PersonName:
    """A person's name in its normal form: the parts, given names first if known, and the generation ("Jr.").

    `family_at` is the index of the first part of the family name, None if the text does not mark it. `joined` is the same name with
    each Arabic compound as one part; only names parsed for screening have it. These names keep their titles.
    """

    text: str
    parts: tuple[str, ...]
    generation: int | None
    family_at: int | None
    joined: "PersonName | None" = None

    def list_unweighed_words(self) -> Sequence[UnweighedWord]:
        """The titles, degrees and generation suffixes of the text that are not in `parts`."""
        return _list_unweighed_words(self.text, self.parts)


@lru_cache(maxsize=2**12)
def _list_unweighed_words(text: str, parts: tuple[str, ...]) -> tuple[UnweighedWord, ...]:
    rest = list(parts)
    words = []
    for word in _split_words(fold(transliterate(text)).replace(",", " ")):
        if word in rest:
            rest.remove(word)
        elif word in TITLES or word in _SUFFIXES or word in _GENERATIONS:
            words.append(UnweighedWord(word, f"generation {_GENERATIONS[word]}" if word in _GENERATIONS else word))
    return tuple(words)


def parse_person_name(text: str) -> PersonName:
    """The normal form of a person's name, also of "TREMBLAY, Jean-François". Takes any text, never raises."""
    family, given = _split_family_name(text)
    given = _strip_titles(given, keep=0 if family else 1)
    parts, generation = _strip_appendix([*given, *family])
    family_at = len(given) if family and given and len(parts) > len(given) else None
    return PersonName(text, tuple(parts), generation, family_at)


def split_person_lines(folded: str) -> str:
    """Folded names, one per line, as words and commas between spaces; without a word of `MARKED_WORDS` they are the parts."""
    plain = folded.replace(",", " , ") if "," in folded else folded
    # Bytes are translated many times as fast as characters.
    return plain.encode().translate(_LINE_BREAKS, _DROPPED.encode()).decode()


def parse_listed_person_name(text: str) -> PersonName:
    """The same for screening: in Latin letters, with titles, and with Arabic compound names in one spelling.

    "abd al rahman", "abdel rahman" and "abdurrahman" become "abdul rahman", and in `joined` one part.
    """
    family, given = (list(_split_glued_initials(words)) for words in _split_family_name(transliterate(text)))
    parts, generation = _strip_appendix([*given, *family])
    family_at = len(given) if family and given and len(parts) > len(given) else None
    at = len(parts) if family_at is None else family_at
    pieces = [list(_join_compounds(words)) for words in (parts[:at], parts[at:])]
    apart, together = ([[word for piece in side for word in piece[form]] for side in pieces] for form in (0, 1))
    name = _build_person_name(text, generation, *apart)
    return name if apart == together else replace(name, joined=_build_person_name(text, generation, *together))


def _split_glued_initials(words: Sequence[str]) -> Iterator[str]:
    """The words, with glued initials ("JP", "JC") as initials. Two consonants are no name, except in `two_consonants`."""
    for word in words:
        if len(words) > 1 and _GLUED_INITIALS.fullmatch(word) is not None and word not in _TWO_CONSONANTS:
            yield from word
        else:
            yield word


def _build_person_name(text: str, generation: int | None, given: Sequence[str], family: Sequence[str]) -> PersonName:
    return PersonName(text, (*given, *family), generation, len(given) if given and family else None)


def _join_compounds(words: Sequence[str]) -> Iterator[tuple[Sequence[str], Sequence[str]]]:
    """The words, with the words of a compound grouped; each group in two forms: separate, and as one word."""
    place = 0
    while place < len(words):
        word, follows = words[place], place + 1
        behind = follows + (follows < len(words) - 1 and words[follows] in _ARTICLES)
        if behind < len(words) and word in _ABDUL_SPELLINGS and len(words[behind]) > 1:
            yield _join_servant_name(
                words[behind], "abdullah" if words[behind] in _ALLAH_SUFFIXES else f"{ABDUL_PREFIX}{words[behind]}"
            )
            place = behind + 1
        elif behind < len(words) and behind > follows and words[behind] in _DIN_SUFFIXES:
            yield [f"{word}uddin"], [f"{word}uddin"]
            place = behind + 1
        else:
            yield _split_compound(word)
            place = follows


def _join_servant_name(name: str, together: str) -> tuple[Sequence[str], Sequence[str]]:
    return (["abdullah"], [together]) if name in _ALLAH_SUFFIXES else ([ABDUL_PREFIX, name], [together])


def _split_compound(word: str) -> tuple[Sequence[str], Sequence[str]]:
    if word in _ABDUL_SPELLINGS:
        return [ABDUL_PREFIX], [ABDUL_PREFIX]
    if len(word) >= _SHORTEST_COMPOUND:
        servant = _ABDUL_COMPOUND.fullmatch(word) if word.startswith(_ABDUL_BEGINNING) else None
        if servant is not None:
            return _join_servant_name(servant["name"], word)
        # Searching for these letters takes less time than the expression, which fails late.
        faithful = _DIN_COMPOUND.fullmatch(word) if "dd" in word or "ld" in word else None
        if faithful is not None:
            return [f"{faithful['name']}uddin"], [word]
    return [word], [word]


def _split_family_name(text: str) -> tuple[list[str], list[str]]:
    """The family name, empty if it is not marked, and the other words. In "Tremblay, Jean, CPA" the last piece is an appendix."""
    pieces = [words for words in (_split_words(piece) for piece in fold(text).split(",")) if words]
    if len(pieces) > 1 and not _is_appendix(pieces[1]):
        family, given, *rest = pieces
        return [*family, *(word for piece in rest for word in piece)], given
    return [], [word for piece in pieces for word in piece]


def _split_words(text: str) -> list[str]:
    return text.translate(_BREAKS).split()


def _is_appendix(words: Iterable[str]) -> bool:
    return all(word in _SUFFIXES or word in _GENERATIONS for word in words)


def _strip_titles(words: list[str], keep: int) -> list[str]:
    start = 0
    while start < len(words) - keep and words[start] in _HONORIFICS:
        start += 1
    return words[start:]


def _strip_appendix(words: list[str]) -> tuple[list[str], int | None]:
    generation = None
    # Two parts always stay: "Tremblay, Junior" is a name, and so is "Ing, Marie".
    while len(words) > 2 and _is_appendix(words[-1:]):  # noqa: PLR2004
        generation = _GENERATIONS.get(words[-1], generation)
        words = words[:-1]
    return words, generation
