"""Normalize business names for the index, for queries and for comparisons.

Two names with the same normal form are equal. `business_name_comparison` scores unequal names.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from bonafide.matching.names.legal_forms import SIGNIFICANT_FORM_WORDS, group_form_words, is_legal_form, strip_legal_forms
from bonafide.matching.scoring.unweighed_words import UnweighedWord
from bonafide.matching.text.confusables import unify_folded
from bonafide.matching.text.folding import fold_lines
from bonafide.matching.text.punctuation import FORM_CLOSES, FORM_OPENS, SEAM, join_digit_groups, separate_words
from bonafide.matching.text.tables import read_table
from bonafide.matching.text.word_classes import EMPTY_WORDS

NORMALISER_VERSION = 4
"""Part of every index. Raise it with any change of this module or its tables, so that indexes are rebuilt."""

_CANONICAL: dict[str, str] = {
    "&": "and",
    "et": "and",
    **read_table("abbreviations"),
    # French ordinals beyond those that the table spells out: 21ème, 21ième, 21e.
    **{f"{number}{ending}": f"{number}e" for number in range(11, 100) for ending in ("eme", "ieme")},
}
_canonical = _CANONICAL.get

_PROVINCES = {spelling: province for province, spellings in read_table("numbered_names").items() for spelling in spellings}
_PROVINCE_OF_NUMBER = re.compile(rf"(?<=\d{{5}}) ({'|'.join(sorted(_PROVINCES, key=len, reverse=True))})\b")
_NUMBER_SIGN = re.compile(r"\bnos? (?=\d)")
_SPACED_INITIALS = re.compile(r"\b[a-z](?: [a-z]\b)+")
_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz")
_REGROUPED = _LETTERS | {FORM_OPENS, SEAM, "no", "nos"} | {max(spelling.split(), key=len) for spelling in _PROVINCES}
"""Words that indicate that words have to be joined, moved or replaced."""
SIGNIFICANT_WORDS = EMPTY_WORDS | SIGNIFICANT_FORM_WORDS | _REGROUPED | _CANONICAL.keys()
"""The core of a name without any of these is its words as `separate_lines` returns them, without a form of one word at its end."""


class NormalName(NamedTuple):
    """A name as given and in its normal form.

    `tokens` are all its words in order; `core` its distinguishing words (no legal forms, articles or connectors), never empty
    unless `tokens` is; `legal_forms` the keys of its forms in order. Two names with equal core and forms are the same name.
    """

    text: str
    tokens: tuple[str, ...]
    core: tuple[str, ...]
    legal_forms: tuple[str, ...]

    def list_unweighed_words(self) -> list[UnweighedWord]:
        """The words of `tokens` that are not in `core`: legal forms, articles, connectors, and prefixes of ships' names."""
        runs: list[list[str]] = [[]]
        rest = list(self.core)
        for place, word in enumerate(self.tokens):
            # A word of the core that is not in the name replaces one: "centre" is "center".
            if rest and (word == rest[0] or (word not in rest and rest[0] not in self.tokens[place:])):
                del rest[0]
                runs.append([])
            else:
                runs[-1].append(word)
        return [word for run in runs for word in group_form_words(tuple(run))]


def normalise(text: str) -> NormalName:
    """The normal form of a business name in English or French. Takes any text, never raises; a text without words has no tokens."""
    (name,) = normalise_all([text])
    return name


def normalise_all(texts: Sequence[str]) -> list[NormalName]:
    """The normal form of each of these names; about twice as fast as `normalise` for many names."""
    if not texts:
        return []
    names = []
    for text, line in zip(texts, separate_lines(fold_lines(texts)), strict=True):
        tokens = _join_tokens(line.split())
        core, forms = _strip_legal_forms(tokens)
        names.append(NormalName(text, tokens, core, forms))
    return names


def separate_lines(lines: str) -> list[str]:
    """Folded names, one per line, without punctuation: the first half of `normalise`, efficient for many names at once."""
    return separate_text(lines).split("\n")


def separate_text(lines: str) -> str:
    """The same as one text, whose lines are the names."""
    return unify_folded(separate_words(lines, _spells_form))


def extract_core(words: list[str]) -> tuple[str, ...]:
    """The core of a name from its words as `separate_lines` returns them: the second half of `normalise`."""
    return _strip_legal_forms(_join_tokens(words))[0]


def _join_tokens(words: list[str]) -> tuple[str, ...]:
    """The words of a name with split words joined and abbreviations written out."""
    if not _REGROUPED.isdisjoint(words):
        words = _regroup_words(words)
    return tuple(map(_canonical, words, words))


def _strip_legal_forms(tokens: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The core of a name and the keys of its legal forms."""
    stripped = strip_legal_forms(tokens, EMPTY_WORDS)
    words = stripped.words
    if not EMPTY_WORDS.isdisjoint(words):
        words = tuple([word for word in words if word not in EMPTY_WORDS]) or words
    return words, stripped.keys


def _spells_form(text: str) -> bool:
    return is_legal_form(tuple(text.split()))


def _regroup_words(words: Sequence[str]) -> list[str]:
    """Join initials and numbers written apart, and move a legal form in brackets to the end: "Acme (Ltd.) Canada"."""
    if FORM_OPENS in words:
        words = _move_forms_last(words)
    text = " ".join([word for word in words if word != SEAM])
    text = _SPACED_INITIALS.sub(lambda initials: initials[0].replace(" ", ""), text)
    # "No. 123", "N° 123" and "#123" are one number.
    text = join_digit_groups(_NUMBER_SIGN.sub("", text))
    text = _PROVINCE_OF_NUMBER.sub(lambda province: f" {_PROVINCES[province[1]]}", text)
    # "Fish 'n' Chips": a lone n between two words is a connector.
    return text.replace(" n ", " & ").split()


def _move_forms_last(words: Sequence[str]) -> list[str]:
    name: list[str] = []
    forms: list[str] = []
    target = name
    for word in words:
        if word == FORM_OPENS:
            target = forms
        elif word == FORM_CLOSES:
            target = name
        else:
            target.append(word)
    return name + forms
