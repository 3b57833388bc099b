"""Split a listed or screened name into the names and identifiers that it contains.

Lists print several names in one text where their parser can't be sure that it may be taken apart. A part is only one more way to
read the name, at a small loss; which of its words mean something is decided elsewhere.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from bonafide.matching.identifiers.number_matching import is_imo_number
from bonafide.matching.text.transliteration import is_non_latin

_BRACKETS = re.compile(r"\(([^()]*)\)")
_KNOWN_AS = re.compile(r"(?:a\.?k\.?a|f\.?k\.?a|formerly|previously|also)\b", re.IGNORECASE)
_LATIN = re.compile(r"[A-Za-z]")
_FEWEST_LETTERS, _FEWEST_OF_SEVERAL = 6, 4
"""Of a part of one word, and of several; a shorter one is an acronym, which others have too."""


def split_listed_name(text: str) -> list[str]:
    """The names in a name, each once; mostly none."""
    found = dict.fromkeys(part for part in _split_parts(text) if part != text)
    return [part for part in found if sum(map(str.isalpha, part)) >= (_FEWEST_LETTERS if " " not in part else _FEWEST_OF_SEVERAL)]


def _split_parts(text: str) -> Iterator[str]:
    if "(" in text:
        yield " ".join(_BRACKETS.sub(" ", text).split())
        yield from (inner for inner in map(str.strip, _BRACKETS.findall(text)) if " " in inner and _KNOWN_AS.match(inner) is None)
    if " / " in text:
        yield from map(str.strip, text.split(" / "))
    if is_non_latin(text):
        foreign = [word for word in text.split() if is_non_latin(word)]
        # A word of both scripts has a letter that only looks like one of the other: the name is in one script.
        if not any(map(_LATIN.search, foreign)):
            yield " ".join(word for word in text.split() if word not in foreign)
            yield " ".join(foreign)


_LABEL = (
    r"(?:(?:imo|mmsi|lei|inn|ogrn|kpp|okpo|tin|tax id|passport|unp)(?:\s*(?:number|no|nr|code|id))?"
    r"|(?:registration|company|national|identity|id)\s*(?:number|no|nr|code|id))"
)
_LABELLED = re.compile(rf"\b{_LABEL}\b\.?\s*[:#]?\s*(?P<number>[a-z]{{0,4}}[\s-]?\d[a-z\d/-]{{3,}})", re.IGNORECASE)
_BARE = re.compile(r"[A-Za-z]{0,4}[\s-]?\d[\dA-Za-z\s./-]*")
_LONG_LETTERS = re.compile(r"[A-Za-z]{5,}")
_SHORTEST, _FEWEST_DIGITS = 6, 5
_LEI = re.compile(r"[A-Z0-9]{18}\d{2}")


@dataclass(frozen=True, slots=True)
class StatedIdentifiers:
    """The numbers that a text states, compacted, and the text without; `rest` is the whole text where there is nothing else."""

    keys: frozenset[str]
    imo: str | None
    rest: str


def extract_identifiers(text: str) -> StatedIdentifiers:
    """The numbers in a name: "IMO 9187629", "MV Example (IMO: 9187629)", "1027700132195"."""
    if not any(map(str.isdigit, text)):
        return StatedIdentifiers(frozenset(), None, text)
    keys = {key for found in _LABELLED.finditer(text) for key in build_identifier_keys(found["number"])}
    rest = _LABELLED.sub(" ", text).strip(" ,;()[]") if keys else text
    compact = text.strip()
    if not keys and (_LEI.fullmatch(compact) or (_BARE.fullmatch(compact) and _LONG_LETTERS.search(compact) is None)):
        keys = set(build_identifier_keys(compact))
    imo = next((key for key in sorted(keys) if is_imo_number(key)), None)
    return StatedIdentifiers(frozenset(keys), imo, rest if any(map(str.isalnum, rest)) else text)


def build_identifier_keys(text: str) -> Iterable[str]:
    """The keys under which a number is the same: letters and digits, without "IMO" and zeros in front; none for a short one."""
    compact = "".join(filter(str.isalnum, text.upper())).removeprefix("IMO")
    if len(compact) < _SHORTEST or sum(map(str.isdigit, compact)) < _FEWEST_DIGITS:
        return []
    return {compact, compact.lstrip("0")}
