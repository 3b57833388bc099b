"""Fetch one page, decode it, and assess the response: a page, access refused to programs, no page, or a failing site.

It never raises for what a site does. Which pages are fetched is decided elsewhere, and so is what a failure means for the site.
"""

import codecs
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from anyio import to_thread

from bonafide.errors import AddressRefused, BonafideError, InvalidInput, SourceAuthFailed, SourceRateLimited, SourceUnavailable
from bonafide.model.search.website import WebsitePage, WebsiteStatus
from bonafide.net.web_fetch import AddressCheck, WebFetcher, WebResponse
from bonafide.website.page_content.markup import SitePage, parse_markup

UTF_8, WINDOWS_1252 = "utf-8", "cp1252"
_LOOK_BYTES = 1024
"""Where a page must name its encoding (HTML, section 4.2.5.4)."""
_MAX_TAIL = 3
"""Bytes of a UTF-8 character that a cut may leave behind."""
_CODECS = {
    "utf-8": UTF_8,
    "utf8": UTF_8,
    # As browsers do: pages that name these are in Windows' extension of them (Encoding Standard, section 4.2).
    "iso-8859-1": WINDOWS_1252,
    "iso8859-1": WINDOWS_1252,
    "latin1": WINDOWS_1252,
    "us-ascii": WINDOWS_1252,
    "ascii": WINDOWS_1252,
    "windows-1252": WINDOWS_1252,
    "cp1252": WINDOWS_1252,
    "iso-8859-2": "iso-8859-2",
    "iso-8859-15": "iso-8859-15",
    "windows-1250": "cp1250",
    "windows-1251": "cp1251",
    "macintosh": "mac-roman",
    "utf-16": "utf-16-le",
    "utf-16le": "utf-16-le",
    "utf-16be": "utf-16-be",
    "shift_jis": "cp932",
    "euc-kr": "cp949",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "gb18030": "gb18030",
    "big5": "big5hkscs",
}
_MARKS = ((codecs.BOM_UTF8, UTF_8), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_HEADER = re.compile(r"""charset\s*=\s*["']?([\w.:-]+)""", re.IGNORECASE)
_META = re.compile(
    rb"""<meta[^>]{0,200}?charset\s*=\s*["']?([\w.:-]+)|<\?xml[^>]{0,100}?encoding\s*=\s*["']([\w.:-]+)""", re.IGNORECASE
)


def decode_page(body: bytes, content_type: str) -> str:
    """The text. Where nothing says how it is encoded it is UTF-8 if it can be, and windows-1252 otherwise; this never fails."""
    for mark, codec in _MARKS:
        if body.startswith(mark):
            return body[len(mark) :].decode(codec, errors="replace")
    codec = _find_header_charset(content_type) or _find_document_charset(body) or (UTF_8 if _is_utf_8(body) else WINDOWS_1252)
    return body.decode(codec, errors="replace")


def _find_header_charset(content_type: str) -> str | None:
    found = _HEADER.search(content_type)
    return _CODECS.get(found[1].lower()) if found is not None else None


def _find_document_charset(body: bytes) -> str | None:
    found = _META.search(body[:_LOOK_BYTES])
    codec = _CODECS.get((found[1] or found[2]).decode("ascii", errors="replace").lower()) if found is not None else None
    # It was read as ASCII, so it can't be in two bytes a character (HTML, section 13.2.3.2).
    return UTF_8 if codec is not None and codec.startswith("utf-16") else codec


def _is_utf_8(body: bytes) -> bool:
    try:
        body.decode(UTF_8)
    except UnicodeDecodeError as error:
        return error.start >= len(body) - _MAX_TAIL and error.reason == "unexpected end of data"
    return True


MIN_TEXT_CHARACTERS = 100
"""A page with less text than this says nothing of a business; it is drawn by a script, or is a challenge."""
_SUCCESS = range(200, 300)
_BLOCKING = frozenset({401, 403, 429, 451})
_GONE = frozenset({404, 410})
_PAGES = frozenset({"", "text/html", "application/xhtml+xml"})
_CHALLENGES = (
    "/cdn-cgi/challenge-platform/",
    "cf-chl-",
    "_Incapsula_Resource",
    "/.well-known/sgcaptcha/",
    "px-captcha",
    "captcha-delivery.com",
    "ddos-guard",
    "awsWafCookieDomainList",
    "<title>Just a moment...</title>",
)
"""What pages that test for a person hold. Ordinary pages may hold some of them too, so they count only where there is no text."""


@dataclass(frozen=True, slots=True)
class PageFailure:
    """Why a page was not read, and what the site's status is if it was the home page."""

    status: WebsiteStatus
    message: str
    is_unreachable: bool = False
    """Whether there was no connection at all."""


def assess_error(error: BonafideError) -> PageFailure:
    """What a visit that failed amounts to."""
    match error:
        case AddressRefused():
            status = WebsiteStatus.REFUSED
        case InvalidInput():
            status = WebsiteStatus.INVALID
        case SourceAuthFailed() | SourceRateLimited():
            status = WebsiteStatus.BLOCKED
        case _:
            status = WebsiteStatus.UNREACHABLE
    return PageFailure(status, error.message, is_unreachable=isinstance(error, SourceUnavailable))


def assess_response(visit: WebResponse, html: str) -> PageFailure | None:
    """Why an answer is no page to read; None where it is one."""
    if visit.headers.get("cf-mitigated") == "challenge" or (_is_challenge(html) and not has_text(html)):
        return PageFailure(WebsiteStatus.BLOCKED, "the site answers with a test for a person")
    if visit.status in _BLOCKING:
        return PageFailure(WebsiteStatus.BLOCKED, f"the site turns programs away (HTTP {visit.status})")
    if visit.status in _GONE:
        return PageFailure(WebsiteStatus.INVALID, f"there is no such page (HTTP {visit.status})")
    if visit.status not in _SUCCESS:
        return PageFailure(WebsiteStatus.UNREACHABLE, f"the site answers HTTP {visit.status}")
    if visit.media_type not in _PAGES:
        return PageFailure(WebsiteStatus.INVALID, f"what is there is no page ({visit.media_type[:80]})")
    return None


def _is_challenge(html: str) -> bool:
    return any(mark in html for mark in _CHALLENGES)


def has_text(*pages: str) -> bool:
    """Whether the pages together hold more than next to no text that a reader would see."""
    length = 0
    for html in pages:
        length += _count_visible_characters(html)
        if length >= MIN_TEXT_CHARACTERS:
            return True
    return False


def _count_visible_characters(html: str) -> int:
    tree = parse_markup(html)
    body = tree.css_first("body") if tree is not None else None
    if body is None:
        return 0
    for node in body.css("script, template"):
        node.decompose()
    return len(" ".join(body.text(separator=" ").split()))


@dataclass(frozen=True, slots=True)
class PageFetchResult:
    """What came of asking for a page: the page, or the trouble with it."""

    asked: WebsitePage
    page: SitePage | None = None
    trouble: PageFailure | None = None


async def fetch_page(visitor: WebFetcher, url: str, permit: AddressCheck, clock: Callable[[], datetime]) -> PageFetchResult:
    """Ask for a page. `permit` is told each address before it is asked and raises where it must not be."""
    try:
        visit = await visitor.fetch(url, permit=permit)
    except BonafideError as error:
        trouble = assess_error(error)
        return PageFetchResult(WebsitePage(url=url, retrieved_at=clock(), note=trouble.message), trouble=trouble)
    html = decode_page(visit.body, visit.content_type)
    found = await to_thread.run_sync(assess_response, visit, html)
    if found is not None:
        return PageFetchResult(_to_website_page(visit, found.message), trouble=found)
    note = f"only the first {len(visit.body):,} bytes were read" if visit.is_truncated else None
    return PageFetchResult(_to_website_page(visit, note), SitePage(visit.url, html, visit.retrieved_at))


def _to_website_page(visit: WebResponse, note: str | None) -> WebsitePage:
    return WebsitePage(url=visit.url, retrieved_at=visit.retrieved_at, status=visit.status, size=len(visit.body), note=note)
