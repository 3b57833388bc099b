"""The names inside a name: "123 Ontario Inc. o/a Joe's Pizza", "English Inc. / Français inc.", "Zephyrine (formerly Orlovska)".

A text is only split at explicit markers, the words that registers and people use in English and French (`name_markers.yml`).
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from bonafide.matching.names.legal_forms import is_legal_form
from bonafide.matching.names.normalization import normalise
from bonafide.matching.text.punctuation import SEAM
from bonafide.matching.text.tables import read_table

_PROVINCES = "|".join(
    phrase.replace(" ", r"\s+")
    for phrase in sorted(
        {"canada", "quebec", "québec", *(name for row in read_table("numbered_names").items() for name in (row[0], *row[1]))},
        key=len,
        reverse=True,
    )
)
_NUMBERED_COMPANY = re.compile(
    rf"(?<!\w)(?:(?:no\.?\s*)?\d[\d\s,-]{{4,10}}\d\s+(?:b\.\s?c\.|(?:{_PROVINCES})\b)(?:[\s,]*(?:inc|lt[eé]e|ltd|limit[eé]e|limited|corp|corporation)\b\.?)?)"
)
_OPENS_NAME = re.compile(r"\s{0,3}(?:[(\[]|[-–—:]\s)\s{0,3}(?=[^\W\d])")
_CLOSES_NAME = re.compile(r"(?:[(\[]|\s[-–—])\s?$")
_STATED_NUMBER = re.compile(
    r"\b(?:"
    r"(?:bn|neq|ne|(?:business|corporation|corp\.?|registration|registry)\s+(?:number|no\.?|n°)"
    r"|(?:numéro|numero|n°|no)\s+d['’]entreprise(?:\s+du\s+québec)?)\s*[:#]?\s*\d[\d\s-]{5,12}\d(?:\s*r[a-z]\s*\d{4})?)(?!\w)"
)
"""A number of the business that stands inside its name, with its label."""
MAX_PARTS = 8
"""A text with more parts is a list of names; its further parts are not separated."""


class PartKind(StrEnum):
    """The kind of a part of a name."""

    WHOLE = "whole"
    LEGAL = "legal"
    TRADING = "trading"
    LANGUAGE = "language"
    FORMER = "former"


@dataclass(frozen=True, slots=True)
class NamePart:
    """A name inside a name, as written."""

    text: str
    kind: PartKind


_KINDS: Mapping[str, tuple[PartKind, PartKind]] = {
    "trading": (PartKind.LEGAL, PartKind.TRADING),
    "former": (PartKind.LEGAL, PartKind.FORMER),
    "now": (PartKind.FORMER, PartKind.LEGAL),
    "division": (PartKind.TRADING, PartKind.LEGAL),
}
"""The kinds of the parts before and after a marker, by the marker's list."""
_ACCENTED = {"e": "[eéèê]", "c": "[cç]", " ": r"\s+", ".": r"\."}
_OF = r"(?:\s+(?:de\s+la|de|du|des|of)\b|\s+d(?=['’]))?"
_GOES_ON = {
    "under": rf"(?:\s+the\s+(?:(?:firm|business|trade)\s+)?(?:names?|style)(?:\s+(?:and|&|or)\s+(?:names?|style))?{_OF})?",
    "sous": rf"(?:(?:\s+les?\s+noms?(?:\s+(?:et|ou)(?:\s+la)?\s+raison\s+sociale)?"
    rf"|\s+la\s+(?:raison|d[ée]nomination)\s+sociale){_OF})?",
    "nom": _OF,
    "noms": _OF,
    "sociale": _OF,
}


def _build_pattern(phrase: str) -> str:
    letters, *words = phrase.split(" ")
    if "/" in letters:
        slashed, dotted = (separator.join(letters.split("/")) for separator in (r"\s?[/\\]\s?", r"\.\s?"))
        return rf"(?:{slashed}|{dotted}\.?)" + "".join(rf"\s+{word}" for word in words)
    spelled = "".join(_ACCENTED.get(character, character) for character in phrase)
    return spelled + _GOES_ON.get(phrase.rpartition(" ")[2], "")


def _compile_markers(phrases: Mapping[str, Sequence[str]]) -> re.Pattern[str]:
    lists = "|".join(
        rf"(?P<{key}>{'|'.join(_build_pattern(phrase) for phrase in sorted(listed, key=len, reverse=True))})"
        for key, listed in phrases.items()
    )
    return re.compile(rf"(?<![\w/.'’])(?P<bracket>[(\[]\s*)?(?:{lists})(?:\s*[:;,]\s*|\s+|(?=[\"“«'’]))")


_MARKER = _compile_markers(read_table("name_markers"))
_HINT = re.compile(
    r"[/\\(\[]|\s[-–—:]\s|\w\.\s?[ab]\.|\.\s?(?:n|r\.\s?s)\."
    r"|\b(?:bn|neq|ne|number|no|entreprise|québec)\W{0,3}\d|\b(?:oa|dba|aka|[fn]ka|fasn|as|under|sous|division|formerly|previously|anciennement|autrefois|ant.rieurement|pr.c.demment)\b"
)
"""Every text with parts matches this, so that nearly all names need only one check."""
PART_WORDS = frozenset(
    f"oa dba aka fka nka fas fasn fasrs cob a b as under sous division formerly previously anciennement autrefois"
    f" anterieurement precedemment bn neq ne number no entreprise {SEAM}".split()
)
"""Every name with parts has one of these among its separated words, unless it contains a slash."""
_SPACED_SLASH = re.compile(r"\s+/\s+")
_BETWEEN_FORMS = re.compile(r"\s+[-–—]\s+|\s*/\s*")
_IN_BRACKETS = re.compile(r"^(.+)[(\[]([^()\[\]]+)[)\]]\s*$", re.DOTALL)
_LONG_ENOUGH = re.compile(r"[^\W\d_]{2}")
_OPENINGS, _CLOSINGS = " ,;:([", " ,;:)]"
_LOOSE = ' \t\r\n,;:-–—&/"“”«»'
_CONNECTOR_AT_END = re.compile(r"\s(?:and|et|ou|or|also|aussi)$", re.IGNORECASE)


def split_name_parts(text: str) -> tuple[NamePart, ...]:
    """The whole name, followed by the names inside it, each text once; usually the whole name only. Never raises."""
    whole = NamePart(text, PartKind.WHOLE)
    lowered = text.lower()
    if _HINT.search(lowered) is None:
        return (whole,)
    found = {text: whole}
    unnumbered = _remove_stated_number(text, lowered)
    if unnumbered is not None:
        found.setdefault(unnumbered, NamePart(unnumbered, PartKind.LEGAL))
    # Lowercasing makes a few letters longer, so that positions in the two texts would differ.
    marked = (_split_at_markers(text, lowered) or _split_at_number(text, lowered)) if len(lowered) == len(text) else []
    for part in marked or [whole]:
        found.setdefault(part.text, part)
        for side in _split_languages(part.text):
            found.setdefault(side, NamePart(side, PartKind.LANGUAGE))
    return tuple(found.values())[:MAX_PARTS]


def _remove_stated_number(text: str, lowered: str) -> str | None:
    """The name without a number of the business in it; None if there is none, or nothing else."""
    if len(lowered) != len(text) or not any(map(str.isdecimal, text)):
        return None
    found = _STATED_NUMBER.search(lowered)
    if found is None:
        return None
    rest = _trim(f"{text[: found.start()].rstrip(_OPENINGS)} {text[found.end() :].lstrip(_CLOSINGS)}")
    return rest if _LONG_ENOUGH.search(rest) else None


def _split_at_number(text: str, lowered: str) -> list[NamePart]:
    """A numbered company and the name beside it, in brackets (closed or not) or behind a dash, under which it trades; or none."""
    found = _NUMBERED_COMPANY.search(lowered)
    if found is None:
        return []
    before, company, after = text[: found.start()], text[found.start() : found.end()], text[found.end() :]
    opening = _OPENS_NAME.match(after)
    if not _is_name(before) and opening is not None:
        name = _trim(after[opening.end() :])
    elif not _is_name(after) and _CLOSES_NAME.search(before, max(len(before) - 3, 0)) is not None:
        name = _trim(before)
    else:
        return []
    if not _LONG_ENOUGH.search(name) or _has_form_only(name):
        return []
    return [NamePart(_trim(company), PartKind.LEGAL), NamePart(name, PartKind.TRADING)]


def _has_form_only(text: str) -> bool:
    return is_legal_form(normalise(text).tokens)


def _split_at_markers(text: str, lowered: str) -> list[NamePart]:
    """The parts before and behind the markers of the text; none without markers."""
    markers = list(_MARKER.finditer(lowered))
    if not markers:
        return []
    before = [text[: markers[0].start()]]
    named: list[tuple[re.Match[str], str]] = []
    for marker, following in zip(markers, [*markers[1:], None], strict=True):
        marked = text[marker.end() : following.start() if following is not None else len(text)]
        if marker["bracket"] is not None:
            marked, rest = _split_at_bracket(marked)
            before.append(rest)
        named.append((marker, _trim(marked)))
    first = _trim(" ".join(before))
    if not _is_name(first) or not any(_is_name(part) for _, part in named):
        return []
    parts = [NamePart(part, _KINDS[str(marker.lastgroup)][1]) for marker, part in named if _is_name(part)]
    return [NamePart(first, _KINDS[str(markers[0].lastgroup)][0]), *parts]


def _split_at_bracket(text: str) -> tuple[str, str]:
    """The texts before and after the closing bracket."""
    depth = 0
    for place, character in enumerate(text):
        if character in ")]":
            if depth == 0:
                return text[:place], text[place + 1 :]
            depth -= 1
        depth += character in "(["
    return text, ""


def _trim(text: str) -> str:
    # A name keeps its own brackets and full stops: "Zephyrine (Canada) Inc."
    text = " ".join(text.split()).strip(_LOOSE)
    text = _CONNECTOR_AT_END.sub("", text).rstrip(_LOOSE)
    for opening, closing in ("()", "[]"):
        if text.count(opening) > text.count(closing):
            text = text.rstrip(f"{opening} ") if text.endswith(opening) else text
        elif text.count(closing) > text.count(opening):
            text = text.rstrip(f"{closing} ") if text.endswith(closing) else text
    # "sous le nom d'Atelier" leaves the apostrophe; one at the end may be the name's own ("The Browns'").
    return text.strip(_LOOSE).lstrip("'’ ")


def _is_name(text: str) -> bool:
    return any(map(str.isalnum, text))


def _split_languages(text: str) -> Iterator[str]:
    """Both halves of a name in two languages.

    Registers separate them with " / ". Other separators and brackets have several meanings and only count if each side has a
    legal form.
    """
    halves = _SPACED_SLASH.split(text)
    if len(halves) == 2 and all(_LONG_ENOUGH.search(half) for half in halves):  # noqa: PLR2004  # two languages
        yield from map(_trim, halves)
        return
    bracketed = _IN_BRACKETS.match(text)
    for sides in (_BETWEEN_FORMS.split(text), list(bracketed.groups()) if bracketed is not None else []):
        if len(sides) == 2 and all(" " in side.strip() for side in sides) and all(map(_has_legal_form, sides)):  # noqa: PLR2004
            yield from map(_trim, sides)


def _has_legal_form(text: str) -> bool:
    name = normalise(text)
    return bool(name.legal_forms) and len(name.tokens) > len(name.legal_forms)
