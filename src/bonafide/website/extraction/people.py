"""Find people in a page's text: a name next to or below a role, in team cards, lists, tables and sentences, English and French.

Names without a role are ignored. `extractor` merges statements about the same person.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import dropwhile, groupby, islice
from typing import Final

from bonafide.matching.text.folding import fold
from bonafide.model.search.website import FoundBy, WebsitePerson
from bonafide.website.extraction.name_boundaries import find_name_after
from bonafide.website.extraction.owner_names import OwnerNames, normalize_text
from bonafide.website.extraction.page_statement import PageStatement, cut_snippet, join_snippet
from bonafide.website.extraction.person_recognition import (
    CONTRACTION,
    LONGEST_ROLE,
    NO_WORD,
    ROLE_WORDS,
    contains_business_name,
    is_credential,
    is_degree,
    is_role,
    parse_page_person_name,
)
from bonafide.website.page_content.visible_text import LINK, TextLine, VisiblePage

MAX_PEOPLE: Final = 200
"""The maximum number of people per page."""
MAX_SENTENCES: Final = 20
"""The maximum number of names examined per line."""
_LONGEST_LINE = 120
_LONGEST_DEGREES = 40
"""The maximum length of a line of degrees between a name and a role."""
_SEPARATOR = re.compile(r"\s*[|•·\x1e\x1f()]+\s*|\s+[–—-]\s+|\s*:\s+|,\s+|\s+/\s+")
_QUOTED = re.compile(r"^\s*[\"“«‘—–-]|[\"”»]\s*$")
_CAPITAL = r"[A-ZÀ-ÖØ-Þ](?:\.|[^\W\d_]*(?:[-'’][^\W\d_]+)*)"
_IN_SENTENCE = re.compile(
    rf"(?<![\w.-])(?:(?:Dre?|Me|Mrs?|Ms|Mme|Prof)\.? )?{_CAPITAL}(?: (?:{_CAPITAL}|de|la|du|le|van|von|der|den)){{1,4}}"
)
_ROLE_BEHIND = re.compile(
    r"(?:,\s[A-Z]{2,5})*+(?:,\s(?:who is |qui est )?(?:our |the |notre |le |la |l['’])?| is our | est notre )([^,.;:()!?]{3,60}?)"
    r"(?=[,.;:()!?]|$| and | et | who | qui | has | is | will | est | a | at | chez )"
)
_PRONOUNS = re.compile(
    r"\s*\(?\b(?:she|he|they|elle|il|iel)\s?/\s?(?:her|hers|him|his|they|them|theirs|elle|il|lui|iel)(?:\s?/\s?\w{2,6})?\b\)?",
    re.IGNORECASE,
)
"""Pronouns between a name and a role."""
_CONTACT = re.compile(r"@|\d{3}\D{0,3}\d{4}")
_OF_FIRM = re.compile(r",? (?:of|from|at|with|de|chez) (?=[A-ZÀ-ÖØ-Þ0-9])")
_DETERMINERS = frozenset({
    "our", "notre", "the", "le", "la", "l", "with", "avec", "by", "par", "is", "est", "and", "et", "meet",
    "rencontrez", "de", "of",
})  # fmt: skip
"""Words that may precede a role next to a name."""
_COPULAS = frozenset({"is", "est", ":"})
_SECOND_ROLE = re.compile(
    r" (?:and|et|&) ([^,.;:()!?]{3,40}?)(?=[,.;:()!?]|$| and | et | who | qui | has | is | will | est | at | chez )"
)
_ROLE_IN_BRACKETS = re.compile(r" \(([^()]{3,60})\)")
_AT_BUSINESS = re.compile(r" (?:at|chez) (?=[A-ZÀ-ÖØ-Þ0-9])")
_LEADS = frozenset(
    {"meet", "contact", "call", "email", "ask", "see", "hi", "hello", "rencontrez", "voici", "contactez", "appelez", "bonjour"}
)
"""Capitalized words that introduce a name."""
_CREDITS = re.compile(
    r"\b(?:photo\w*|illustrat\w*|images?|design\w*|cr[eé]dits?)\s*(?:photos?\s*)?(?:by|par|:|©)\s*$", re.IGNORECASE
)
"""Words that introduce the credit of a photographer or web designer."""
_PLACE_OF_ROLE = re.compile(
    r",? (?P<at>of|at|with|for|de|du|des|chez|à|@) (?:the |la |les |le |l['’])?(?P<name>(?!Large$)[A-ZÀ-ÖØ-Þ0-9][^,]*)$"
)
_AT = frozenset({"at", "with", "chez", "à", "@"})
_ROLE_BEFORE_WORDS = 5
_BEFORE_CHARACTERS = 60
_SENTENCE_END = re.compile(r"[.;:!?]\s")


def find_people(page: VisiblePage, own: OwnerNames) -> Iterator[PageStatement[WebsitePerson]]:
    """Yield every person named with a role. `own` are the names of the business, which are never names of people."""
    count = 0
    for person, snippet in _find_people_on_lines(page.lines):
        role = _strip_own_business(person.roles[0], own)
        if count < MAX_PEOPLE and role is not None and normalize_text(person.name) not in own.folded:
            count += 1
            yield PageStatement(WebsitePerson(name=person.name, roles=(role,)), page.url, FoundBy.TEXT, snippet)


def _strip_own_business(role: str, own: OwnerNames) -> str | None:
    """Strip the business's own name from the end of a role; None for a role at another business."""
    place = _PLACE_OF_ROLE.search(role)
    if place is None or (place["at"] not in _AT and not own.has(place["name"])):
        return role
    return role[: place.start()] if own.resembles_owner(place["name"]) else None


def _find_people_on_lines(lines: Sequence[TextLine]) -> Iterator[tuple[WebsitePerson, str]]:
    kinds: list[str] = []
    lines = [line for line in map(_strip_pronouns, lines) if len(line.text) > _LONGEST_DEGREES or not is_degree(line.text)]
    for place, line in enumerate(lines):
        kind = ""
        if not line.others and not (_is_quoted(lines, place)):
            people = list(_find_on_line(line))
            kind = "" if people else _classify_line(line.text)
            if people:
                yield from people
            elif kind in {"", "role"}:
                named = list(_find_in_sentence(line.text))
                kind = "" if named else kind
                yield from named
        kinds.append(kind)
    yield from _find_alternating_lines(lines, _resolve_kinds(kinds))


def _strip_pronouns(line: TextLine) -> TextLine:
    if "/" not in line.text or len(line.text) > _LONGEST_LINE or _PRONOUNS.search(line.text) is None:
        return line
    return replace(line, text=_PRONOUNS.sub(" ", line.text).strip(), marked=_PRONOUNS.sub(" ", line.marked).strip())


def _is_quoted(lines: Sequence[TextLine], place: int) -> bool:
    """Whether the line is a quotation or its attribution."""
    if _QUOTED.search(lines[place].text) is not None:
        return True
    return place > 0 and len(lines[place - 1].text) > 1 and lines[place - 1].text[-1] in '"”»'


def _classify_line(text: str) -> str:
    """Classify a line as a name, a role, either or neither; "Fiona Baker" may be either."""
    if len(text) > LONGEST_ROLE:
        return ""
    if parse_page_person_name(text) is not None:
        return "name"
    if is_role(text):
        return "either" if parse_page_person_name(text, beside_role=True) is not None else "role"
    return ""


def _resolve_kinds(kinds: Sequence[str]) -> list[str]:
    """Resolve lines that may be either a name or a role by the lines next to them."""
    settled: list[str] = []
    for place, kind in enumerate(kinds):
        is_name = settled[-1:] != ["name"] and kinds[place + 1 : place + 2] in (["role"], ["either"])
        settled.append(kind if kind != "either" else "name" if is_name else "role")
    return settled


# ------------------------------------------------------------------------------------------------------------ lines and cards


def _find_on_line(line: TextLine) -> Iterator[tuple[WebsitePerson, str]]:
    """The person on a line of a name and a role, or the people on a line of links, each of which is a card."""
    cards = [card for card in line.marked.split(LINK) if card.strip()]
    for card in [line.marked, *(cards[:MAX_SENTENCES] if len(cards) > 1 else ())]:
        person = _parse_card(card) if len(card) <= _LONGEST_LINE else None
        if person is not None:
            yield person, cut_snippet(line.text, line.text.find(person.name))
            if card is line.marked:
                return


def _parse_card(marked: str) -> WebsitePerson | None:
    """Parse a name and a role with a separator, in either order."""
    parts = [part.strip(" ,-–—") for part in _SEPARATOR.split(marked) if part.strip(" ,-–—")]
    parts = [*parts[:1], *dropwhile(is_credential, parts[1:])]
    parts = [part for part in parts if not is_degree(part) and _CONTACT.search(part) is None]
    if len(parts) < 2:  # noqa: PLR2004 - a name and a role
        return None
    by_name = _build_person(parts[0], parts[1:])
    return by_name if by_name is not None else _build_person(parts[-1], parts[:-1])


def _build_person(name: str, role: Sequence[str]) -> WebsitePerson | None:
    """Build a person from a name and the parts of a role: the title, and optionally a department ("Vice-President, Operations")."""
    named = parse_page_person_name(name, beside_role=True)
    is_one = len(role) <= 2 and is_role(role[0]) and all(is_role(part) or _is_department(part) for part in role[1:])  # noqa: PLR2004
    return WebsitePerson(name=named, roles=(", ".join(role),)) if named is not None and is_one else None


def _is_department(text: str) -> bool:
    """Whether a text is a department: "Operations" in "Vice-President, Operations"."""
    return len(text.split()) <= 3 and not any(map(str.isdigit, text)) and not contains_business_name(text)  # noqa: PLR2004


def _find_alternating_lines(lines: Sequence[TextLine], kinds: Sequence[str]) -> Iterator[tuple[WebsitePerson, str]]:
    """People from alternating lines of names and roles. In a run of odd length, each name is followed by its role."""
    for run in _find_alternating_runs(kinds):
        first = run[0] + (len(run) % 2 == 1 and kinds[run[0]] == "role")
        for place in range(first, run[-1], 2):
            name, role = (place, place + 1) if kinds[place] == "name" else (place + 1, place)
            person = WebsitePerson(
                name=parse_page_person_name(lines[name].text, beside_role=True) or "", roles=(lines[role].text.strip(" ,;:."),)
            )
            yield person, join_snippet([lines[place].text, lines[place + 1].text])


def _find_alternating_runs(kinds: Sequence[str]) -> Iterator[list[int]]:
    """The longest runs of lines in which names and roles alternate."""
    for is_known, group in groupby(range(len(kinds)), key=lambda place: bool(kinds[place])):
        run: list[int] = []
        for place in group if is_known else ():
            if run and kinds[run[-1]] == kinds[place]:
                yield run
                run = []
            run.append(place)
        if len(run) > 1:
            yield run


# ------------------------------------------------------------------------------------------------------------ sentences


def _find_in_sentence(text: str) -> Iterator[tuple[WebsitePerson, str]]:
    """People named in a sentence: "Jane Roe, our head baker, …", "our founder Jane Roe"."""
    if ROLE_WORDS.isdisjoint(NO_WORD.split(fold(text))):
        return
    for found in islice(_IN_SENTENCE.finditer(text), MAX_SENTENCES):
        name, start = _strip_leading_role(found)
        is_ours = name is not None and not _continues_with_firm(text, found.end())
        role = _find_role_around(text, start, found.end()) if is_ours else None
        if name is not None and role is not None:
            yield WebsitePerson(name=name, roles=(role,)), cut_snippet(text, found.start(), found.end())


def _strip_leading_role(found: re.Match[str]) -> tuple[str | None, int]:
    """Strip a capitalized role from capitalized words ("President Jane Roe"); returns the name and its start."""
    words, start = found[0].split(), found.start()
    while words and (fold(words[0]) in ROLE_WORDS | _LEADS or CONTRACTION.fullmatch(words[0]) is not None):
        start += len(words.pop(0)) + 1
    return parse_page_person_name(" ".join(words), beside_role=True), start


def _find_role_around(text: str, start: int, end: int) -> str | None:
    if _CREDITS.search(text[max(start - _BEFORE_CHARACTERS, 0) : start]) is not None:
        return None
    bracketed = _ROLE_IN_BRACKETS.match(text, end)
    if bracketed is not None and is_role(bracketed[1]):
        return bracketed[1]
    behind = _ROLE_BEHIND.match(text, end)
    if behind is not None:
        role, stop = _add_second_role(text, behind)
        if is_role(role):
            return None if _is_at_other_business(text[stop:]) else _add_business(text, role, stop)
    piece = _SENTENCE_END.split(text[max(start - _BEFORE_CHARACTERS, 0) : start].rstrip(" ,"))[-1]
    words = piece.split()
    while words and words[-1].lower() in _COPULAS:
        words.pop()
    begins = [0, *(place + 1 for place, word in enumerate(words) if fold(word).strip("'") in _DETERMINERS)]
    roles = (" ".join(words[first:]) for first in begins if len(words) - first <= _ROLE_BEFORE_WORDS)
    return next((role for role in roles if is_role(role) and "(" not in role), None)


def _add_second_role(text: str, behind: re.Match[str]) -> tuple[str, int]:
    """Extend a role by a second one after "and" ("founder and head baker"); returns the roles and their end."""
    second = _SECOND_ROLE.match(text, behind.end())
    if second is None or not is_role(second[1]):
        return behind[1].strip(), behind.end()
    return f"{behind[1].strip()}{second[0]}", second.end()


def _add_business(text: str, role: str, stop: int) -> str:
    """Extend a role by its business, if named: "Partner at Maple Bakery"."""
    place = _AT_BUSINESS.match(text, stop)
    run = find_name_after(text[place.end() :]) if place is not None else None
    return f"{role}{place[0]}{run.text}" if place is not None and run is not None else role


def _continues_with_firm(text: str, end: int) -> bool:
    """Whether a firm follows the name: "Bob Li of Li LLP"."""
    place = _OF_FIRM.match(text, end)
    run = find_name_after(text[place.end() :]) if place is not None else None
    return run is not None and run.has_form


def _is_at_other_business(behind: str) -> bool:
    """Whether another business follows the role: ", Foo Inc."."""
    run = find_name_after(behind.lstrip(" ,(")) if behind[:1] in {",", "("} else None
    return run is not None and run.has_form
