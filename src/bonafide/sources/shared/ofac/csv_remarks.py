"""Parse the remarks column of OFAC's CSV files.

Dates of birth, nationalities, numbers and the weak names ("a.k.a. 'LEFTY'") are taken out; every other clause stays as it is.
"""

import re
from collections.abc import Iterator
from functools import cache

from bonafide.sources.formats.delimited_text import normalize_whitespace
from bonafide.sources.shared.ofac.party import OfacNumber, OfacPartyRecord, load_number_words

_BETWEEN = re.compile(r";\s*")
_ALTERNATIVE = "alt. "
_NAME = re.compile(r"[afn]\.k\.a\.,? ?(?:'(?P<quoted>.+)'|\"(?P<double>.+)\")\.?")
_SEVERAL = re.compile(r"['\"], ['\"]")
_BIRTH = re.compile(r"DOB (?P<date>.+)")
_COUNTRY = re.compile(r"(?:nationality|citizen|Nationality of Registration) (?P<country>.+)")
_LINKED = re.compile(r"Linked To: (?P<name>.+)")
_PLACES = re.compile(r"\(([^()]*)\)")


def add_remarks(party: OfacPartyRecord, text: str) -> None:
    """Read the remarks of a party, whole: what overflowed into the file of comments must be behind them already."""
    for clause in _split_clauses(text):
        _add_clause(party, clause.removeprefix(_ALTERNATIVE), clause)


def _split_clauses(text: str) -> Iterator[str]:
    for part in _BETWEEN.split(text.strip().removesuffix(".")):
        clause = normalize_whitespace(part)
        if clause is not None:
            yield clause


def _add_clause(party: OfacPartyRecord, clause: str, printed: str) -> None:
    name, birth, country, linked = (pattern.fullmatch(clause) for pattern in (_NAME, _BIRTH, _COUNTRY, _LINKED))
    number = None if name or birth or country or linked else _parse_number(clause)
    if name is not None:
        party.others += [(each, True) for each in _SEVERAL.split(name["quoted"] or name["double"])]
    elif birth is not None:
        party.births.append(birth["date"])
    elif country is not None:
        party.countries.append(country["country"])
    elif linked is not None:
        party.remarks["Linked To"].append(linked["name"])
    elif number is not None:
        party.numbers.append(number)
    else:
        party.remarks[""].append(printed)


@cache
def _compile_number_pattern() -> re.Pattern[str]:
    words = load_number_words()
    labels = sorted((*words["documents"], *words["features"]), key=len, reverse=True)
    stems = [rf"{re.escape(stem)} [A-Z0-9]+" for stem in words["feature_stems"]]
    return re.compile(
        rf"(?P<label>{'|'.join((*stems, *map(re.escape, labels)))})(?: #)? (?P<value>\S.*?)"
        r"(?P<places>(?: \([^()]*\))*)(?: (?P<note>(?:issued|expires|exp\.)\b.*))?",
        re.IGNORECASE,
    )


def _parse_number(clause: str) -> OfacNumber | None:
    """`Passport X12 (Ruritania) expires 03 Nov 2031` with its country, and `Tax ID No. 7 (Zenda) (Ruritania)` with both places."""
    found = _compile_number_pattern().fullmatch(clause)
    if found is None or not _is_value(found["value"]):
        return None
    return OfacNumber(
        found["label"], found["value"], ", ".join(_PLACES.findall(found["places"])) or None, normalize_whitespace(found["note"])
    )


def _is_value(text: str) -> bool:
    """A sentence may begin with the same word: "License granted …"."""
    return any(map(str.isdigit, text)) or (text.isupper() and " " not in text)
