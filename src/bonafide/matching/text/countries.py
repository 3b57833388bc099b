"""Parse countries and nationalities, as lists name them in English and French, into ISO 3166-1 alpha-2 codes.

Only a text that is exactly a country's name is parsed; countries are not found in sentences or derived from cities.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import permutations

from bonafide.matching.text.folding import fold
from bonafide.matching.text.tables import read_table

_TABLE = read_table("countries")
_NOT_WORDS = re.compile(r"[^\w]+")
_BRACKETS = re.compile(r"\([^()]*\)?")
_MAX_PARTS = 3
"""Most comma-separated parts of an inverted name ("Korea, Democratic People's Republic of"); a text with more is an address."""
_MARK = re.compile(r"(?<!\w)\(?(?:\d{1,2}|[a-h])\)(?:\s*(?:-|to)\s*\(\d{1,2}\))?")
"""Numbering of several countries in one text: `(1)`, `2)`, `a)`, `(1)-(3)`."""
_BETWEEN = re.compile(r"[;|/\n]|,\s*(?=$)")
_AND = re.compile(r"\s*,\s*|\s+(?:and|et|&)\s+")


def _normalize_words(text: str) -> str:
    """The words of a text in plain letters: apostrophes and full stops are dropped, all else separates."""
    return _NOT_WORDS.sub(" ", fold(text).replace("'", " ").replace(".", "")).strip()


_NAMES: dict[str, str] = {_normalize_words(name): code for code, names in _TABLE["countries"].items() for name in names[1:]}
_CODES: dict[str, str] = {spelt: code for code, names in _TABLE["countries"].items() for spelt in (code, names[0])}
_STYLES = tuple(sorted(map(_normalize_words, _TABLE["styles"]), key=len, reverse=True))
_TAILS = tuple(map(_normalize_words, _TABLE["tails"]))


@lru_cache(maxsize=2**12)  # lists name some hundred countries, thousands of times each
def parse_country_code(text: str) -> str | None:
    """The alpha-2 code of a country's name, adjective or ISO code ("Korea, North", "Iranian", "IRN"); None when it isn't one.

    A former state has the code of its one successor, or the retired one (`SU`, `YU`, `CS`, `AN`) when there are several.
    """
    if text.strip() in _CODES:
        return _CODES[text.strip()]
    return next((found for form in _list_forms(text) if (found := _find_country(form)) is not None), None)


def get_country_name(code: str) -> str | None:
    """The English name of the country with this alpha-2 code; None for any other text."""
    names = _TABLE["countries"].get(code)
    return str(names[1]) if names is not None else None


def get_alpha3_code(code: str) -> str | None:
    """The alpha-3 code of the country with this alpha-2 code; None for any other text."""
    names = _TABLE["countries"].get(code)
    return str(names[0]) if names is not None else None


def parse_country_codes(text: str) -> tuple[str, ...]:
    """The codes of all the countries in a text ("(1) Egypt (2) Iraq", "Jordan; Syria"), each once and in order.

    A part that is not a country is unchanged. Never raises; an empty text has none.
    """
    parts = [piece.strip(" ,.;") for marked in _MARK.split(text) for piece in _BETWEEN.split(marked)]
    return tuple(dict.fromkeys(found for part in parts if part for found in _find_countries(part)))


def _find_countries(part: str) -> list[str]:
    whole = parse_country_code(part)
    if whole is not None:
        return [whole]
    several = [parse_country_code(piece) for piece in _AND.split(part)]
    codes = [code for code in several if code is not None]
    return codes if len(codes) == len(several) else [part]


def _list_forms(text: str) -> Iterator[str]:
    """The text, the text without brackets, and its comma-separated parts in any order."""
    yield _normalize_words(text)
    bare = _BRACKETS.sub(" ", text)
    yield _normalize_words(bare)
    parts = [part for part in bare.split(",") if part.strip()]
    if 1 < len(parts) <= _MAX_PARTS:
        yield from (_normalize_words(" ".join(order)) for order in permutations(parts))


def _find_country(plain: str) -> str | None:
    """The country of these words, also behind a style ("Republic of …") or before a tail ("… nationality")."""
    if plain in _NAMES:
        return _NAMES[plain]
    for style in _STYLES:
        if plain.startswith(f"{style} "):
            return _find_country(plain[len(style) + 1 :])
    for tail in _TAILS:
        if plain.endswith(f" {tail}"):
            return _find_country(plain[: -len(tail) - 1])
    return None
