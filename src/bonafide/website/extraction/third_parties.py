"""Detect text about somebody other than the site's owner: an authority, the site's maker, a service that it uses.

It goes by words alone; names that differ from the owner's are weighed in `extract`.
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
"""Lines above a value that may say whose it is."""
_LOOKED_AT = 300
"""Characters before a value that may."""


def is_about_site_maker(text: str) -> bool:
    """Whether words say who made the site: "Site by", "powered by"."""
    return _MAKERS.search(fold(text)) is not None


def introduces_third_party(text: str) -> bool:
    """Whether a text begins with words that make a name behind them another's: "Agent for", "Distributed by"."""
    return _LEADS.match(text) is not None


def ends_with_public_line(before: str) -> bool:
    """Whether words end with the name of a service that everybody can call: "Poison centre:"."""
    return _LINES.search(fold(before[-_LOOKED_AT:])) is not None


def is_third_party_value(before: str, above: str, email: str, url: str) -> bool:
    """Whether a value is somebody else's by the words before it on its line, by the lines above it, or by an e-mail address itself.

    A site of theirs (`url`) is their own.
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
