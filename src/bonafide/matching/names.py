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
_SPACED_INITIALS = re.compile(r"\b[a-z](?: [a-z]\b)+")
_HYPHENATED_DIGITS = re.compile(r"(?<=\d) ?- ?(?=\d)")
_COMMA_GROUPS = re.compile(r"\b\d{1,3}(?:,\d{3})+\b")
# "1 234 567 Canada inc." is French typography; "Highway 400 401" has one group only and stays two numbers.
_SPACED_GROUPS = re.compile(r"\b\d{1,3}(?: \d{3}){2,}\b")
_QUEBEC_NUMBER = re.compile(r"\b(\d{4}) (\d{4})(?= (?:quebec|qc|que)\b)")
_BRACKETED = re.compile(r"\(([^()]*)\)")


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


def _resolve_apostrophes(text: str) -> str:
    # Elided articles go ("l'Est", "d'Arthabaska"); any other apostrophe only joins ("Pop's", "O'Brien", "reg'd").
    return _ELISION.sub("", text).replace("'", "")


def _resolve_stops(text: str) -> str:
    return _INITIALS.sub(lambda initials: initials[0].replace(".", "") + " ", text).replace(".", " ")


def _resolve_digits(text: str) -> str:
    text = _HYPHENATED_DIGITS.sub("", text)
    text = _COMMA_GROUPS.sub(lambda groups: groups[0].replace(",", ""), text)
    return _SPACED_GROUPS.sub(lambda groups: groups[0].replace(" ", ""), text)


def _resolve_brackets(text: str) -> str:
    """A legal form in brackets moves to the end, where forms stand: "Acme (Ltd.) Canada"."""

    def moved(match: re.Match[str]) -> str:
        content = match[1]
        if is_form(tuple(content.split())):
            forms.append(content)
            return " "
        return f" {content} "

    forms: list[str] = []
    text = _BRACKETED.sub(moved, text)
    return " ".join([text, *forms]).replace("(", " ").replace(")", " ")
