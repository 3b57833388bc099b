"""Extract contact details from a page: phone numbers and e-mail addresses, from links and text.

Fax-only numbers and those of authorities and of the site's web designer are excluded. Nothing is called or looked up.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import Final
from urllib.parse import unquote

import phonenumbers
from email_validator import EmailNotValidError, validate_email

from bonafide.matching.text.folding import fold
from bonafide.model.search.website import FoundBy
from bonafide.website.extraction.name_boundaries import find_name_before
from bonafide.website.extraction.owner_names import FORM, OwnerNames
from bonafide.website.extraction.page_statement import PageStatement, cut_snippet
from bonafide.website.extraction.third_parties import LINES_ABOVE, ends_with_public_line, is_third_party_value
from bonafide.website.page_content.visible_text import TextLine, VisiblePage

MAX_FOUND: Final = 100
"""The maximum number of phone numbers and of e-mail addresses examined per page."""
MAX_EMAIL: Final = 254
"""The maximum length (RFC 5321, without the angle brackets)."""
MAX_PHONE: Final = 60
"""The maximum length of a phone number."""

FAX: Final = 0
"""The strength of a number labelled as a fax."""
PHONE: Final = 1

_GAP = r"[ .·\u2011\u2013-]{0,3}"
_PHONE = re.compile(
    rf"(?<![\w/+-])(?<!\d\.)(?:\+?1[ .\u2011\u2013/-]{{0,3}})?(?:\([2-9]\d{{2}}\)|[2-9]\d{{2}})/?{_GAP}\d{{3}}{_GAP}\d{{4}}"
    r"(?![\w@]|[.-]\d)"
    r"|(?<![\w+])\+[2-9]\d(?:[ ().-]{0,2}\d){6,12}+(?!\d)"
)
_DIGITS = re.compile(r"\d{3}[ .·\u2011\u2013-]{0,3}\d{4}|\+\d")
"""Matches part of every phone number and few other lines; a fast filter."""
_BARE = re.compile(r"[2-9]\d{9}")
_PHONE_WORDS = re.compile(
    r"\b(?:tel|telephone|phone|call|mobile|cell|cellulaire|appelez|sans frais|toll|fax|telec|whatsapp|text|sms|t|p|c|m)\b"
)
_FAX = re.compile(r"\b(?:fax|telec|telecopie\w*|facsimile|f)\b\W*$|\b(?:fax|telecopie\w*)\b[^a-z0-9]*(?:no|number|numero)?\W*$")
_BOTH = re.compile(r"\b(?:tel|phone|telephone)\b\W*(?:&|and|et|/|-)?\W*(?:fax|telec)")
_FAX_BEHIND = re.compile(r"\s?\((?:fax|t[ée]l[ée]c)", re.IGNORECASE)
_LABEL_CHARACTERS = 30
_LONGEST_CLAUSE = 200
"""How many characters before a number may contain the firm's name."""
MAX_FORMS: Final = 10
"""The maximum number of legal forms examined per clause."""
_CLAUSE_END = re.compile(r"[|•·;!?]|\b(?:us|our|we|nous|notre|nos)\b", re.IGNORECASE)
_EMAIL = re.compile(r"(?<![\w.%+@-])[\w.%+'-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,6}(?![\w@])")
_FILES = frozenset({
    "png", "jpg", "jpeg", "gif", "svg", "webp", "avif", "bmp", "ico", "css", "js", "pdf", "tif", "tiff", "mp4", "webm",
    "woff", "woff2",
})  # fmt: skip
_PLACEHOLDERS = frozenset({"example.com", "example.org", "example.net", "domain.com", "yourdomain.com", "email.com", "company.com"})


def find_phones(page: VisiblePage, own: OwnerNames) -> Iterator[PageStatement[str]]:
    """Yield the page's phone numbers in E.164 format; fax numbers have the strength `FAX`.

    `own` are the names of the business; numbers attributed to another firm are excluded.
    """
    for link in page.links:
        if link.address[:4].lower() == "tel:" and not link.others:
            number = to_e164(unquote(link.address[4:]).split(";")[0])
            above = _text_above(page.lines, link.place)
            if number is not None and not (
                _is_third_party_number(link.text, own) or is_third_party_value(link.text, above, "", page.url)
            ):
                strength = FAX if _is_fax(link.text[-_LABEL_CHARACTERS:]) else PHONE
                yield PageStatement(
                    number, page.url, FoundBy.LINK, cut_snippet(f"{link.text[-_LABEL_CHARACTERS:]} {link.address}"), strength
                )
    count = 0
    for place, line in enumerate(page.lines):
        if line.others or _DIGITS.search(line.text) is None:
            continue
        for found in _PHONE.finditer(line.text):
            count += 1
            if count > MAX_FOUND:
                return
            if not _is_third_party_number(line.text[: found.start()], own):
                yield from _read_phone(page, place, found)


def find_emails(page: VisiblePage) -> Iterator[PageStatement[str]]:
    """Yield the page's e-mail addresses in lower case."""
    for link in page.links:
        if link.address[:7].lower() == "mailto:" and not link.others:
            email = parse_email(unquote(link.address[7:].partition("?")[0]).partition(",")[0])
            if email is not None and not is_third_party_value(link.text, _text_above(page.lines, link.place), email, page.url):
                yield PageStatement(email, page.url, FoundBy.LINK, cut_snippet(link.address))
    count = 0
    for place, line in enumerate(page.lines):
        if line.others or "@" not in line.text:
            continue
        for found in _EMAIL.finditer(line.text):
            count += 1
            email = parse_email(found[0])
            if (
                count <= MAX_FOUND
                and email is not None
                and not _is_third_party_email(page.lines, place, found.start(), email, page.url)
            ):
                yield PageStatement(email, page.url, FoundBy.TEXT, cut_snippet(line.text, found.start(), found.end()))


@lru_cache(maxsize=2**10)  # every page repeats the footer
def to_e164(text: str) -> str | None:
    """Format a phone number as `+14165550123`; None if invalid. Without a country code, the Canadian plan applies."""
    try:
        number = phonenumbers.parse(text[:MAX_PHONE].replace("·", " "), "CA")
    except phonenumbers.NumberParseException:
        return None
    if not phonenumbers.is_valid_number(number):
        return None
    return phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)


@lru_cache(maxsize=2**10)
def parse_email(text: str) -> str | None:
    """An e-mail address in lower case; None if it is invalid, a file name or a placeholder."""
    text = text.strip(" .'").lower()
    domain = text.rpartition("@")[2]
    if len(text) > MAX_EMAIL or domain.rpartition(".")[2] in _FILES or domain in _PLACEHOLDERS:
        return None
    try:
        return validate_email(text, check_deliverability=False).normalized.lower()
    except EmailNotValidError:
        return None


def _read_phone(page: VisiblePage, place: int, found: re.Match[str]) -> Iterator[PageStatement[str]]:
    line = page.lines[place].text
    before = fold(line[max(found.start() - _LABEL_CHARACTERS, 0) : found.start()])
    above = fold(page.lines[place - 1].text) if place > 0 else ""
    if not before.strip() and len(above) <= _LABEL_CHARACTERS:
        before = above
    if _BARE.fullmatch(found[0]) is not None and _PHONE_WORDS.search(before) is None:
        return
    number = to_e164(found[0])
    if number is None or _is_third_party_email(page.lines, place, found.start(), "", page.url):
        return
    strength = FAX if _is_fax(before) or _FAX_BEHIND.match(line, found.end()) is not None else PHONE
    yield PageStatement(number, page.url, FoundBy.TEXT, cut_snippet(line, found.start(), found.end()), strength)


def _is_third_party_number(before: str, own: OwnerNames) -> bool:
    """Whether the text before a number on its line introduces a public service, or names another firm in the same clause."""
    if ends_with_public_line(before):
        return True
    clause = _CLAUSE_END.split(before[-_LONGEST_CLAUSE:])[-1]
    forms = list(islice(FORM.finditer(clause), MAX_FORMS))
    run = find_name_before(clause[: forms[-1].end()]) if forms else None
    return run is not None and not own.may_match_owner(run.text)


def _is_fax(before: str) -> bool:
    folded = fold(before)
    return _FAX.search(folded) is not None and _BOTH.search(folded) is None


def _is_third_party_email(lines: Sequence[TextLine], place: int, at: int, email: str, url: str) -> bool:
    return is_third_party_value(lines[place].text[:at], _text_above(lines, place), email, url)


def _text_above(lines: Sequence[TextLine], place: int) -> str:
    """The text of the lines above that may name the owner of a value."""
    return " ".join(line.text for line in lines[max(place - LINES_ABOVE, 0) : place])
