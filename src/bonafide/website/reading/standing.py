"""What an answer of a site amounts to: a page, a door that is shut to programs, nothing there, or a site that fails.

It looks at one answer or one failure; what the whole site's status is depends on which page it was.
"""

from dataclasses import dataclass

from bonafide.errors import AddressRefused, BonafideError, InvalidInput, SourceAuthFailed, SourceRateLimited, SourceUnavailable
from bonafide.model.website import WebsiteStatus
from bonafide.visit import Visit
from bonafide.website.markup import parsed

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
class Trouble:
    """Why a page was not read, and what the site's status is if it was the home page."""

    status: WebsiteStatus
    message: str
    nobody_there: bool = False
    """Whether there was no connection at all."""


def trouble_of_error(error: BonafideError) -> Trouble:
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
    return Trouble(status, error.message, nobody_there=isinstance(error, SourceUnavailable))


def trouble_of_answer(visit: Visit, html: str) -> Trouble | None:
    """Why an answer is no page to read; None where it is one."""
    if visit.headers.get("cf-mitigated") == "challenge" or (_holds_challenge(html) and not has_text(html)):
        return Trouble(WebsiteStatus.BLOCKED, "the site answers with a test for a person")
    if visit.status in _BLOCKING:
        return Trouble(WebsiteStatus.BLOCKED, f"the site turns programs away (HTTP {visit.status})")
    if visit.status in _GONE:
        return Trouble(WebsiteStatus.INVALID, f"there is no such page (HTTP {visit.status})")
    if visit.status not in _SUCCESS:
        return Trouble(WebsiteStatus.UNREACHABLE, f"the site answers HTTP {visit.status}")
    if visit.media_type not in _PAGES:
        return Trouble(WebsiteStatus.INVALID, f"what is there is no page ({visit.media_type[:80]})")
    return None


def _holds_challenge(html: str) -> bool:
    return any(mark in html for mark in _CHALLENGES)


def has_text(*pages: str) -> bool:
    """Whether the pages together hold more than next to no text that a reader would see."""
    length = 0
    for html in pages:
        length += _text_length(html)
        if length >= MIN_TEXT_CHARACTERS:
            return True
    return False


def _text_length(html: str) -> int:
    tree = parsed(html)
    body = tree.css_first("body") if tree is not None else None
    if body is None:
        return 0
    for node in body.css("script, template"):
        node.decompose()
    return len(" ".join(body.text(separator=" ").split()))
