"""The list's way of writing aliases: several names in one text, another script in brackets, remarks where names should be.

Each rule was held against the files of 2020, 2025 and 2026; what may as well be part of a name stays in it.
"""

import re
from collections.abc import Iterator

from bonafide.sources.shared.lists.name_variants import expand_bracket_forms, split_by_script, strip_quotes

_SEPARATOR = re.compile(r";|(?:^|\s)[a-e]\)\s")
_REMARK = re.compile(
    r"\s*\((?:previously|formerly|original script\)|birth name|combat name|false|nom de guerre|third\)|[A-Z]{2}[ie]\.\d+\))"
    r"[^()]*\)?",
    re.IGNORECASE,
)
"""Brackets that hold no name."""
_NAME_COMMENT = re.compile(r"\s*-\s*sub-unit name\b|original script:|,\s*born\b.*|^\(original script\)", re.IGNORECASE | re.DOTALL)
_NOTED_SCRIPT = re.compile(r"\b(?:original script|in arabic(?: script)?):\s*(?P<name>[^;.()]+)", re.IGNORECASE)
_NOTED_NAMES = re.compile(r"[^():\d.]+(?:;[^():\d.]+)+")
"""A note that is a list of names; any other is a remark."""
_SLASH = re.compile(r"\s+/\s+|\s*;\s*")


def split_alias_names(text: str) -> Iterator[str]:
    """The names in the text of one alias, in order: `Anna; Ana`, `Анна (Anna; Ana)`, `Anna (original script: Анна)`."""
    text = _NAME_COMMENT.sub(" ", _REMARK.sub("", text))
    for written in split_by_script(text):
        for piece in _SEPARATOR.split(written):
            name = strip_quotes(_strip_unbalanced_bracket(" ".join(piece.split()).strip(" ,")))
            if name:
                yield name


def extract_noted_names(note: str) -> Iterator[str]:
    """The names in an alias's note, in another script or several at once."""
    found = _NOTED_SCRIPT.search(note)
    if found is not None:
        yield " ".join(found["name"].split())
    elif _NOTED_NAMES.fullmatch(note) is not None:
        yield from split_alias_names(note)


def split_entity_names(text: str) -> tuple[str, list[tuple[str, bool]]]:
    """The main name of an entity, and the others in its name field, each with whether it is a bare abbreviation.

    `EXAMPLE COMPANY (EC) ; COMPAGNIE EXEMPLE` has two names, and each of them its form without brackets.
    """
    main, *others = (piece for piece in _SLASH.split(text) if piece)
    named = [(other, other.isupper() and " " not in other) for other in others]
    return main, [*expand_bracket_forms(main), *named, *(form for other in others for form in expand_bracket_forms(other))]


def _strip_unbalanced_bracket(text: str) -> str:
    """Without a bracket that the splitting left alone."""
    return text.strip("() ") if text.count("(") != text.count(")") else text
