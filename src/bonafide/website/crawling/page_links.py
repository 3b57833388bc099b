"""Find and rank the links to pages worth reading: contact, about, legal and so on.

Without a public suffix list, hosts can't be assigned to a registered domain (`a.co.uk`, `b.co.uk`). A site is therefore the host
that responded, with or without `www.`, and its subdomains, which is never more than the registered domain.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from urllib.parse import unquote, urlsplit

from selectolax.lexbor import LexborNode

from bonafide.errors import AddressRefused, InvalidInput
from bonafide.net.web_url import WebUrl
from bonafide.website.crawling.page_kinds import KIND_WORDS, PageKind, normalize_words
from bonafide.website.page_content.markup import SitePage, parse_markup

MAX_LINKS = 2_000
"""The limit for one page."""
MAX_TEXT_CHARACTERS = 500_000
"""For all links of a page together, because nested links repeat the same text."""
MAX_OF_A_KIND = 2
"""Pages of one kind to read, usually the same page in two languages."""
MAX_TEXT_WORDS = 8
"""A longer text is not the name of a page."""
MAX_PATH_WORDS = 5
"""A longer last path segment is that of an article."""
_EXACT_TEXT, _PART_OF_TEXT, _EXACT_PATH, _PART_OF_PATH = 6, 3, 4, 2
_NO_PAGES = (
    ".pdf",
    ".jpg",
    ".jpeg",
    ".png",
    ".gif",
    ".svg",
    ".webp",
    ".zip",
    ".doc",
    ".docx",
    ".xls",
    ".xlsx",
    ".mp4",
    ".vcf",
    ".ics",
)
_ENDS = (".html", ".htm", ".php", ".asp", ".aspx")


@dataclass(frozen=True, slots=True)
class PageLink:
    """A link to a page that may be relevant, its kind, and the strength of the evidence for it."""

    url: WebUrl
    kind: PageKind
    score: int


def is_same_site(home: WebUrl, other: WebUrl) -> bool:
    """Whether an address is on the home page's host, with or without `www.`, or on a subdomain."""
    site, host = home.host.removeprefix("www."), other.host.removeprefix("www.")
    return host == site or host.endswith(f".{site}")


def find_page_links(page: SitePage) -> list[PageLink]:
    """Return the links of a page to relevant pages of its own site."""
    tree, here = parse_markup(page.html), WebUrl.parse(page.url)
    if tree is None:
        return []
    base = _find_base_url(tree, here)
    found = (_build_link(here, base, href, text) for href, text in islice(_list_references(tree), MAX_LINKS))
    return [link for link in found if link is not None]


def filter_page_links(home: WebUrl, addresses: Iterable[str]) -> list[PageLink]:
    """Return the relevant pages among the addresses of a sitemap."""
    found = (_build_link(home, home, address, "") for address in addresses)
    return [link for link in found if link is not None]


def choose_links(links: Sequence[PageLink], selected: Sequence[PageLink], room: int) -> list[PageLink]:
    """Choose at most `room` pages besides those already selected: the best of each kind first, then the second of each."""
    by_kind = {kind: [link for link in selected if link.kind is kind] for kind in PageKind}
    seen = {_normalize_url(link.url) for link in selected}
    for link in sorted(links, key=lambda link: (-link.score, len(link.url.target))):
        if _normalize_url(link.url) not in seen and len(by_kind[link.kind]) < MAX_OF_A_KIND:
            seen.add(_normalize_url(link.url))
            by_kind[link.kind].append(link)
    in_turn = [of_kind[turn] for turn in range(MAX_OF_A_KIND) for of_kind in by_kind.values() if turn < len(of_kind)]
    return [link for link in in_turn if link not in selected][:room]


def _normalize_url(url: WebUrl) -> tuple[str, str]:
    """Return a key that ignores scheme, `www.` and a trailing slash."""
    return url.host.removeprefix("www."), url.target.rstrip("/")


def _find_base_url(tree: LexborNode, here: WebUrl) -> WebUrl:
    node = tree.css_first("base[href]")
    try:
        return here.join((node.attributes.get("href") or "").strip()) if node is not None else here
    except (AddressRefused, InvalidInput):
        return here


def _list_references(tree: LexborNode) -> Iterator[tuple[str, str]]:
    """Yield the address and text of each link. Refresh redirects and other language versions have the text `enter`."""
    for node in tree.css('meta[http-equiv="refresh" i][content]'):
        yield _parse_refresh_url(node), "enter"
    for node in tree.css("link[hreflang][href]"):
        yield node.attributes.get("href") or "", "enter"
    room = MAX_TEXT_CHARACTERS
    for node in tree.css("a[href], area[href]"):
        text = _link_text(node)
        room -= len(text)
        if room < 0:
            return
        yield node.attributes.get("href") or "", text


def _parse_refresh_url(node: LexborNode) -> str:
    """Return the address in `0; url=/en/`."""
    _, _, address = (node.attributes.get("content") or "").partition("=")
    return address.strip(" '\"")


def _link_text(node: LexborNode) -> str:
    text = node.text(deep=True, separator=" ", strip=True)
    return (
        text
        if text != ""
        else node.attributes.get("aria-label") or node.attributes.get("title") or node.attributes.get("alt") or ""
    )


def _build_link(here: WebUrl, base: WebUrl, href: str, text: str) -> PageLink | None:
    """Return the link if its words identify a relevant page of the site."""
    reference = href.strip().partition("#")[0].replace(" ", "%20")
    kind, score = _classify_link(normalize_words(text[:200]), reference)
    if kind is None:
        return None
    try:
        url = base.join(reference)
    except (AddressRefused, InvalidInput):
        return None
    return PageLink(url, kind, score) if is_same_site(here, url) and _normalize_url(url) != _normalize_url(here) else None


def _classify_link(text: str, reference: str) -> tuple[PageKind | None, int]:
    """Return the kind with the highest score by text and path; None if neither matches."""
    path = _split_path(reference)
    if path.endswith(_NO_PAGES):
        return None, 0
    parts = [normalize_words(unquote(part.removesuffix(_strip_extension(part)))) for part in path.split("/")]
    last = next((part for part in reversed(parts) if part != ""), "")
    scores = {kind: _score_text(text, kind) + _score_path(last, kind) for kind in PageKind}
    best = max(scores, key=scores.__getitem__)
    return (best, scores[best]) if scores[best] > 0 else (None, 0)


def _split_path(reference: str) -> str:
    try:
        return urlsplit(reference).path.lower()
    except ValueError:
        return ""


def _strip_extension(part: str) -> str:
    return next((end for end in _ENDS if part.endswith(end)), "")


def _score_text(text: str, kind: PageKind) -> int:
    if text in KIND_WORDS[kind]:
        return _EXACT_TEXT
    is_short = 0 < len(text.split()) <= MAX_TEXT_WORDS and kind is not PageKind.LANGUAGE
    return _PART_OF_TEXT if is_short and _has_kind_word(text, kind) else 0


def _score_path(last: str, kind: PageKind) -> int:
    if last in KIND_WORDS[kind]:
        return _EXACT_PATH
    is_short = 0 < len(last.split()) <= MAX_PATH_WORDS and kind is not PageKind.LANGUAGE
    return _PART_OF_PATH if is_short and _has_kind_word(last, kind) else 0


def _has_kind_word(text: str, kind: PageKind) -> bool:
    padded = f" {text} "
    return any(f" {words} " in padded for words in KIND_WORDS[kind])
