"""Parse the names of groups in the feed and the regulations: forms in brackets, and whether the name is a person's.

Several words in brackets are another name of the group; a single word is an abbreviation or a variant spelling, and is weak.
Neither source has the type of a party: the Criminal Code's list has mostly groups, the other regulation mostly people.
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
"""Names of up to this many capital letters ("HM", "AWD") are weak, because they match too many initials."""


def strip_brackets(text: str) -> str:
    """Remove the brackets from the name; return it unchanged if nothing else is left."""
    return " ".join(_BRACKET.sub("", text).split()) or text


def generate_name_forms(texts: Iterable[str]) -> Iterator[tuple[str, bool]]:
    """Yield every name in the texts with whether it is weak: the name without its brackets, then the names in them."""
    for position, text in enumerate(texts):
        name = strip_brackets(text)
        yield name, _is_initials(name)
        for found in _BRACKET.finditer(text):
            if " " not in found[1]:
                yield from _generate_one_word_forms(found[1], is_main=position == 0)
                continue
            pieces = [strip_quotes(piece) for piece in _WITHIN.split(found[1])]
            yield from ((piece, False) for piece in pieces if " " in piece)
            yield from (form for piece in pieces if " " not in piece for form in _generate_one_word_forms(piece, is_main=False))


def _generate_one_word_forms(word: str, *, is_main: bool) -> Iterator[tuple[str, bool]]:
    """Yield an abbreviation, as a weak name. After the main name, other capitalized words count too, but not spellings."""
    is_upper = sum(map(str.isupper, word)) >= sum(map(str.islower, word))
    if len(word) >= MIN_LONE_LENGTH and (is_upper or (is_main and word[0].isupper())):
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
"""Words that occur in no person's name on these lists, in English, French and Spanish."""
_ABBREVIATION = re.compile(r"\b[A-Z]{3,}\b|\([A-Z][A-Za-z-]*\)")
_NAME_PARTS = range(2, 6)
_MIN_SIMILARITY = 0.75
"""The minimum similarity of two spellings of a given or family name."""


def classify_criminal_code_name(name: str, aliases: Sequence[str]) -> EntityKind:
    """Classify a name as a person only if there are other names, and all are spellings of the same given and family name."""
    spellings = bool(aliases) and not _is_group(name) and all(_is_same_person(name, alias) for alias in aliases)
    return EntityKind.PERSON if spellings else EntityKind.ORGANIZATION


def classify_by_words(name: str, birth: str | None) -> EntityKind:
    """Classify a name with a group word, a legal form or an abbreviation as a group, else as a person."""
    return EntityKind.ORGANIZATION if birth is None and _is_group(name) else EntityKind.PERSON


def _is_group(name: str) -> bool:
    words = fold(name).replace("'", " ").replace("-", " ").split()
    known = not _GROUP_WORDS.isdisjoint(words) or bool(normalise(name).legal_forms)
    return known or _ABBREVIATION.search(name) is not None or len(words) not in _NAME_PARTS


def _is_same_person(name: str, alias: str) -> bool:
    one, other = fold(name).split(), fold(alias).split()
    if len(other) not in _NAME_PARTS or _is_group(alias):
        return False
    return all(JaroWinkler.similarity(one[index], other[index]) >= _MIN_SIMILARITY for index in (0, -1))
