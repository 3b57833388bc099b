"""Find legal names in a page's text: next to ©, "operated by", "doing business as", "Raison sociale", an address or a licence.

A name is a legal name if it has a legal form or if the page labels it explicitly; a trade name alone is not. Web designers,
photographers and providers of embedded services are not owners of the site.
"""

import re
from collections.abc import Iterator, Sequence
from enum import IntEnum
from itertools import islice
from typing import Final

from bonafide.matching.names.normalization import normalise
from bonafide.matching.text.folding import fold
from bonafide.model.search.website import FoundBy
from bonafide.website.extraction.name_boundaries import NameSpan, find_name_after, find_name_before, is_business_name
from bonafide.website.extraction.page_statement import PageStatement, cut_snippet
from bonafide.website.extraction.third_parties import introduces_third_party, is_about_site_maker
from bonafide.website.page_content.visible_text import INLINE, LINK, TextLine, VisiblePage
from bonafide.website.tables import PAGE_TERMS

MAX_STATEMENTS: Final = 200
"""The maximum number of name statements per page."""
MAX_MARKS: Final = 5
"""The maximum number of markers of one kind examined per line."""


class NameStrength(IntEnum):
    """The strength of a name statement, weakest first."""

    OPERATOR_WITHOUT_FORM = 1
    BESIDE_ADDRESS = 2
    """Next to an address or a licence."""
    BRAND = 3
    """Anywhere in the text, if it equals the site's brand apart from the legal form."""
    NAME = 4
    """A structured `name` with a legal form."""
    OPERATOR = 5
    COPYRIGHT = 6
    LOCATION = 7
    """The operator of one location of a chain; the © may name the chain."""
    LABELLED = 8
    """ "Raison sociale: …"."""
    LEGAL_NAME = 9
    """A structured `legalName`."""


_TABLE: dict[str, list[str]] = PAGE_TERMS["legal_names"]


def compile_patterns(patterns: Sequence[str], around: str) -> re.Pattern[str]:
    """Compile several patterns into one case-insensitive pattern; they replace `{}` in `around`."""
    return re.compile(around.format("|".join(patterns)), re.IGNORECASE)


_AFTER = compile_patterns(_TABLE["after"], r"\b(?:{})(?=[\s\x1e\x1f:])[\s\x1e\x1f:]*+")
_OWNER = compile_patterns(_TABLE["owner"], r"\b(?:{})(?=[\s\x1e\x1f:A-Z])[\s\x1e\x1f:]*+")
_LOCATION = compile_patterns(_TABLE["location"], r"\b(?:{})(?=[\s\x1e\x1f:])[\s\x1e\x1f:]*+")
_LABEL = compile_patterns(_TABLE["label"], r"^\W*(?:{})\s*+(?:[:：–—-]|[\x1e\x1f]|$)[\s\x1e\x1f:]*+")
_BEFORE = compile_patterns(_TABLE["before"], r"(?<![\w/])(?:{})")
_ENDS = compile_patterns(_TABLE["ends"], r"(?<!\w)(?:{})|[|•·\x1e]| [-–—] ")
_RESERVED = re.compile(r"all\s+rights\s+reserved|tous\s+droits\s+r[ée]serv[ée]s", re.IGNORECASE)
_COPYRIGHT = re.compile(r"©|\(c\)(?=\s*(?:\d{4}|[A-ZÀ-Ý]))|\bcopyright\b|\bdroits?\s+d['’]auteur\b", re.IGNORECASE)
_BEHIND_COPYRIGHT = re.compile(
    r"(?:[\s\x1e\x1f,.:|©–—-]++|\(c\)|copyright\b|(?:19|20)\d\d\b|(?:present|présent|aujourd['’]hui)\b|(?:by|par|to|à)\b)*+",
    re.IGNORECASE,
)
_YEARS_AT_END = re.compile(r"(?:[\s,–—-]|(?:19|20)\d\d\b|\bcopyright\b|\(c\))+$", re.IGNORECASE)
_HINTS = (
    "©", "(c)", "copyright", "auteur", "rights", "droits", "operat", "owned", "belongs", "appartient", "between",
    "entre", "division", "name", "propri", "exploi", "affaire", "site", "business", "o/a", "d/b", "dba", "d.b.a", "t/a",
    "trading", "opér", "oper", "géré", "gere", "nom", "raison", "legal", "légal",
    "édit", "edit", "publish", "activit", "licen", "liability", "professional", "responsab", "collectif", "par actions",
    '("', "(“", "(«", "('", "(’", "(we", "(us", "(our", "(the", "(nous", "(la", "(l'", "(l’",
    "(here", "(ci", "f.a.s",
)  # fmt: skip
"""Every line with an ownership marker contains one of these; a fast filter for all other lines."""
_ADDRESS_LINE = re.compile(r"^#?\d{1,6}[\w-]*,? [\w.]|^(?:unit|suite|p\.? ?o\.?|c\.? ?p\.?|box|bureau|local)\b", re.IGNORECASE)
_LINES_BETWEEN = 2
"""The maximum number of lines between a name and its address, such as "Head Office"."""
_LONGEST_BETWEEN = 40
_NAMED = re.compile(
    r"[A-ZÀ-Ý0-9][^\n]{0,160}?(?i:\b(?:inc|ltd|lt[ée]e|limited|limit[ée]e|corp|corporation|incorporated|llp|ulc|cie|company|s\.?e\.?n\.?c)\b)"
)
"""The start of a line that may begin with a name; a fast filter for all other lines."""
_LICENCE_BEHIND = re.compile(
    r"[\s,.;|(–—-]*+(?:[A-Z][\w.]{1,20}\s){0,3}(?i:licen[cs]ed?|lic\.|permit|permis|registration|certificate)\b(?:[^.;]|\b[Nn]o\.){0,40}?\d{3}"
    r"|[\s,.;|(–—-]*+[A-Z]{2,6}(?:/[A-Z]{2,6})?\s(?:#|[Nn]o\.?)?\s?\d{4}"
    r"|,\s(?i:brokerage|maison de courtage|agence immobili[èe]re|real estate agency)\b"
)
"""The licence that a regulated firm shows after its name."""
_ADDRESS_BEHIND = re.compile(r"\s*+[|•·,–—-]\s*+(?=#?\d|unit|suite|p\.? ?o\.?|c\.? ?p\.?|box|bureau|local)", re.IGNORECASE)
_POSTAL_CODE = re.compile(r"\b[A-Z]\d[A-Z] ?\d[A-Z]\d\b")
_BRACKETED = re.compile(r"^[^()]{2,80}\(([^()]{4,160})\)$")
"""A line that consists of a trade name with its owner in parentheses."""
_TRADE_NAME_FORM = "regd"
"""The suffix of a trade name registered in Quebec; the legal name of its owner is different."""
_SERVICES = tuple[str, ...](PAGE_TERMS["others"]["services"])
_FIRMS = frozenset[str](PAGE_TERMS["others"]["firms"])
_NOT_OWN = re.compile(rf"\b(?:{'|'.join(PAGE_TERMS['not_own_copyright'])})s?\b")
_NEAR = 60
"""How many characters before a marker are checked for what it refers to, such as a picture."""


def find_legal_names(page: VisiblePage) -> Iterator[PageStatement[str]]:
    """Yield every statement of a legal name in the text of a page; a name may occur several times."""
    count = 0
    whole = "\n".join(line.text for line in page.lines).lower()
    hints = [hint for hint in _HINTS if hint in whole]
    for place, line in enumerate(page.lines):
        if line.others:
            continue
        for run, strength in _find_on_line(page.lines, place, hints):
            if count < MAX_STATEMENTS and not is_known_firm(run.text, page.url):
                count += 1
                snippet = cut_snippet(line.text, line.text.find(run.text))
                yield PageStatement(run.text, page.url, FoundBy.TEXT, snippet, rate_name(run.text, strength))


def rate_name(name: str, strength: NameStrength) -> NameStrength:
    """Adjust the strength of a statement to its name: a trade name is weak wherever it occurs."""
    is_trade_name = normalise(name).legal_forms == (_TRADE_NAME_FORM,) and strength < NameStrength.LABELLED
    return min(strength, NameStrength.OPERATOR_WITHOUT_FORM) if is_trade_name else strength


def is_known_firm(name: str, url: str) -> bool:
    """Whether a name is that of a well-known service and the site is not its own."""
    words = fold(name).split()
    first = "".join(filter(str.isalnum, words[0])) if words else ""
    return first in _FIRMS and first not in url.lower()


def _find_on_line(lines: Sequence[TextLine], place: int, hints: Sequence[str]) -> Iterator[tuple[NameSpan, NameStrength]]:
    line = lines[place]
    plain = line.text.lower()
    if any(hint in plain for hint in hints):
        yield from _find_copyright_owners(line)
        yield from _find_operators(line)
        yield from _find_labelled(lines, place)
        yield from _find_traders(line)
    bracketed = _BRACKETED.match(line.text)
    if bracketed is not None and is_business_name(bracketed[1]):
        yield NameSpan(bracketed[1], has_form=True), NameStrength.OPERATOR
    if _is_third_party_name(lines, place):
        return
    if _is_above_address(lines, place):
        yield NameSpan(line.text.rstrip(",;: "), has_form=True), NameStrength.BESIDE_ADDRESS
    else:
        yield from _find_beside_licence(line)


def _find_copyright_owners(line: TextLine) -> Iterator[tuple[NameSpan, NameStrength]]:
    """The owner next to ©, else next to "all rights reserved"."""
    marks = list(islice(_COPYRIGHT.finditer(line.marked), MAX_MARKS)) or list(islice(_RESERVED.finditer(line.marked), 1))
    for mark in marks:
        found = _find_beside_copyright(line.marked, mark)
        if found is not None and found.has_form:
            yield found, NameStrength.COPYRIGHT


def _find_beside_copyright(text: str, mark: re.Match[str]) -> NameSpan | None:
    """The name after a mark, else the one before it; None if it credits a photographer or web designer."""
    said = text[: mark.start()]
    if _NOT_OWN.search(fold(said[-_NEAR:])) is not None:
        return None
    behind = _BEHIND_COPYRIGHT.match(text, mark.end())
    rest = text[behind.end() if behind is not None else mark.end() :]
    if _NOT_OWN.match(fold(rest[:_NEAR])) is not None:
        return None
    found = find_name_after(cut_at_end(rest), any_case=True)
    if (found is not None and found.has_form) or is_about_site_maker(said):
        return found
    before = (part for part in reversed(re.split(r"[|•·\x1e]", said)) if part.strip(f" {INLINE}"))
    return find_name_before(_strip_years(next(before, "")))


def _strip_years(text: str) -> str:
    """Strip years from the end of a text."""
    return text[:-_NEAR] + _YEARS_AT_END.sub("", text[-_NEAR:])


def _find_operators(line: TextLine) -> Iterator[tuple[NameSpan, NameStrength]]:
    text = line.marked.replace(INLINE, "")
    for pattern, strength in ((_LOCATION, NameStrength.LOCATION), (_AFTER, NameStrength.OPERATOR), (_OWNER, NameStrength.OPERATOR)):
        for mark in islice(pattern.finditer(text), MAX_MARKS):
            found = find_name_after(cut_at_end(text[mark.end() :])) if not _is_about_service(text[: mark.start()]) else None
            if found is not None and found.has_form:
                yield found, strength
            elif found is not None and pattern is _AFTER and _is_whole_clause(found.text, text[mark.end() :]):
                yield found, NameStrength.OPERATOR_WITHOUT_FORM


def _find_labelled(lines: Sequence[TextLine], place: int) -> Iterator[tuple[NameSpan, NameStrength]]:
    text = lines[place].marked
    label = _LABEL.match(text)
    if label is None:
        return
    rest = text[label.end() :]
    if not rest.strip() and place + 1 < len(lines):
        rest = lines[place + 1].marked
    found = find_name_after(cut_at_end(rest).replace(INLINE, ""), any_case=True)
    if found is not None:
        yield found, NameStrength.LABELLED


def _find_traders(line: TextLine) -> Iterator[tuple[NameSpan, NameStrength]]:
    text = line.text
    for mark in islice(_BEFORE.finditer(text), MAX_MARKS):
        found = find_name_before(text[: mark.start()].rstrip(" ,(–—-"))
        if found is not None:
            yield found, NameStrength.OPERATOR


def _is_above_address(lines: Sequence[TextLine], place: int) -> bool:
    """Whether a line is a single name above an address, with at most a few short lines between; lists of names do not count."""
    if not is_business_name(lines[place].text) or (place > 0 and is_business_name(lines[place - 1].text)):
        return False
    for line in lines[place + 1 : place + 2 + _LINES_BETWEEN]:
        if _ADDRESS_LINE.search(line.text) is not None:
            return True
        if len(line.text) > _LONGEST_BETWEEN or is_business_name(line.text):
            break
    return False


def _is_third_party_name(lines: Sequence[TextLine], place: int) -> bool:
    """Whether a line, or a short one above it, begins with words that introduce a third party."""
    above = lines[place - 1].text if place > 0 else ""
    return introduces_third_party(lines[place].text) or (len(above) <= _NEAR and introduces_third_party(above))


def _find_beside_licence(line: TextLine) -> Iterator[tuple[NameSpan, NameStrength]]:
    """The name at the start of a line, if its licence or address follows."""
    text = line.text
    found = find_name_after(text) if _NAMED.match(text) is not None else None
    if found is None or not found.has_form or not text.startswith(found.text):
        return
    end = len(found.text)
    is_placed = _ADDRESS_BEHIND.match(text, end) is not None and _POSTAL_CODE.search(text, end) is not None
    if is_placed or _LICENCE_BEHIND.match(text, end) is not None:
        yield found, NameStrength.BESIDE_ADDRESS


def cut_at_end(text: str) -> str:
    """Cut a text where another topic begins: another link, the terms, the web designer."""
    while text[:1] in {LINK, INLINE, " "} and text:
        text = text[1:]
    end = _ENDS.search(text)
    return (text[: end.start()] if end is not None else text).replace(INLINE, "")


def _is_about_service(before: str) -> bool:
    """Whether the sentence is about a third-party service: "Google Analytics, a service operated by …"."""
    sentence = re.split(r"[.!?]\s", before[-2 * _NEAR :])[-1]
    # A capitalized word is part of a name: "Maple Auto Service is operated by …".
    small = fold(" ".join(word for word in sentence.split() if not word[0].isupper()))
    return any(word in small for word in _SERVICES)


def _is_whole_clause(name: str, text: str) -> bool:
    """Whether a sentence or clause ends after the name."""
    return re.match(r"\s*(?:$|[.,;(|\x1e–—-])", text[len(name) :]) is not None and text.startswith(name)
