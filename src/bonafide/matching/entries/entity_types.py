"""The kind of a business in a common code, from the words of its register.

The register's own words are kept beside it. A word that is not in the table has no code: kinds are not guessed.
"""

import re
from functools import lru_cache

from bonafide.matching.text.folding import fold
from bonafide.matching.text.tables import read_table
from bonafide.model.entity import EntityTypeCode

_TABLE = read_table("entity_types")
_NOT_WORDS = re.compile(r"[^a-z0-9]+")


def _normalize_words(words: str) -> str:
    return _NOT_WORDS.sub(" ", fold(words.replace(".", ""))).strip()


_EXTRA_PROVINCIAL = re.compile(
    rf"\b(?:{'|'.join(sorted(map(_normalize_words, _TABLE.pop('from_elsewhere')), key=len, reverse=True))})\b"
)
_CODES = {_normalize_words(words): EntityTypeCode(code) for code, kinds in _TABLE.items() for words in kinds}


@lru_cache(maxsize=2**9)  # registers have some dozens of kinds
def parse_entity_type_code(words: str | None) -> EntityTypeCode | None:
    """The common code of a register's words; None for words that are not known, or none at all."""
    if words is None:
        return None
    plain = _normalize_words(words)
    found = _CODES.get(plain)
    if found is not None:
        return found
    kind = " ".join(_EXTRA_PROVINCIAL.sub(" ", plain).split())
    # A register that says no more than where it is from means a corporation.
    return _CODES.get(kind) if kind else EntityTypeCode.CORPORATION if plain else None
