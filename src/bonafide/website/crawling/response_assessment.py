"""Assess a site's response: a page, access refused to programs, no page, or a failing site.

It looks at one answer or one failure; what the whole site's status is depends on which page it was.
"""

from dataclasses import dataclass

from bonafide.errors import AddressRefused, BonafideError, InvalidInput, SourceAuthFailed, SourceRateLimited, SourceUnavailable
from bonafide.model.search.website import WebsiteStatus
from bonafide.net.web_fetch import WebResponse
from bonafide.website.page_content.markup import parse_markup

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
