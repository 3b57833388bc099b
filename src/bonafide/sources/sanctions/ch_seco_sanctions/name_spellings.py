"""A name of the Swiss list put together from its parts, in each of the spellings that the list gives for them.

Parts stand in the list's own order, the family name first; titles are not part of a name. How good a name is `listing` decides.
"""

from collections import defaultdict
from itertools import islice, product

from bonafide.sources.formats.delimited_text import normalize_whitespace
from bonafide.sources.formats.xml_elements import Element

MAX_SPELLINGS = 24
"""Of one name in one language and script: three parts in a few spellings each make as many."""
TITLE = "title"
_AS_GIVEN = ("", "")
_NamePart = dict[tuple[str, str], list[str]]
"""The spellings of one part, by language and script."""


def build_spellings(name: Element) -> list[str]:
    """The name as given, then in other spellings; what a spelling doesn't cover stands as given. Empty for a name without parts."""
    parts = [_read_part(part) for part in _sort_parts(name) if part.get("name-part-type") != TITLE]
    ways = list(dict.fromkeys([_AS_GIVEN, *(way for part in parts for way in part)]))
    found: list[str] = []
    for way in ways:
        choices = [part.get(way, part.get(_AS_GIVEN, [])) for part in parts]
        found += [" ".join(choice) for choice in islice(product(*filter(None, choices)), MAX_SPELLINGS)]
    return list(dict.fromkeys(filter(None, found)))


def read_titles(name: Element) -> list[str]:
    """The titles among the parts of a name."""
    parts = [_read_part(part) for part in name.findall("{*}name-part") if part.get("name-part-type") == TITLE]
    return [text for part in parts for text in part.get(_AS_GIVEN, [])]


def _sort_parts(name: Element) -> list[Element]:
    return sorted(name.findall("{*}name-part"), key=lambda part: int(part.get("order") or 0))


def _read_part(element: Element) -> _NamePart:
    part: _NamePart = defaultdict(list)
    for value in element.findall("{*}value"):
        part[_AS_GIVEN] += filter(None, [normalize_whitespace(value.text)])
    for variant in element.findall("{*}spelling-variant"):
        part[variant.get("lang") or "", variant.get("script") or "?"] += filter(None, [normalize_whitespace(variant.text)])
    return part
