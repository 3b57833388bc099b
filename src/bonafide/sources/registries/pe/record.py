"""Entries of Prince Edward Island's registry: of a row of a search, and of the record behind it with its labels and values.

What the record says and an entry has no place for (the nature of the business, the day it expires) is noted for the reader.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date

from bonafide.errors import ParseFailed
from bonafide.matching.entries.register_codes import parse_entity_type_code
from bonafide.model.entity import (
    Address,
    EntityTypeCode,
    NameHistoryItem,
    Person,
    RegistrationNumber,
    RoleDetail,
    StatusCode,
)
from bonafide.model.entry import RegistryEntry
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.sources.formats.delimited_text import build_postal_address, normalize_whitespace, parse_date
from bonafide.sources.framework.live import LiveContext
from bonafide.sources.registries.pe.gateway import CELL, HEADER, LINK, ROW, VIEW, PageElement
from bonafide.sources.registries.pe.search import PeiNumbers, PeiSearchHit, parse_numbers

BN_LABEL = "Business Number (BN)"
NAME, SECONDARY_NAME, FORMER_NAMES = "Entity Name", "Entity Secondary Name", "Former Name(s)"
KIND, STATUS, REGISTERED = "Business Type", "Status", "Registration Date"
BUSINESS_NUMBER, NUMBER, ADDRESS, OWNER = "Business Number", "Registration Number", "Address", "Owner"
NEEDED = (NAME, KIND, STATUS, REGISTERED, BUSINESS_NUMBER, NUMBER)
"""Labels that a record always has, with a value or without one."""
NOTED = ("Nature of Business", "Former Owner", "Renewal Date", "Expiry Date", "End Date", "Gazette Date")
"""Labels whose values are told to the reader as they are."""
KNOWN = frozenset({*NEEDED, *NOTED, SECONDARY_NAME, FORMER_NAMES, ADDRESS, OWNER})
LONG_DATE = "%B %d, %Y"
UNPAID = "inactive_non_payment"
FILING_YEARLY = frozenset({EntityTypeCode.CORPORATION, EntityTypeCode.NONPROFIT, EntityTypeCode.COOPERATIVE})
"""Kinds that fall behind when they don't file and pay: of a firm, that it is active says nothing more."""
NOT_IN_GOOD_STANDING = frozenset(
    {
        StatusCode.PENDING_DISSOLUTION,
        StatusCode.DISSOLVED,
        StatusCode.CANCELLED,
        StatusCode.AMALGAMATED,
    }
)
_PLACE = re.compile(r"(?P<city>.+?)?,? *\b(?P<province>[A-Z]{2}),? +(?P<postal_code>[A-Z]\d[A-Z] ?\d[A-Z]\d)", re.IGNORECASE)
LabelledLines = Mapping[str, Sequence[str]]
"""The lines of a record's values, by label."""


def build_hit_entry(hit: PeiSearchHit, context: LiveContext) -> RegistryEntry:
    """What a row of a search says of a business."""
    numbers = parse_numbers(hit.number)
    code, good_standing = _derive_status(hit.status, hit.kind, context)
    return RegistryEntry(
        entry_id=_build_entry_id(numbers, hit),
        source_url=_build_page_url(hit, context),
        jurisdiction=Jurisdiction.PE,
        legal_name=hit.name,
        registration_numbers=tuple(_build_registration_numbers(numbers, hit.number, context)),
        entity_type=hit.kind,
        status=hit.status,
        status_code=code,
        good_standing=good_standing,
    )


def build_record_entry(page: PageElement, hit: PeiSearchHit, context: LiveContext) -> RegistryEntry:
    """All that the record behind a row says. Raises `ParseFailed` for one of another shape, or of another business."""
    record = _read_labelled_lines(page, context)
    for label in NOTED:
        if record.get(label):
            context.words.note(f"{label}: {'; '.join(record[label])}")
    address = _build_address(record.get(ADDRESS, ()))
    return build_hit_entry(_read_hit(record, hit), context).model_copy(
        update={
            "alternate_names": tuple(record.get(SECONDARY_NAME, ())),
            "name_history": tuple(NameHistoryItem(type="former", name=name) for name in record.get(FORMER_NAMES, ())),
            "incorporation_date": _read_day(record, REGISTERED),
            "addresses": (address,) if address is not None else (),
            "people": tuple(_build_owner(name, context) for name in dict.fromkeys(record.get(OWNER, ()))),
        }
    )


def _read_hit(record: LabelledLines, hit: PeiSearchHit) -> PeiSearchHit:
    """The record's own words for what the row showed. Raises `ParseFailed` when they are of another business."""
    name, own = _read_one_line(record, NAME), _read_one_line(record, NUMBER)
    if name is None:
        raise ParseFailed(f"the record of {hit.name} has no {NAME}")
    pair = _read_one_line(record, BUSINESS_NUMBER) or own
    shown, stated = parse_numbers(hit.number), parse_numbers(own) or parse_numbers(pair)
    if shown is not None and stated is not None and not stated.is_same_registration(shown):
        raise ParseFailed(f"the record behind {hit.number} is that of {own}")
    return PeiSearchHit(hit.id, name, pair, _read_one_line(record, KIND), _read_one_line(record, STATUS))


def _read_labelled_lines(page: PageElement, context: LiveContext) -> LabelledLines:
    """The lines under each label. Raises `ParseFailed` that names the labels which are missing."""
    record: dict[str, list[str]] = {}
    for row in page.below(ROW):
        headers = [normalize_whitespace(header.text) for header in row.own(HEADER)]
        label = headers[0] if headers else None
        if label is not None:
            record.setdefault(label, []).extend(line for cell in row.own(CELL) for line in _split_lines(cell))
    missing = [label for label in NEEDED if label not in record]
    if missing:
        raise ParseFailed(f"the {VIEW} of the gateway has no {', '.join(missing)}")
    for label in record.keys() - KNOWN:
        context.words.term(label)
    return record


def _split_lines(cell: PageElement) -> Iterator[str]:
    """The lines of a value; of one that is a link, those of the link."""
    texts = [cell.text] if cell.text is not None else [link.text for link in cell.below(LINK)]
    for text in texts:
        for line in (text or "").splitlines():
            words = normalize_whitespace(line)
            if words is not None:
                yield words


def _read_one_line(record: LabelledLines, label: str) -> str | None:
    return normalize_whitespace(" ".join(record[label]))


def _build_registration_numbers(numbers: PeiNumbers | None, text: str | None, context: LiveContext) -> Iterator[RegistrationNumber]:
    """The register's number and the business number; a text of another form stands as it is."""
    label = context.metadata.number_label or NUMBER
    own = numbers.register if numbers is not None else text
    if own is not None:
        yield RegistrationNumber(label=label, value=own)
    if numbers is not None and numbers.business is not None:
        yield RegistrationNumber(label=BN_LABEL, value=numbers.business)


def _build_entry_id(numbers: PeiNumbers | None, hit: PeiSearchHit) -> str:
    """The register's number; of a name that is only reserved, which has none, the gateway's own id."""
    return numbers.register if numbers is not None and numbers.register is not None else f"id{hit.id}"


def _build_page_url(hit: PeiSearchHit, context: LiveContext) -> str:
    """The page that shows a person the record, by the gateway's id: the register's number does not lead there."""
    return f"{context.metadata.page}#/service/BusinessAPI/{VIEW};e={VIEW};id={hit.id}"


def _derive_status(status: str | None, kind: str | None, context: LiveContext) -> tuple[StatusCode, bool | None]:
    """The common code of a status, and whether the business is in good standing, where that follows from it."""
    word = re.sub(r"[^a-z0-9]+", "_", status.casefold()).strip("_") if status is not None else None
    code = context.words.status(word)
    if word == UNPAID or code in NOT_IN_GOOD_STANDING:
        return code, False
    return code, True if code is StatusCode.ACTIVE and parse_entity_type_code(kind) in FILING_YEARLY else None


def _read_day(record: LabelledLines, label: str) -> date | None:
    try:
        return parse_date(_read_one_line(record, label), LONG_DATE)
    except ValueError as error:
        raise ParseFailed(f"{label}: {error}") from error


def _build_owner(name: str, context: LiveContext) -> Person:
    return Person(name=name, roles=(OWNER,), role_details=(RoleDetail(category=context.words.role(OWNER), label=OWNER),))


def _build_address(lines: Sequence[str]) -> Address | None:
    """Street, then city, province and postal code in the line behind it, then perhaps a country.

    In a single line nothing sets the street apart from the city, and neither is guessed.
    """
    if not lines:
        return None
    at = next((place for place, line in enumerate(lines) if _PLACE.fullmatch(line) is not None), None)
    place = _PLACE.fullmatch(lines[at]) if at is not None else None
    if at is None or place is None:
        return Address(raw=", ".join(lines))
    country = ", ".join(lines[at + 1 :]) or None
    parts = place.groupdict()
    apart = at > 0
    address = build_postal_address(
        street=", ".join(lines[:at]) or None,
        city=parts["city"] if apart else None,
        province=parts["province"].upper(),
        postal_code=parts["postal_code"],
        country=country,
    )
    return address if apart or address is None else address.model_copy(update={"raw": ", ".join(lines)})
