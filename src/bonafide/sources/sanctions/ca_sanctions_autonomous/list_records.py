"""Read the records of the list, whichever of the three sets of tags the file uses.

The tags were renamed more than once. After the last change, a reader of the old tags found every record, but no names. Unknown tags
are therefore counted.

One text may contain a name in two languages, several aliases, or a birth date after the name. Each rule for them was checked
against the files of 2020 and 2026; if a separator may be part of a name, the text is not split.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import cast

from bonafide.sources.formats.delimited_text import normalize_whitespace
from bonafide.sources.formats.xml_elements import Element, get_local_name, read_elements
from bonafide.sources.framework.context import Resource


@dataclass(frozen=True, slots=True)
class AutonomousListRecord:
    """One listing as published, with normalized white space; absent and blank fields are None."""

    line: int
    unknown_tags: tuple[str, ...]
    regime: str | None = None
    last_name: str | None = None
    given_name: str | None = None
    entity: str | None = None
    title: str | None = None
    imo: str | None = None
    born_or_built: str | None = None
    aliases: str | None = None
    schedule: str | None = None
    item: str | None = None
    listed: str | None = None

    @property
    def printed_name(self) -> str | None:
        """The name of the entity or ship, or of the person with the given name first; None if the record has none."""
        return self.entity or " ".join(part for part in (self.given_name, self.last_name) if part is not None) or None


def read_records(resource: Resource, tags: Mapping[str, str]) -> Iterator[AutonomousListRecord]:
    """Yield the records of a file. `tags` maps tags to fields. Raises `ParseFailed` if the file is not well-formed XML."""
    for element in read_elements(resource, "record"):
        yield _parse_record(element, tags)


def _parse_record(element: Element, tags: Mapping[str, str]) -> AutonomousListRecord:
    fields: dict[str, str] = {}
    unknown: list[str] = []
    for child in element:
        tag = get_local_name(child)
        field, text = tags.get(tag), normalize_whitespace(child.text)
        if field is None or len(child) > 0:
            unknown.append(tag)
        elif text is not None:
            fields[field] = f"{fields[field]}; {text}" if field in fields else text
    line = cast("int | None", element.sourceline)  # the stubs leave its type open
    return AutonomousListRecord(line or 0, tuple(unknown), **fields)


_SPACED = re.compile(r"\s*\|\s*|\s+/\s+")
_OUTSIDE_BRACKETS = r"(?![^(]*\))(?![^“]*”)"
_SLASH = re.compile(rf"/{_OUTSIDE_BRACKETS}")
_COMMA = re.compile(rf",{_OUTSIDE_BRACKETS}")
_FRENCH = re.compile(
    r"[àâçéèêëîïôœùûü]|\b(?:de|des|du|la|le|les|et|institut|banque|service|\w+ienne)\b|\b[dl]['’]",
    re.IGNORECASE,
)
_ACRONYM = re.compile(r"[A-Z]{3,}")
_LANGUAGE = (
    r"(?:Arabic|Belarusian|Burmese|Chinese|Dari|English|Farsi|French|Georgian|Hebrew|Korean|Pashto"
    r"|Persian|Russian|Serbian|Spanish|Ukrainian)"
)
_ALIAS_END = re.compile(rf";|\s*\|\s*|\s+/\s+|(?=\b{_LANGUAGE}\s*:)")
_LABEL = re.compile(rf"{_LANGUAGE}\s*:\s*")
_LEGAL_FORMS = frozenset({"co", "corp", "fsue", "inc", "jsc", "llc", "llp", "ltd", "ojsc", "pjsc", "plc", "s.a", "tov"})
# The schedules of the regulations have it after the name, as does the list that is derived from them.
_BIRTH = re.compile(r"(?P<name>.+?)(?:,| ?\()\s*(?:born(?: in)?|date of birth:) (?P<birth>.+?)\)?")


def split_languages(text: str) -> tuple[str, str | None]:
    """Split `Russia / Russie` into English and French; return the whole and None for a text in one language.

    A slash without spaces counts only between a text that is not French and one that is (`Iranian Navy/Force navale iranienne`), or
    between two acronyms; `Victory/Pobeda Political Bloc` and `M/V Maria` stay whole.
    """
    found = _SPACED.search(text) or _SLASH.search(text)
    if found is None:
        return text, None
    left, right, tight = text[: found.start()], text[found.end() :], found[0] == "/"
    whole = not left or not right or (tight and not _are_two_languages(left, right))
    return (text, None) if whole else (left, right)


def _are_two_languages(left: str, right: str) -> bool:
    acronyms = _ACRONYM.fullmatch(left) is not None and _ACRONYM.fullmatch(right) is not None
    return acronyms or (_FRENCH.search(left) is None and _FRENCH.search(right) is not None)


def split_aliases(text: str) -> list[str]:
    """Return the names in an alias text, in order, without the language labels (`Russian: …`).

    A semicolon always separates. So does a comma outside brackets and quotation marks, except before a bare legal form: the 22
    alias texts with a comma in the two files are all lists, while `…, JSC` is how many entity names end.
    """
    names: list[str] = []
    for part in _ALIAS_END.split(text):
        for half in split_languages(_LABEL.sub("", part)):
            names += _split_at_commas(half) if half is not None else []
    return list(dict.fromkeys(names))


def _split_at_commas(text: str) -> list[str]:
    names: list[str] = []
    for piece in map(_strip_brackets, _COMMA.split(text)):
        if names and piece.rstrip(".").casefold() in _LEGAL_FORMS:
            names[-1] = f"{names[-1]}, {piece}"
        elif piece:
            names.append(piece)
    return names


def _strip_brackets(piece: str) -> str:
    """Remove spaces, brackets around the whole text, and brackets left unbalanced by the splitting."""
    piece = piece.strip()
    enclosed = piece.startswith("(") and piece.endswith(")")
    return piece.strip("() ") if enclosed or piece.count("(") != piece.count(")") else piece


def split_birth(name: str) -> tuple[str, str | None]:
    """Split `Ana Example, born May 4, 1950` into name and date of birth; return the whole and None for other names."""
    found = _BIRTH.fullmatch(name)
    return (found["name"], found["birth"]) if found is not None else (name, None)
