"""Determine the names of a site's owner: the legal name, trade names, and the brands of the site.

Statements come from `legal_names`, `schema_org`, and running text that contains a brand with a legal form ("Maple Bakery Ltd. was
founded …") or names the owner of a trademark. The strongest legal name is chosen. If the statements are ambiguous, no name is
chosen; a name is never combined from several statements.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final
from urllib.parse import urlsplit

from bonafide.matching.names.normalization import normalise
from bonafide.matching.text.folding import fold
from bonafide.model.search.website import FoundBy
from bonafide.website.extraction.legal_names import NameStrength, compile_patterns, cut_at_end, rate_name
from bonafide.website.extraction.name_boundaries import find_name_after, find_name_before
from bonafide.website.extraction.page_statement import PageStatement, StatementGroup, cut_snippet, group_statements
from bonafide.website.page_content.visible_text import INLINE, TextLine, VisiblePage
from bonafide.website.tables import PAGE_TERMS

LONGEST_NAME: Final = 200
"""The maximum length of a name."""


@dataclass(frozen=True, slots=True)
class OwnerNames:
    """The folded names of a business, their words without legal forms, and the site's brands (`collect_brands`)."""

    folded: frozenset[str]
    words: frozenset[str]
    brands: frozenset[str] = frozenset()

    def may_match_owner(self, name: str) -> bool:
        """Whether a name shares a word with one of the owner's names; True if no name of the owner is known."""
        return not self.words or not self.words.isdisjoint(normalise(name).core)

    def resembles_owner(self, name: str) -> bool:
        """Whether a name shares a word with one of the owner's names or brands; True if none is known."""
        words = normalise(name).core
        is_known = bool(self.words or self.brands)
        return not is_known or not self.words.isdisjoint(words) or any(word in brand for word in words for brand in self.brands)

    def has(self, name: str) -> bool:
        """Whether a name is one of the owner's names."""
        return normalize_text(name) in self.folded or "".join(normalise(name).core) in self.brands


def collect_owner_names(trade_names: Iterable[str], legal: StatementGroup[str] | None, brands: frozenset[str]) -> OwnerNames:
    """Collect all names of the business, which are never names of people or third parties."""
    names = [*trade_names, *([legal.best.value] if legal is not None else [])]
    words = frozenset(word for name in names for word in normalise(name).core)
    return OwnerNames(frozenset(map(normalize_text, names)), words, brands)


def normalize_text(text: str) -> str:
    """Fold a text to plain lower-case letters for comparison."""
    return " ".join(fold(text).split())


def choose_legal_name(statements: Iterable[PageStatement[str]]) -> StatementGroup[str] | None:
    """The strongest legal name, among equals the one on the most pages; None if there is none or if it is ambiguous."""
    stated = [name for name in statements if len(name.value) <= LONGEST_NAME]
    groups = group_statements(stated, lambda name: normalise(name).core, _rate_spelling)
    sure = [group for group in groups if _get_best_strength(group) > NameStrength.BESIDE_ADDRESS]
    if not sure and len(groups) > 1:
        return None  # several businesses, and no indication which one owns the site
    return max(sure or groups, key=_rank_group, default=None)


def _rate_spelling(name: PageStatement[str]) -> tuple[int, int, bool]:
    """Prefer the spelling with all legal forms ("… Company Limited"), then the strongest, then one that is not in capitals."""
    return len(normalise(name.value).legal_forms), name.strength, not name.value.isupper()


def _rank_group(group: StatementGroup[str]) -> tuple[int, int]:
    return _get_best_strength(group), len({statement.page for statement in group.statements})


def _get_best_strength(group: StatementGroup[str]) -> int:
    return max(statement.strength for statement in group.statements)


MAX_FORMS: Final = 500
"""The maximum number of legal forms examined per page."""
MAX_ON_LINE: Final = 5
SHORTEST: Final = 4
"""The minimum length of a brand; shorter ones are indistinguishable from other words."""

FORM = re.compile(
    r"(?<!\w)(?:inc|ltd|lt[ée]e|limited|limit[ée]e|corp|corporation|incorporated|llp|llc|ulc|cie|company|s\.?e\.?n\.?c\.?(?:r\.?l\.?)?)(?!\w)\.?",
    re.IGNORECASE,
)
"""The most common legal forms."""
_TITLE_PARTS = re.compile(r"\s+[|•·–—:-]\s+|\s*[|•·]\s*")
_OWNER_OF_MARK = compile_patterns(PAGE_TERMS["legal_names"]["marks"], r"\b(?:{})\s++")
_MARKED_CHARACTERS = 120
"""How many characters before these words may contain the trademark."""
_NO_BRANDS = frozenset({"www", "home", "about", "contact"})


def collect_brands(names: Iterable[str], titles: Iterable[str], url: str) -> frozenset[str]:
    """The brands of a site, without spaces and legal forms: from its structured data, the parts of its titles, and its host."""
    parts = [part for title in titles for part in _TITLE_PARTS.split(title)]
    found = {_squash_name(name) for name in (*names, *parts)} | set(map(_keep_letters, _get_host(url).split(".")))
    return frozenset(brand for brand in found - _NO_BRANDS if len(brand) >= SHORTEST)


def find_names_like_brands(page: VisiblePage, brands: frozenset[str]) -> Iterator[PageStatement[str]]:
    """Yield every name that consists of a brand and a legal form."""
    for line, form in islice(_find_forms(page.lines), MAX_FORMS):
        found = find_name_before(line.text[: form.end()])
        name = _match_brand(found.text, brands) if found is not None else None
        if name is not None:
            snippet = cut_snippet(line.text, form.start(), form.end())
            yield PageStatement(name, page.url, FoundBy.TEXT, snippet, rate_name(name, NameStrength.BRAND))


def find_brand_owners(page: VisiblePage, brands: frozenset[str]) -> Iterator[PageStatement[str]]:
    """Yield every name with a legal form that the page states to own the trademark of a brand."""
    for line in page.lines:
        text = line.marked.replace(INLINE, "")
        for mark in islice(_OWNER_OF_MARK.finditer(text), MAX_ON_LINE) if not line.others else ():
            subject = _keep_letters(fold(text[max(mark.start() - _MARKED_CHARACTERS, 0) : mark.start()]))
            found = find_name_after(cut_at_end(text[mark.end() :]))
            if found is not None and found.has_form and any(brand in subject for brand in brands):
                snippet = cut_snippet(line.text, line.text.find(found.text))
                yield PageStatement(found.text, page.url, FoundBy.TEXT, snippet, rate_name(found.text, NameStrength.OPERATOR))


def _find_forms(lines: Iterable[TextLine]) -> Iterator[tuple[TextLine, re.Match[str]]]:
    for line in lines:
        for form in islice(FORM.finditer(line.text), MAX_ON_LINE) if not line.others else ():
            yield line, form


def _match_brand(name: str, brands: frozenset[str]) -> str | None:
    """The name, or its end after the first words of a sentence ("At Maple Bakery Ltd."), if it is a brand."""
    if not any(brand in _squash_name(name) for brand in brands):
        return None
    words = name.split()
    ends = (" ".join(words[first:]) for first in range(len(words) - 1))
    return next((end for end in ends if _squash_name(end) in brands), None)


def _squash_name(name: str) -> str:
    return "".join(normalise(name).core)


def _keep_letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))


def _get_host(url: str) -> str:
    try:
        return (urlsplit(url).hostname or "").rpartition(".")[0]
    except ValueError:
        return ""
