"""Names in running text that are, but for their legal form, the name that the site goes by: "Maple Bakery Ltd. was founded …".

And the names of those to whom such a name belongs: "Maple Bakery is a trademark of 1234567 Ontario Inc.". It knows a site's brands
from its structured data, its titles and its address. A name that has to do with none of them says nothing here.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final
from urllib.parse import urlsplit

from bonafide.matching.names.normalization import normalise
from bonafide.matching.text.folding import fold
from bonafide.model.search.website import FoundBy
from bonafide.website.extraction.legal_names import NameStrength, compile_patterns, cut_at_end, rate_name
from bonafide.website.extraction.name_boundaries import find_name_after, find_name_before
from bonafide.website.extraction.page_statement import PageStatement, cut_snippet
from bonafide.website.page_content.visible_text import INLINE, TextLine, VisiblePage
from bonafide.website.tables import PAGE_TERMS

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
