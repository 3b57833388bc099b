"""The names of a site's owner: its legal name, the names that it uses, and the brands that the site goes by.

Statements come from `legal_names`, `schema_org`, and running text that holds a brand with a legal form ("Maple Bakery Ltd. was
founded …") or says whose trademark it is. The surest legal name is chosen; a doubt is no name, and nothing is put together from
several statements.
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
"""Characters."""


@dataclass(frozen=True, slots=True)
class OwnerNames:
    """The names of a business, folded, their words without legal forms, and the brands that the site goes by (`collect_brands`)."""

    folded: frozenset[str]
    words: frozenset[str]
    brands: frozenset[str] = frozenset()

    def may_match_owner(self, name: str) -> bool:
        """Whether a name shares a word with one of its own; any may where no own name is known."""
        return not self.words or not self.words.isdisjoint(normalise(name).core)

    def resembles_owner(self, name: str) -> bool:
        """Whether a name shares a word with one of its own, or with a brand; any does where none is known."""
        words = normalise(name).core
        is_known = bool(self.words or self.brands)
        return not is_known or not self.words.isdisjoint(words) or any(word in brand for word in words for brand in self.brands)

    def has(self, name: str) -> bool:
        """Whether a name is one of its own."""
        return normalize_text(name) in self.folded or "".join(normalise(name).core) in self.brands


def collect_owner_names(trade_names: Iterable[str], legal: StatementGroup[str] | None, brands: frozenset[str]) -> OwnerNames:
    """All names of the business: what bears one of them is its own, and no person's."""
    names = [*trade_names, *([legal.best.value] if legal is not None else [])]
    words = frozenset(word for name in names for word in normalise(name).core)
    return OwnerNames(frozenset(map(normalize_text, names)), words, brands)


def normalize_text(text: str) -> str:
    """A text in plain small letters, to know it again."""
    return " ".join(fold(text).split())


def choose_legal_name(statements: Iterable[PageStatement[str]]) -> StatementGroup[str] | None:
    """The statements of the legal name that are surest, and among equals on the most pages; None where there are none."""
    stated = [name for name in statements if len(name.value) <= LONGEST_NAME]
    groups = group_statements(stated, lambda name: normalise(name).core, _rate_spelling)
    sure = [group for group in groups if _get_best_strength(group) > NameStrength.BESIDE_ADDRESS]
    if not sure and len(groups) > 1:
        return None  # several businesses, and nothing tells which of them has the site
    return max(sure or groups, key=_rank_group, default=None)


def _rate_spelling(name: PageStatement[str]) -> tuple[int, int, bool]:
    """The spelling with all its legal forms ("… Company Limited"), then the surest, then one that is not in capitals."""
    return len(normalise(name.value).legal_forms), name.strength, not name.value.isupper()


def _rank_group(group: StatementGroup[str]) -> tuple[int, int]:
    return _get_best_strength(group), len({statement.page for statement in group.statements})


def _get_best_strength(group: StatementGroup[str]) -> int:
    return max(statement.strength for statement in group.statements)


MAX_FORMS: Final = 500
"""Legal forms of one page before which a name is looked for."""
MAX_ON_LINE: Final = 5
SHORTEST: Final = 4
"""Letters of a brand that can be told from other words."""

FORM = re.compile(
    r"(?<!\w)(?:inc|ltd|lt[ée]e|limited|limit[ée]e|corp|corporation|incorporated|llp|llc|ulc|cie|company|s\.?e\.?n\.?c\.?(?:r\.?l\.?)?)(?!\w)\.?",
    re.IGNORECASE,
)
"""A legal form, as far as it is one of those that nearly all firms have."""
_TITLE_PARTS = re.compile(r"\s+[|•·–—:-]\s+|\s*[|•·]\s*")
_OWNER_OF_MARK = compile_patterns(PAGE_TERMS["legal_names"]["marks"], r"\b(?:{})\s++")
_MARKED_CHARACTERS = 120
"""Characters before these words in which it is said whose mark is meant."""
_NO_BRANDS = frozenset({"www", "home", "about", "contact"})


def collect_brands(names: Iterable[str], titles: Iterable[str], url: str) -> frozenset[str]:
    """What a site goes by, as words without spaces and legal forms: by its own data, the parts of its titles, its host."""
    parts = [part for title in titles for part in _TITLE_PARTS.split(title)]
    found = {_squash_name(name) for name in (*names, *parts)} | set(map(_keep_letters, _get_host(url).split(".")))
    return frozenset(brand for brand in found - _NO_BRANDS if len(brand) >= SHORTEST)


def find_names_like_brands(page: VisiblePage, brands: frozenset[str]) -> Iterator[PageStatement[str]]:
    """Every name with a legal form whose other words are one of the brands."""
    for line, form in islice(_find_forms(page.lines), MAX_FORMS):
        found = find_name_before(line.text[: form.end()])
        name = _match_brand(found.text, brands) if found is not None else None
        if name is not None:
            snippet = cut_snippet(line.text, form.start(), form.end())
            yield PageStatement(name, page.url, FoundBy.TEXT, snippet, rate_name(name, NameStrength.BRAND))


def find_brand_owners(page: VisiblePage, brands: frozenset[str]) -> Iterator[PageStatement[str]]:
    """Every name with a legal form whose trademark the page says one of the brands to be."""
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
    """The name, or its end behind words that begin a sentence ("At Maple Bakery Ltd."), if it is one of the brands."""
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
