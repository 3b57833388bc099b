"""Find Canadian addresses in a page's text: the words before a postal code, or before a city and province, parsed into parts.

An address may span several consecutive lines. Text without a civic number, post office box or rural route is not an
address, and nothing is looked up or completed.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from bonafide.matching.addresses import terms
from bonafide.matching.addresses.line_parsing import ParsedAddressLine, parse_address_line
from bonafide.matching.addresses.postal_codes import format_postal_code
from bonafide.matching.addresses.street_parsing import parse_street
from bonafide.matching.text.folding import fold
from bonafide.model.entity import Address
from bonafide.model.search.website import FoundBy
from bonafide.website.extraction.name_boundaries import find_name_after, find_name_before, is_business_name
from bonafide.website.extraction.page_statement import PageStatement, join_snippet
from bonafide.website.extraction.third_parties import LINES_ABOVE, introduces_third_party, is_third_party_value
from bonafide.website.page_content.visible_text import TextLine, VisiblePage

MAX_ADDRESSES: Final = 60
"""The maximum number of candidate address ends per page."""
MAX_LINES_BACK: Final = 4
"""The maximum number of lines above the postal code that may belong to the address."""
MAX_LONG: Final = 220
"""The maximum length of an address on one line."""
_LONGEST_LINE = 90
"""The maximum length of a line that is part of an address; longer lines are sentences."""
_LONGEST_CITY = 40

_CODE = re.compile(r"(?<!\w)[ABCEGHJ-NPRSTVXY]\d[ABCEGHJ-NPRSTV-Z](?:\s?-\s?|\s{0,2})\d[ABCEGHJ-NPRSTV-Z]\d(?!\w)", re.IGNORECASE)
_PROVINCE = re.compile(
    r"[,(]\s?(?:AB|BC|MB|NB|NL|NS|NT|NU|ON|PE|PEI|QC|PQ|SK|YT|Alberta|British Columbia|Colombie-Britannique|Manitoba|"
    r"New Brunswick|Nouveau-Brunswick|Newfoundland and Labrador|Terre-Neuve-et-Labrador|Nova Scotia|Nouvelle-Écosse|"
    r"Northwest Territories|Nunavut|Ont\.|Ontario|Prince Edward Island|Île-du-Prince-Édouard|Quebec|Québec|Sask\.|"
    r"Saskatchewan|Yukon)\)?(?!\w)"
)
_CIVIC_NUMBER = re.compile(
    r"(?<![\w.$€/°:#-])(?!(?<=\d,)\d{3}(?!\d))\d{1,6}[A-Za-z]?(?:[-–]\d{1,6}[A-Za-z]?)?(?: ?½| 1/2)?,?\s+(?=[\dA-Za-zÀ-ÿ])"
)
_BOX = re.compile(
    r"(?<!\w)(?:P\.?\s?O\.?\s?Box|Post Office Box|Box|C\.\s?P\.|CP|Case postale|Casier postal|Bo[iî]te postale|R\.?\s?R\.?)"
    r"\s?#?\s?\d+|(?<!\w)Lot\s\d+|(?<!\w)[NS][EW][ -]\d{1,2}-\d{1,3}-\d{1,2}",
    re.IGNORECASE,
)
_UNIT_IN_FRONT = re.compile(
    r"(?:(?:suite|ste\.?|unit[ée]?|apt\.?|app\.?|apartment|appartement|bureau|local|office|porte|room|building|bldg\.?|#)\s?#?\s?[\w-]{1,8}"
    r"|(?:\d{1,3}\s?(?:st|nd|rd|th|e|er|[èe]me)|ground|main|second|first|third)\s+(?:floor|[ée]tage)|(?:floor|[ée]tage|level)\s\w{1,6}"
    r"|P\.?\s?O\.?\s?Box\s\d+)\s?[,–-]?\s{0,2}$|(?<![\w:.$/-])#?\d{1,6}[a-z]?\s?[–-]\s?$",
    re.IGNORECASE,
)
_NUMBER_IN_FRONT = re.compile(r"(?<![\w:.,$/-])\d{1,6}\s$")
_LISTED = re.compile(
    r"\bMLS\b|\b\d\+?(?:\s?\+\s?\d)?\s?-?(?:beds?|bedrooms?|bdrms?|baths?|bathrooms?|chambres?|cac|sdb)\b|\bfor sale\b|\bà vendre\b"
    r"|\$\s?\d{1,3}(?:[ ,]\d{3})+|\b\d{1,3}(?: \d{3})+\s?\$",
    re.IGNORECASE,
)
_LISTING_NUMBER = re.compile(r"\bMLS\W{0,4}(?:no\.?|number)?\s?[A-Z]{0,2}\d{3}", re.IGNORECASE)
_LISTING_LINES = 1
"""How many lines above and below an address are checked for a real estate listing."""
_LONGEST_BESIDE = 60
"""The maximum length of such a line."""
_NUMBERED_STREET = re.compile(r"\d{1,4}\s+(?:st|street|ave|avenue|rd|road|hwy|highway|line|concession|side ?road)\b", re.IGNORECASE)
"""A numbered street, so that the number before it is the civic number: "4500 16 Avenue NW"."""
_UNIT_CHARACTERS = 40
_WORDS_BEFORE_OTHER_NUMBERS = frozenset({
    "box", "postale", "postal", "cp", "po", "rr", "route", "hwy", "highway", "line", "rang", "autoroute", "floor", "etage", "local",
    "bureau", "suite", "no", "lot", "since", "depuis", "of", "phone", "tel", "exit", "sortie", "concession", "fax",
    *terms.UNITS, *terms.NUMBERED_TYPES, *terms.FLOORS,
})  # fmt: skip
"""Words after which a number is not a civic number."""
_SENTENCE_END = re.compile(r"[.!?]\s+(?=[A-ZÀ-Ý])")
_COUNTRY = re.compile(r"[\s,.·|-]{0,3}(Canada)\b")


@dataclass(frozen=True, slots=True)
class StatedAddress:
    """An address, and the business name with a legal form that precedes it, if any."""

    address: Address
    owner: str | None = None


@dataclass(frozen=True, slots=True)
class _AddressSpan:
    """The text of an address, its lines, and the text before it on the first line."""

    text: str
    first: int
    last: int
    before: str


def find_addresses(page: VisiblePage) -> Iterator[PageStatement[StatedAddress]]:
    """Yield every Canadian address in a page's text, ordered by where it ends."""
    count = 0
    for place, line in enumerate(page.lines):
        begin = 0
        for end, has_code in _find_ends(line.text) if not line.others else ():
            if not has_code and _continues_on_next_line(page.lines, place, end):
                continue
            count += 1
            found = _build_span(page.lines, place, begin, end) if count <= MAX_ADDRESSES else None
            address = _parse_span(found, line.text[end:], has_code=has_code) if found is not None else None
            if found is None or address is None or _is_third_party_address(page, found):
                continue
            owner = _find_owner(page.lines, found)
            is_anothers = owner is not None and introduces_third_party(_SENTENCE_END.split(found.before)[-1])
            if not is_anothers and not _is_listing(page.lines, found, has_code=has_code):
                begin = end
                lines = [item.text for item in page.lines[found.first : found.last + 1]]
                yield PageStatement(StatedAddress(address, owner), page.url, FoundBy.TEXT, join_snippet(lines))


def to_address(parsed: ParsedAddressLine, raw: str, country: str | None = None) -> Address:
    """Convert a parsed address line; the province becomes its two-letter code."""
    return Address(
        street=parsed.line,
        city=parsed.city,
        province=to_province_code(parsed.province),
        postal_code=format_postal_code(parsed.postal_code) if parsed.postal_code is not None else None,
        country=parsed.country if parsed.country is not None else country,
        raw=raw,
    )


def to_province_code(text: str | None) -> str | None:
    """The two-letter code of a province; other text is returned unchanged."""
    code = terms.parse_province_code(text) if text is not None else None
    return code if code is not None else text


def _find_ends(text: str) -> Iterator[tuple[int, bool]]:
    """Yield the possible ends of an address: after a postal code, or after a province without one."""
    codes = [(found.end(), True) for found in _CODE.finditer(text)]
    provinces = [(found.end(), False) for found in _PROVINCE.finditer(text)]
    near = [end for end, _ in codes]
    alone = [pair for pair in provinces if not any(0 < end - pair[0] <= _LONGEST_LINE for end in near)]
    yield from sorted([*codes, *alone])


def _continues_on_next_line(lines: Sequence[TextLine], place: int, end: int) -> bool:
    """Whether the postal code of an address that seems to end here is on the next line."""
    is_last = end == len(lines[place].text.rstrip(" ,."))
    return is_last and place + 1 < len(lines) and _CODE.match(lines[place + 1].text) is not None


def _build_span(lines: Sequence[TextLine], place: int, begin: int, end: int) -> _AddressSpan | None:
    text = lines[place].text[max(begin, end - MAX_LONG) : end]
    start = _find_street_start(text)
    if start is not None:
        return _AddressSpan(text[start:], place, place, text[:start])
    if begin > 0 or len(text) > _LONGEST_LINE:
        return None
    for first in range(place - 1, max(place - 1 - MAX_LINES_BACK, -1), -1):
        above = lines[first]
        if above.others or len(above.text) > _LONGEST_LINE or _CODE.search(above.text) is not None:
            return None
        text = f"{above.text.rstrip(' ,')}, {text}"
        start = _find_street_start(text)
        if start is not None:
            return _add_unit_above(lines, _AddressSpan(text[start:], first, place, text[:start]))
    return None


def _add_unit_above(lines: Sequence[TextLine], found: _AddressSpan) -> _AddressSpan:
    """Extend the address by a line above that is only its unit: "Suite 200" above "123 Main Street"."""
    above = lines[found.first - 1].text if found.first > 0 else ""
    if found.before or len(above) > _UNIT_CHARACTERS or above[:1].isdigit() or _UNIT_IN_FRONT.fullmatch(above) is None:
        return found
    return _AddressSpan(f"{above.rstrip(' ,')}, {found.text}", found.first - 1, found.last, "")


def _find_street_start(text: str) -> int | None:
    """Find the start of the address that ends a text: its last civic number with the unit before it, else its post office box."""
    doors = [found for found in _CIVIC_NUMBER.finditer(text) if _is_civic_number(text, found)]
    for door in reversed(doors):
        if not door.start() or _has_type(text[door.end() :]) or _is_label(text[: door.start()]):
            return _include_unit(text, door.start())
    box = _BOX.search(text)
    return box.start() if box is not None else None


def _is_civic_number(text: str, found: re.Match[str]) -> bool:
    """Whether the word before a number allows a civic number; a label ("Toronto office: 40 King St.") always does."""
    before = text[: found.start()].rstrip()
    if not before or before[-1] in ":#":
        return before[-1:] != "#"
    word = fold(before.rpartition(" ")[2]).strip(" .,-&()")
    return word not in _WORDS_BEFORE_OTHER_NUMBERS


def _has_type(text: str) -> bool:
    words = {word.strip(".,()") for word in fold(text).split()[:8]}
    return not words.isdisjoint(terms.TYPES)


def _is_label(before: str) -> bool:
    return before.rstrip()[-1:] in {":", "|", "•", "·"}


def _include_unit(text: str, start: int) -> int:
    for _ in range(2):
        is_numbered = _NUMBERED_STREET.match(text, start) is not None
        pattern = _NUMBER_IN_FRONT if is_numbered else _UNIT_IN_FRONT
        unit = pattern.search(text[max(start - _UNIT_CHARACTERS, 0) : start])
        if unit is None:
            break
        start = max(start - _UNIT_CHARACTERS, 0) + unit.start()
    return start


def _parse_span(found: _AddressSpan, behind: str, *, has_code: bool) -> Address | None:
    if len(found.text) > MAX_LONG:
        return None
    parsed = _add_city(parse_address_line(found.text))
    if not _is_complete(parsed, has_code=has_code):
        return None
    country = _COUNTRY.match(behind)
    return to_address(parsed, found.text.strip(" ,"), country[1] if country is not None else None)


def _add_city(parsed: ParsedAddressLine) -> ParsedAddressLine:
    """Use the last text before the province as the city if the parser found none ("Station A, St. John's")."""
    line, comma, city = (parsed.line or "").rpartition(",")
    if parsed.city is not None or not comma or any(map(str.isdigit, city)):
        return parsed
    return replace(parsed, line=line.strip(), city=city.strip(), street=parse_street(line))


def _is_complete(parsed: ParsedAddressLine, *, has_code: bool) -> bool:
    """Whether the parts form an address: a civic number and street or a box, and a city or postal code with a province."""
    street, city = parsed.street, parsed.city
    is_box = street.box is not None or street.rural is not None
    if parsed.line is None or not (is_box or street.number is not None):
        return False
    if city is not None and (len(city) > _LONGEST_CITY or any(map(str.isdigit, city))):
        return False
    if street.number is not None and not street.name and not is_box:
        return False
    if city is None and (street.kind is None or parsed.province is None):
        return False
    return has_code or ((street.kind is not None or is_box) and terms.parse_province_code(parsed.province or "") is not None)


def _find_owner(lines: Sequence[TextLine], found: _AddressSpan) -> str | None:
    before = found.before.rstrip(" ,:–—-")
    if before:
        run = find_name_before(before)
        return run.text if run is not None else None
    above = lines[found.first - 1].text if found.first > 0 else ""
    run = find_name_after(above) if is_business_name(above) else None
    return run.text if run is not None else None


def _is_listing(lines: Sequence[TextLine], found: _AddressSpan, *, has_code: bool) -> bool:
    """Whether the address belongs to a real estate listing: a listing number nearby or, without a postal code, a price or rooms."""
    pattern = _LISTING_NUMBER if has_code else _LISTED
    near = (*lines[max(found.first - _LISTING_LINES, 0) : found.first], *lines[found.last + 1 : found.last + 1 + _LISTING_LINES])
    beside = (*lines[found.first : found.last + 1], *(line for line in near if len(line.text) <= _LONGEST_BESIDE))
    return any(pattern.search(line.text) is not None for line in beside)


def _is_third_party_address(page: VisiblePage, found: _AddressSpan) -> bool:
    above = " ".join(line.text for line in page.lines[max(found.first - LINES_ABOVE, 0) : found.first])
    return is_third_party_value(found.before, above, "", page.url)
