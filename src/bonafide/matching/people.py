"""Names of people in one normal form: parts in plain letters, without titles and degrees, the generation told apart.

It decides what the parts of a name are. How alike two names are is the business of `person_names`.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from bonafide.matching.folding import fold
from bonafide.matching.tables import read_table

PEOPLE_TABLE = read_table("people")
_HONORIFICS = frozenset[str](PEOPLE_TABLE["honorifics"].split())
_SUFFIXES = frozenset[str](PEOPLE_TABLE["suffixes"].split())
_GENERATIONS: dict[str, int] = {word: row for row, words in enumerate(PEOPLE_TABLE["generations"]) for word in words}
_BREAKS = str.maketrans("-.&()", "     ", "'")


@dataclass(frozen=True, slots=True)
class PersonName:
    """A person's name in its normal form: the parts, given names first where that is known, and the generation ("Jr.").

    `family_at` is where the family name begins among the parts, None where the text doesn't say.
    """

    text: str
    parts: tuple[str, ...]
    generation: int | None
    family_at: int | None


def person_name(text: str) -> PersonName:
    """The normal form of a person's name, also of "TREMBLAY, Jean-François". Takes any text, never raises."""
    family, given = _split(text)
    given = _without_titles(given, keep=0 if family else 1)
    parts, generation = _without_appendix([*given, *family])
    family_at = len(given) if family and given and len(parts) > len(given) else None
    return PersonName(text, tuple(parts), generation, family_at)


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
