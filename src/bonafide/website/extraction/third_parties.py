"""Detect text about a third party instead of the site's owner: an authority, the web designer, an embedded service.

Only the wording is examined; `extractor` compares names with the owner's.
"""

import re
from typing import Final

from bonafide.matching.text.folding import fold
from bonafide.website.tables import PAGE_TERMS

_OTHERS = PAGE_TERMS["others"]
_BODIES = re.compile("|".join(map(re.escape, _OTHERS["bodies"])))
_LINES = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, _OTHERS['lines']))})(?:[^.;|\d]|\b\d{{3}}\b){{0,60}}$")
_LEADS = re.compile(rf"(?:\w+\s){{0,3}}(?:{'|'.join(_OTHERS['leads'])})(?:\W|$)", re.IGNORECASE)
_FIRMS = frozenset[str](_OTHERS["firms"])
_MAKERS = re.compile(
    r"\b(?:web ?site|site|web|page)? ?(?:design|designed|built|created|developed|powered|hosted|made)(?: and \w+)? (?:by|with)\b"
    r"|\b(?:web ?site|site|site web|conception|realisation|conception web|design|hebergement)(?: du site)?(?: web)? (?:par|by)\b"
    r"|\b(?:concu|cree|realise|propulse|heberge|developpe) par\b|\b(?:web design|webmaster|webmestre)\b"
)
_AUTHORITIES = re.compile(r"@(?:[\w-]+\.)*(?:gc\.ca|gouv\.qc\.ca|gov\.\w\w\.ca|ontario\.ca|alberta\.ca)$")
LINES_ABOVE: Final = 2
"""How many lines above a value may name its owner."""
_LOOKED_AT = 300
"""How many characters before a value may name its owner."""


def is_about_site_maker(text: str) -> bool:
    """Whether a text credits the web designer or platform: "Site by", "powered by"."""
    return _MAKERS.search(fold(text)) is not None


def introduces_third_party(text: str) -> bool:
    """Whether a text begins with words that introduce a third party: "Agent for", "Distributed by"."""
    return _LEADS.match(text) is not None


def ends_with_public_line(before: str) -> bool:
    """Whether a text ends with the name of a public service: "Poison centre:"."""
    return _LINES.search(fold(before[-_LOOKED_AT:])) is not None


def is_third_party_value(before: str, above: str, email: str, url: str) -> bool:
    """Whether a value belongs to a third party, judged by the text before it, the lines above it, or the e-mail address itself.

    On the third party's own site (`url`), it does not.
    """
    host = url.partition("://")[2].partition("/")[0]
    domain = email.rpartition("@")[2]
    if domain and host.endswith(domain):
        return False
    said = fold(before[-_LOOKED_AT:])
    if _AUTHORITIES.search(email) is not None or _MAKERS.search(said) is not None:
        return True
    if _BODIES.search(f"{fold(above[-_LOOKED_AT:])} {said}") is not None:
        return True
    return domain.partition(".")[0] in _FIRMS
