"""What the feed and the regulations make of a group's name: its forms in brackets, and whether it is a person's.

A bracket of several words is another name of the group, one word is an abbreviation or a single spelling and tells little alone.
Neither place says whether a name is a person's: groups are the rule in the Criminal Code's list, people in the other regulation.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from rapidfuzz.distance import JaroWinkler

from bonafide.matching.names.normalization import normalise
from bonafide.matching.text.folding import fold
from bonafide.model.entry import EntityKind
from bonafide.sources.shared.lists.party_fields import MIN_LONE_LENGTH, strip_quotes

_BRACKET = re.compile(r"\s*\(([^()]*)\)")
_WITHIN = re.compile(r"\s*[,;/]\s*")
MAX_INITIALS = 3
"""Capital letters alone up to so many ("HM", "AWD") are weak, whoever lists them: half the world has such initials."""


def strip_brackets(text: str) -> str:
    """The name without its brackets; the whole where nothing else is left."""
    return " ".join(_BRACKET.sub("", text).split()) or text


def generate_name_forms(texts: Iterable[str]) -> Iterator[tuple[str, bool]]:
    """Every name in the texts, the main one first, each with whether it is weak: without its brackets, then what those hold."""
    for place, text in enumerate(texts):
        name = strip_brackets(text)
        yield name, _is_initials(name)
        for found in _BRACKET.finditer(text):
            if " " not in found[1]:
                yield from _generate_one_word_forms(found[1], is_main=place == 0)
                continue
            pieces = [strip_quotes(piece) for piece in _WITHIN.split(found[1])]
            yield from ((piece, False) for piece in pieces if " " in piece)
            yield from (form for piece in pieces if " " not in piece for form in _generate_one_word_forms(piece, is_main=False))


def _generate_one_word_forms(word: str, *, is_main: bool) -> Iterator[tuple[str, bool]]:
    """An abbreviation, always weak; behind the main name any other word for the group too, but nowhere a mere spelling."""
    shouted = sum(map(str.isupper, word)) >= sum(map(str.islower, word))
    if len(word) >= MIN_LONE_LENGTH and (shouted or (is_main and word[0].isupper())):
        yield word, True


def _is_initials(name: str) -> bool:
    return name.isalpha() and name.isupper() and len(name) <= MAX_INITIALS


_ENGLISH_GROUP_WORDS = (
    "army association band bank battalion brigade brigades cell cells collective command corps cult defenders division emirate "
    "faction federation fighters force forces foundation front fund gang group holdings islamic jihad legion liberation militia "
    "movement network nuclei order organisation organization party province relief revolutionary society squad state strike union "
    "volunteers"
)
_OTHER_GROUP_WORDS = "armee brigades cartel comite fondation frente fuerzas groupe mouvement partido"
_GROUP_WORDS = frozenset(f"{_ENGLISH_GROUP_WORDS} {_OTHER_GROUP_WORDS}".split())
"""Words that no person's name on these lists has, in English, French and Spanish."""
_ABBREVIATION = re.compile(r"\b[A-Z]{3,}\b|\([A-Z][A-Za-z-]*\)")
_NAME_PARTS = range(2, 6)
_MIN_SIMILARITY = 0.75
"""How alike two spellings of one given or family name are at least."""


def classify_criminal_code_name(name: str, aliases: Sequence[str]) -> EntityKind:
    """A person only where other names are given and all are spellings of the same given and family name."""
    spellings = bool(aliases) and not _is_group(name) and all(_is_same_person(name, alias) for alias in aliases)
    return EntityKind.PERSON if spellings else EntityKind.ORGANIZATION


def classify_by_words(name: str, birth: str | None) -> EntityKind:
    """A group where the name has a word of groups, a legal form or an abbreviation; else a person."""
    return EntityKind.ORGANIZATION if birth is None and _is_group(name) else EntityKind.PERSON


def _is_group(name: str) -> bool:
    words = fold(name).replace("'", " ").replace("-", " ").split()
    known = not _GROUP_WORDS.isdisjoint(words) or bool(normalise(name).legal_forms)
    return known or _ABBREVIATION.search(name) is not None or len(words) not in _NAME_PARTS


def _is_same_person(name: str, alias: str) -> bool:
    one, other = fold(name).split(), fold(alias).split()
    if len(other) not in _NAME_PARTS or _is_group(alias):
        return False
    return all(JaroWinkler.similarity(one[place], other[place]) >= _MIN_SIMILARITY for place in (0, -1))
