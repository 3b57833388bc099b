"""Recognize texts that consist of only a person's name or only a role, in English and French.

Each text is examined on its own; `people` assigns roles to names.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from bonafide.matching.addresses.terms import DIRECTIONS, SURE_TYPES
from bonafide.matching.people.given_names import is_given_name
from bonafide.matching.people.person_name_parsing import PEOPLE_TABLE
from bonafide.matching.text.folding import fold
from bonafide.matching.text.word_classes import WordClass, classify_word
from bonafide.website.extraction.name_boundaries import find_name_after
from bonafide.website.tables import PAGE_TERMS

LONGEST_NAME: Final = 50
LONGEST_ROLE: Final = 80
"""The maximum length of a role."""
_NAME_WORDS = range(2, 6)
_LONGEST_IN_WORDS = 9


def _split_lists(lists: Sequence[str]) -> frozenset[str]:
    return frozenset(word for row in lists for word in row.split())


ROLE_WORDS = _split_lists(PAGE_TERMS["roles"])
"""Folded words, at least one of which occurs in every role."""
_NOT_NAMES = _split_lists(PAGE_TERMS["not_names"])
_NOT_ROLES = _split_lists(PAGE_TERMS["not_roles"])
_NEVER_IN_ROLES = _split_lists(PAGE_TERMS["never_in_roles"])
_PARTICLES = frozenset[str](PEOPLE_TABLE["particles"].split())
_HONORIFICS = frozenset[str](PEOPLE_TABLE["honorifics"].split())
_DEGREES = frozenset[str](PEOPLE_TABLE["suffixes"].split()) | _split_lists(PAGE_TERMS["degrees"])
_NO_ROLE = re.compile(r"[\d!?@;\"“«]|\.(?:\s|$)")
_ARTICLES = frozenset({"the", "la", "le", "les", "los", "el", "de", "du", "des"})
_POST_NOMINAL = re.compile(r"[A-Z]{3,6}")
_NO_POST_NOMINALS = frozenset({"usa", "inc", "ltd", "llp", "ulc", "enr", "senc", "corp", "tba", "tbd", "pei", "ont", "que", "sask"})
_OPEN_ENDS = frozenset({"for", "pour", "of", "de", "du", "des", "at", "by", "par", "with", "to"})
"""Words with which a role cannot end: "Agent for" is not a role."""
_BUSINESS = frozenset({WordClass.TRADE, WordClass.SHAPE})
_NO_GIVEN_NAME = _BUSINESS | {WordClass.PLACE, WordClass.FUNCTION}
_PART = re.compile(r"(?:[A-ZÀ-ÖØ-Þ][\w'’.-]*|[dl]['’][A-ZÀ-ÖØ-Þ][\w'’-]*)")
CONTRACTION = re.compile(r"(?:I|It|He|She|We|They|You|Here|There|That|This|Who|What)['’](?:m|s|re|ve|ll|d)", re.IGNORECASE)
"""Contractions at the start of a sentence: "I'm Jane Roe"."""
_STREETS = frozenset(DIRECTIONS) | SURE_TYPES
_AND = re.compile(r"\s(?:and|et|&)\s")
NO_WORD = re.compile(r"[^\w-]+")
"""Separators between words; a hyphen is not one."""


@lru_cache(maxsize=2**12)  # every page repeats menus and footers
def parse_page_person_name(text: str, *, beside_role: bool = False) -> str | None:
    """Parse a text that consists of only a person's name, and strip degrees; None for any other text.

    With `beside_role`, the family name may itself be a role word ("Fiona Baker").
    """
    pieces = text.split(",")
    if len(text) > LONGEST_NAME or not all(map(is_credential, pieces[1:])):
        return None
    words = pieces[0].split()
    while len(words) > _NAME_WORDS.start and is_degree(words[-1]) and words[-1].isupper():
        words.pop()
    titled = bool(words) and _normalize_word(words[0]) in _HONORIFICS
    bare = words[1:] if titled else words
    if (
        len(bare) not in _NAME_WORDS
        or CONTRACTION.fullmatch(words[0]) is not None
        or not all(_is_part(word) for word in bare)
        or contains_business_name(pieces[0])
        or not _is_person_words(bare, titled=titled, beside_role=beside_role)
    ):
        return None
    return " ".join(words)


def _is_part(word: str) -> bool:
    return word in _PARTICLES or _PART.fullmatch(word) is not None


def _is_person_words(words: Sequence[str], *, titled: bool, beside_role: bool) -> bool:
    """Whether capitalized words are a person's name rather than a heading, a place or a business."""
    plain = [_normalize_word(word) for word in words]
    ends = {0, len(plain) - 1}
    full = [word for place, word in enumerate(plain) if len(word) > 1 and (place in ends or word not in _PARTICLES)]
    if len(full) < 2 or not _NOT_NAMES.isdisjoint(plain) or not ROLE_WORDS.isdisjoint(plain[:-1]):  # noqa: PLR2004 - given and family name
        return False
    if plain[0] in _ARTICLES or any(word.endswith(".") and len(word) > 3 for word in words):  # noqa: PLR2004
        return False
    if titled or is_given_name(plain[0].partition("-")[0]):
        return True
    if classify_word(plain[0]) in _NO_GIVEN_NAME or classify_word(plain[-1]) in _BUSINESS or plain[-1] in _STREETS:
        return False
    return plain[-1] not in ROLE_WORDS or beside_role


@lru_cache(maxsize=2**12)
def is_role(text: str) -> bool:
    """Whether a text consists of only a role: "Head Baker", "Présidente et fondatrice"."""
    text = text.strip(" ,;:")
    if not 3 <= len(text) <= LONGEST_ROLE or _NO_ROLE.search(text) is not None:  # noqa: PLR2004 - "CEO"
        return False
    words = NO_WORD.split(fold(text).strip(" ()"))
    if (
        not 0 < len(words) <= _LONGEST_IN_WORDS
        or words[0] in _NOT_ROLES
        or words[-1] in _OPEN_ENDS
        or not _NEVER_IN_ROLES.isdisjoint(words)
    ):
        return False
    parts = {part for word in words for part in (word, *word.split("-"))}
    return not ROLE_WORDS.isdisjoint(parts) and not contains_business_name(text) and not _continues_with_person(text)


def _continues_with_person(text: str) -> bool:
    """Whether a text continues with another person: "President and Bob Li"."""
    return any(parse_page_person_name(part) is not None for part in _AND.split(text)[1:])


def contains_business_name(text: str) -> bool:
    """Whether a text, or a comma-separated part of it, is a business name with a legal form."""
    return any((run := find_name_after(part.strip())) is not None and run.has_form for part in text.split(","))


def _normalize_word(word: str) -> str:
    return fold(word).strip(".,").replace("'", "")


def is_degree(text: str) -> bool:
    """Whether a text consists of only degrees and professional designations ("CPA, CA")."""
    return all("".join(filter(str.isalnum, word)) in _DEGREES for word in fold(text.replace(".", "")).split())


def is_credential(text: str) -> bool:
    """Whether a text after a name and a comma is a degree or looks like one ("RDH"); "CEO" is a role."""
    text = text.strip().replace(".", "")
    folded = fold(text)
    return is_degree(text) or (
        _POST_NOMINAL.fullmatch(text) is not None and folded not in ROLE_WORDS and folded not in _NO_POST_NOMINALS
    )
