"""The names inside a name: "123 Ontario Inc. o/a Joe's Pizza", "English Inc. / Français inc.", "Zephyrine (formerly Orlovska)".

It only takes a text apart where the text itself says so, in words that registers and people use in English and French
(`name_markers.yml`). How much a part tells of the whole is not judged here.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from bonafide.matching.names.normalization import normalise
from bonafide.matching.text.punctuation import SEAM
from bonafide.matching.text.tables import read_table

MAX_PARTS = 8
"""A text with more is a list of names rather than a name; the rest is only found by the whole."""


class PartKind(StrEnum):
    """What a part of a name is to the business."""

    WHOLE = "whole"
    LEGAL = "legal"
    TRADING = "trading"
    LANGUAGE = "language"
    FORMER = "former"


@dataclass(frozen=True, slots=True)
class NamePart:
    """A name inside a name, as it was written."""

    text: str
    kind: PartKind


_KINDS: Mapping[str, tuple[PartKind, PartKind]] = {
    "trading": (PartKind.LEGAL, PartKind.TRADING),
    "former": (PartKind.LEGAL, PartKind.FORMER),
    "now": (PartKind.FORMER, PartKind.LEGAL),
    "division": (PartKind.TRADING, PartKind.LEGAL),
}
"""What stands before a marker and what behind it, by the marker's list."""
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
    r"[/\\(\[]|\s[-–—]\s|\w\.\s?[ab]\.|\.\s?(?:n|r\.\s?s)\."
    r"|\b(?:oa|dba|aka|[fn]ka|fasn|as|under|sous|division|formerly|previously|anciennement|autrefois|ant.rieurement|pr.c.demment)\b"
)
"""Some of this is in every text that has parts, so that nearly all names are done with one look."""
PART_WORDS = frozenset(
    f"oa dba aka fka nka fas fasn fasrs cob a b as under sous division formerly previously anciennement autrefois"
    f" anterieurement precedemment {SEAM}".split()
)
"""One of these is among the separated words of every name that has parts, unless a slash stands in it."""
_SPACED_SLASH = re.compile(r"\s+/\s+")
_BETWEEN_FORMS = re.compile(r"\s+[-–—]\s+|\s*/\s*")
_IN_BRACKETS = re.compile(r"^(.+)[(\[]([^()\[\]]+)[)\]]\s*$", re.DOTALL)
_LONG_ENOUGH = re.compile(r"[^\W\d_]{2}")
_LOOSE = ' \t\r\n,;:-–—&/"“”«»'
_CONNECTOR_AT_END = re.compile(r"\s(?:and|et|ou|or|also|aussi)$", re.IGNORECASE)


def split_name_parts(text: str) -> tuple[NamePart, ...]:
    """The whole name first, then the names inside it, each text once; nearly always the whole only. Never raises."""
    whole = NamePart(text, PartKind.WHOLE)
    lowered = text.lower()
    if _HINT.search(lowered) is None:
        return (whole,)
    found = {text: whole}
    # A few letters grow when they are made small, and then places in one text would not be places in the other.
    marked = list(_split_at_markers(text, lowered)) if len(lowered) == len(text) else []
    for part in marked or [whole]:
        found.setdefault(part.text, part)
        for side in _split_languages(part.text):
            found.setdefault(side, NamePart(side, PartKind.LANGUAGE))
    return tuple(found.values())[:MAX_PARTS]


def _split_at_markers(text: str, lowered: str) -> Iterator[NamePart]:
    markers = list(_MARKER.finditer(lowered))
    if not markers:
        return
    before = [text[: markers[0].start()]]
    named: list[tuple[re.Match[str], str]] = []
    for marker, following in zip(markers, [*markers[1:], None], strict=True):
        said = text[marker.end() : following.start() if following is not None else len(text)]
        if marker["bracket"] is not None:
            said, rest = _split_at_bracket(said)
            before.append(rest)
        named.append((marker, _trim(said)))
    first = _trim(" ".join(before))
    if not _is_name(first) or not any(_is_name(said) for _, said in named):
        return
    yield NamePart(first, _KINDS[str(markers[0].lastgroup)][0])
    yield from (NamePart(said, _KINDS[str(marker.lastgroup)][1]) for marker, said in named if _is_name(said))


def _split_at_bracket(text: str) -> tuple[str, str]:
    """What stands before the bracket that closes, and behind it."""
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

    Registers write " / " between them; other separators and brackets stand between many things, and are only believed when
    each side bears a legal form.
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
