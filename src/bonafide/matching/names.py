"""Business names in one normal form: what the index stores, what a query becomes, and what the comparison compares.

It decides when two names are equal. It never judges how alike two unequal names are; that is `compare`.
"""

import re
from dataclasses import dataclass

from bonafide.matching.folding import fold
from bonafide.matching.legal_forms import is_form, strip_forms
from bonafide.matching.tables import read_table
from bonafide.matching.words import EMPTY_WORDS

NORMALISER_VERSION = 1
"""Part of every index: raise it with any change of this module or its tables, which forces the indexes to be built again."""

_CANONICAL: dict[str, str] = {"&": "and", "et": "and", **read_table("abbreviations")}

_ELISION = re.compile(r"\b(?:l|d|qu)'(?=\w)")
_INITIALS = re.compile(r"\b[^\W\d_](?:\.[^\W\d_])+\b\.?")
_COOP = re.compile(r"\bco op(?=s?\b|erat)")
"""One word in every spelling of cooperative: co-op, co op, co-operative."""
_SPACED_INITIALS = re.compile(r"\b[a-z](?: [a-z]\b)+")
_BRACKETED = re.compile(r"\(([^()]*)\)")
_DIGIT = re.compile(r"\d")
_HYPHENATED_DIGITS = re.compile(r"(?<=\d) ?- ?(?=\d)")
_COMMA_GROUPS = re.compile(r"\b\d{1,3}(?:,\d{3})+\b")
# "1 234 567 Canada inc." is French typography; "Highway 400 401" has one group only and stays two numbers.
_SPACED_GROUPS = re.compile(r"\b\d{1,3}(?: \d{3}){2,}\b")
_QUEBEC_NUMBER = re.compile(r"\b(\d{4}) (\d{4})(?= (?:quebec|qc|que)\b)")
_DASH_AND_COMMA = str.maketrans("-,", "  ")


@dataclass(frozen=True, slots=True)
class NormalName:
    """A name as given and in its normal form.

    `tokens` are all its words in order; `core` what distinguishes it (no legal forms, articles or connectors), never empty if
    `tokens` isn't; `legal_forms` the keys of its forms in order. Two names with equal core and forms are the same name.
    """

    text: str
    tokens: tuple[str, ...]
    core: tuple[str, ...]
    legal_forms: tuple[str, ...]


def normalise(text: str) -> NormalName:
    """The normal form of a business name in English or French. Takes any text, never raises; a text without words has no tokens."""
    tokens = _tokens(text)
    stripped = strip_forms(tokens, EMPTY_WORDS)
    core = stripped.words
    if not EMPTY_WORDS.isdisjoint(core):
        core = tuple([word for word in core if word not in EMPTY_WORDS]) or core
    return NormalName(text, tokens, core, stripped.keys)


def _tokens(text: str) -> tuple[str, ...]:
    plain = fold(text)
    has_digits = _DIGIT.search(plain) is not None
    plain = _without_punctuation(plain, has_digits=has_digits)
    if "co op" in plain:
        plain = _COOP.sub("coop", plain)
    words = plain.split()
    if has_digits or 1 in map(len, words):
        words = _regrouped(" ".join(words)).split()
    return tuple([_CANONICAL.get(word, word) for word in words])


def _without_punctuation(text: str, *, has_digits: bool) -> str:
    if "&" in text:
        text = text.replace("&", " & ")
    if "'" in text:
        # Elided articles go ("l'Est", "d'Arthabaska"); any other apostrophe only joins ("Pop's", "O'Brien", "reg'd").
        text = _ELISION.sub("", text).replace("'", "")
    if "." in text:
        text = _INITIALS.sub(lambda initials: initials[0].replace(".", "") + " ", text).replace(".", " ")
    if has_digits:
        text = _COMMA_GROUPS.sub(lambda groups: groups[0].replace(",", ""), _HYPHENATED_DIGITS.sub("", text))
    if "-" in text or "," in text:
        text = text.translate(_DASH_AND_COMMA)
    return _without_brackets(text) if "(" in text or ")" in text else text


def _without_brackets(text: str) -> str:
    """A legal form in brackets moves to the end, where forms stand: "Acme (Ltd.) Canada"."""
    forms = []

    def opened(bracketed: re.Match[str]) -> str:
        content = bracketed[1]
        if not is_form(tuple(content.split())):
            return f" {content} "
        forms.append(content)
        return " "

    text = _BRACKETED.sub(opened, text)
    return " ".join([text, *forms]).replace("(", " ").replace(")", " ")


def _regrouped(text: str) -> str:
    """Join what belongs together though it is written apart: spaced initials and grouped digits."""
    text = _SPACED_INITIALS.sub(lambda initials: initials[0].replace(" ", ""), text)
    text = _SPACED_GROUPS.sub(lambda groups: groups[0].replace(" ", ""), text)
    # "Fish 'n' Chips": a lone n between two words is a connector.
    return _QUEBEC_NUMBER.sub(r"\1\2", text).replace(" n ", " & ")
