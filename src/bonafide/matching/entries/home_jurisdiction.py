"""Where a business from elsewhere was formed: a register's free text, folded to a jurisdiction where it is one.

Places outside Canada keep the register's own words; they are compared, never translated.
"""

import re

from bonafide.matching.text.folding import fold
from bonafide.matching.text.tables import read_table
from bonafide.model.jurisdiction import Jurisdiction

_HOMES = read_table("homes")
_NO_JURISDICTION = frozenset(_HOMES.pop("nowhere")) | {""}
_ISO = re.compile(r"ca ([a-z]{2})")
"""ISO 3166-2: "CA-ON"."""
_AMBIGUOUS = frozenset({"ne", "alb", "man", "tn", "lb", "cb", "qu"})
"""Short for other places too (Nebraska, Tennessee), and no code of a Canadian register."""


def _index_spellings() -> dict[str, Jurisdiction]:
    provinces = read_table("provinces")["provinces"]
    known = {word: Jurisdiction(code) for code, words in provinces.items() for word in words if word not in _AMBIGUOUS}
    return known | {fold(word): Jurisdiction(code) for code, words in _HOMES.items() for word in words}


_SPELLINGS = _index_spellings()


def parse_home_jurisdiction(text: str | None, own: Jurisdiction) -> str | None:
    """The home of a business that the register `own` has from elsewhere: a jurisdiction's code, or outside Canada the words given.

    None for the register's own jurisdiction, and for words that name no place.
    """
    words = " ".join(text.split()) if text is not None else ""
    plain = " ".join(re.sub(r"[^\w&]+", " ", fold(words)).split())
    iso = _ISO.fullmatch(plain)
    known = _SPELLINGS.get(iso[1] if iso is not None else plain)
    if known is not None:
        return known.value if known is not own else None
    return words if plain not in _NO_JURISDICTION else None


def is_same_home(one: str, other: str) -> bool:
    """Whether two homes are the same place, as far as the words tell."""
    return fold(one).split() == fold(other).split()
