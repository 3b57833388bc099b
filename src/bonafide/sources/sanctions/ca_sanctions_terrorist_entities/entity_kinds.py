"""Whether a listed name is a person's, which neither the feed nor the regulations say.

Groups are the rule in the Criminal Code's list; in the other regulation people are. When in doubt the rule of the list holds.
"""

import re
from collections.abc import Sequence

from rapidfuzz.distance import JaroWinkler

from bonafide.matching.names.normalization import normalise
from bonafide.matching.text.folding import fold
from bonafide.model.entry import EntityKind

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
